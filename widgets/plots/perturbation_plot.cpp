// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/perturbation_plot.h"

#include "widgets/base/theme.h"
#include "widgets/plots/base/curve_reading.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

using PerturbationCurves = std::vector<model::PerturbationCurve>;

TextTable tableOf(const PerturbationCurves& curves)
{
    TextTable table;
    table.caption = PerturbationPlot::tr("Perturbation");
    table.columns = curveColumns();
    table.columns.insert(table.columns.begin(), {{PerturbationPlot::tr("Factor"), {}, false},
                                                 {PerturbationPlot::tr("Coded"), {}, true}});
    for (const model::PerturbationCurve& curve : curves)
        for (std::size_t i = 0; i < curve.coded.size(); ++i) {
            const auto at = [i](const std::vector<double>& values) {
                return i < values.size() ? formatNumber(values[i]) : QString();
            };
            table.rows.push_back({nameWithUnit(curve.factor, curve.unit), at(curve.coded), at(curve.actual),
                                  at(curve.mean), at(curve.low), at(curve.high)});
        }
    return table;
}

/// The curves over actual values of their factors, with the coded distances at which these lie.
struct ReadableCurve {
    std::vector<double> coded;
    model::EffectCurve curve;
};

std::vector<ReadableCurve> readableCurves(const PerturbationCurves& curves, const QString& response,
                                          const std::string& unit)
{
    std::vector<ReadableCurve> readable;
    for (const model::PerturbationCurve& each : curves) {
        model::EffectCurve curve;
        curve.factor = each.factor;
        curve.unit = each.unit;
        curve.response = response.toStdString();
        curve.responseUnit = unit;
        curve.actual = each.actual;
        curve.mean = each.mean;
        curve.low = each.low;
        curve.high = each.high;
        readable.push_back({each.coded, std::move(curve)});
    }
    return readable;
}

/// What the curve that passes nearest to a place says there.
QString describeNearest(const std::vector<ReadableCurve>& curves, double coded, double response)
{
    QString text;
    double nearest = INFINITY;
    for (const ReadableCurve& each : curves) {
        const auto at = std::ranges::min_element(each.coded, {},
                                                 [coded](double value) { return std::abs(value - coded); });
        const auto index = static_cast<std::size_t>(at - each.coded.begin());
        if (const double away = std::abs(each.curve.mean[index] - response); away < nearest) {
            nearest = away;
            text = describeCurve(each.curve, each.curve.actual[index]);
        }
    }
    return text;
}

} // namespace

PerturbationPlot::PerturbationPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Perturbation"));
    clear(tr("No effects yet."));
}

void PerturbationPlot::setCurves(const PerturbationCurves& curves, const QString& response,
                                 const std::string& unit)
{
    if (curves.empty())
        return clear(tr("The model has no numeric factors to move."));
    Panel panel;
    PanelBoard board;
    std::vector<double> values, coded;
    for (std::size_t i = 0; i < curves.size(); ++i) {
        const int category = static_cast<int>(i);
        const model::PerturbationCurve& curve = curves[i];
        values.insert(values.end(), curve.mean.begin(), curve.mean.end());
        coded.insert(coded.end(), curve.coded.begin(), curve.coded.end());
        panel.lines.push_back({curve.coded, curve.mean, LineRole::Fit, category, {}});
        board.legend.push_back(
            {LegendEntry::Sample::Line, nameText(curve.factor), DotRole::Observed, LineRole::Fit, category});
    }
    panel.x = {tr("change of the factor from where it is held, coded"), scaleOver(coded, false)};
    panel.y = {nameWithUnit(response.toStdString(), unit), scaleOver(values, false, 0.05)};
    panel.reading = [shown = readableCurves(curves, response, unit)](double x, double y) {
        return describeNearest(shown, x, y);
    };
    board.title = panel.y.title;
    board.panels.push_back(std::move(panel));
    board.table = tableOf(curves);
    setBoard(std::move(board));
}

} // namespace quadric::widgets
