// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

#include <optional>

class QApplication;

namespace quadric::widgets {

enum class ThemeChoice { System, Light, Dark };

/// Fusion style with our own palette, light or dark.
void applyTheme(QApplication& application, ThemeChoice choice);

/// The colours of plots, derived from a palette; `forPrint` gives the light ones on white.
struct PlotColors {
    QColor background, text, mutedText, grid, axis, accent, band, observed, observedRim, warning, error, good;
};
PlotColors plotColors(const QPalette& palette, bool forPrint = false);

/// Okabe–Ito colours for categories, repeated after eight.
QColor categoryColor(int index);

/// Viridis, 0…1.
QColor viridis(double fraction);

/// Digits that a number deserves: `uncertainty` is the half width of its interval (two significant digits of
/// it decide), thousands separated by a thin space; without it four significant digits.
QString formatNumber(double value, std::optional<double> uncertainty = {});

/// A p value as people write it: "< 0.0001", "0.032".
QString formatP(double p);

} // namespace quadric::widgets
