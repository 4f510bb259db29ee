// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/perturbation_plot.h"

#include "widgets/base/theme.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

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

} // namespace

PerturbationPlot::PerturbationPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Perturbation"));
    clear(tr("No effects yet."));
}

void PerturbationPlot::setCurves(const PerturbationCurves& curves, const QString& response)
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
    panel.y = {response, scaleOver(values, false, 0.05)};
    board.panels.push_back(std::move(panel));
    board.table = tableOf(curves);
    setBoard(std::move(board));
}

} // namespace quadric::widgets
