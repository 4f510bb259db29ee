// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

#include <optional>

class QApplication;

namespace quadric::widgets {

enum class ThemeChoice { System, Light, Dark, HighContrast };

/// Fusion style with our own palette. System follows the palette that the program was started with: light or
/// dark, and high contrast where it is black and white. High contrast is light or dark as that palette is.
void applyTheme(QApplication& application, ThemeChoice choice);

/// The palettes that applyTheme() sets.
QPalette lightPalette();
QPalette darkPalette();
QPalette highContrastPalette(bool dark);

/// True for a palette with light text on a dark ground.
bool isDark(const QPalette& palette);

/// True where text and ground are black and white.
bool isHighContrast(const QPalette& palette);

/// The colors of plots, derived from a palette; `forPrint` gives the light ones on white.
struct PlotColors {
    QColor background, text, mutedText, grid, axis, accent, band, observed, observedRim, warning, error, good;
};
PlotColors plotColors(const QPalette& palette, bool forPrint = false);

/// `over` laid on `under` with this opacity, 0…1; the result is opaque.
QColor blend(const QColor& over, const QColor& under, double opacity);

/// Okabe–Ito colors for categories, repeated after eight.
QColor categoryColor(int index);

/// Viridis, 0…1; values outside are taken to the nearer end, NaN to 0.
QColor viridis(double fraction);

/// Numbers as core/text formats them, typeset: thousands with narrow no-break spaces, a real minus, powers of
/// ten.
QString formatNumber(double value, std::optional<double> uncertainty = {});
QString formatInterval(double value, double low, double high);
QString formatP(double p);
QString formatPClause(double p);
QString formatPercent(double share, int decimals = 1);
QString formatPower(double power);
QString formatDuration(double seconds);
QString formatRoughDuration(double seconds);
/// "1 run", "15 runs".
QString formatCount(qint64 count, const char* thing);
/// "A, B and C".
QString formatList(const QStringList& items);

} // namespace quadric::widgets
