// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"
#include "widgets/plots/panel/panel.h"
#include "widgets/text/text_table.h"

namespace quadric::widgets {

/// The axis of the factor that a curve goes along; levels of a categorical factor stand at 0, 1, ….
PanelAxis factorAxis(const model::EffectCurve& curve);

/// A scale for all fitted, observed and interval values of the curves.
AxisScale responseScale(const std::vector<model::EffectCurve>& curves);

/// Line and band of a curve, extrapolated stretches apart; levels of a categorical factor as short bars.
void addCurve(Panel& panel, const model::EffectCurve& curve, int category = -1);

/// What a broken line means, where a curve has one.
void addExtrapolationEntry(std::vector<LegendEntry>& legend, const std::vector<model::EffectCurve>& curves);

/// What a curve says, as rows of factor value, mean and interval; `lead` goes before each row.
void addRows(TextTable& table, const model::EffectCurve& curve, const QStringList& lead);
std::vector<TextColumn> curveColumns();

/// Adds a row to a category axis, below those that it has, with its bar (whose `low` and `high` are set).
void addRow(Panel& panel, const QString& name, PanelBar bar);

/// Adds the name of a group of rows, on a line of its own.
void addHeading(Panel& panel, const QString& name);

PanelLine straightLine(double x0, double y0, double x1, double y1, LineRole role, const QString& label = {});

/// "Run 5" and these lines, for the tip of a dot.
QString runTip(int run, const QStringList& lines);

/// "name 12.3 unit".
QString namedValue(const QString& name, double value, const std::string& unit = {});

/// What an adjusted mean is, for the tip of its dot.
QString adjustedTip(const model::EffectCurve& curve, std::size_t level);

bool isUsable(const model::EffectCurve& curve);

/// The name of a fit's response on the scale of its model: "log of images_per_sec".
QString modelScaleName(const model::Fit& fit);

} // namespace quadric::widgets
