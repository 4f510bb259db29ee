// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

#include <optional>

class QApplication;

namespace quadric::widgets {

enum class ThemeChoice { System, Light, Dark };

/// Fusion style with our own palette, light or dark. System follows the lightness of the palette that the
/// program was started with.
void applyTheme(QApplication& application, ThemeChoice choice);

/// The palettes that applyTheme() sets.
QPalette lightPalette();
QPalette darkPalette();

/// True for a palette with light text on a dark ground.
bool isDark(const QPalette& palette);

/// The colours of plots, derived from a palette; `forPrint` gives the light ones on white.
struct PlotColors {
    QColor background, text, mutedText, grid, axis, accent, band, observed, observedRim, warning, error, good;
};
PlotColors plotColors(const QPalette& palette, bool forPrint = false);

/// `over` laid on `under` with this opacity, 0…1; the result is opaque.
QColor blend(const QColor& over, const QColor& under, double opacity);

/// Okabe–Ito colours for categories, repeated after eight.
QColor categoryColor(int index);

/// Viridis, 0…1; values outside are taken to the nearer end, NaN to 0.
QColor viridis(double fraction);

/// Digits that a number deserves: `uncertainty` is the half width of its interval (two significant digits of
/// it decide), thousands of numbers from 10 000 on separated by a thin space; without it four significant
/// digits, never fewer than the whole part. "–" for a number that is not finite.
QString formatNumber(double value, std::optional<double> uncertainty = {});

/// A value with its interval: "1234 ± 56" where both halves are equal (within 2 %), otherwise "2200 (1200 to
/// 3900)", as after a transform.
QString formatInterval(double value, double low, double high);

/// A p value as people write it: "< 0.0001", "0.032", "> 0.99"; "–" where there is none.
QString formatP(double p);

} // namespace quadric::widgets
