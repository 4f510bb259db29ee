// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/views/opinion_plot.h"

#include "core/plan/words/opinion_words.h"
#include "core/study/coding.h"
#include "widgets/base/theme.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

namespace quadric::widgets {

namespace {

constexpr int kPanelColumns = 3;

QString rivalName(const plan::RivalScore& score)
{
    const std::string_view words = plan::wordsOf(score.rival);
    return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
}

AxisScale commonScale(const plan::Opinion& opinion)
{
    std::vector<double> values = opinion.observed;
    for (const plan::RivalScore& score : opinion.scores)
        values.insert(values.end(), score.predicted.begin(), score.predicted.end());
    return scaleOver(values, false, 0.05);
}

Panel rivalPanel(const plan::Opinion& opinion, const plan::RivalScore& score, const AxisScale& scale)
{
    Panel panel;
    panel.title = rivalName(score);
    panel.note = OpinionPlot::tr("MAE %1").arg(formatNumber(score.mae));
    panel.x = {OpinionPlot::tr("observed"), scale};
    panel.y = {OpinionPlot::tr("predicted, left out"), scale};
    panel.lines.push_back(straightLine(scale.low, scale.low, scale.high, scale.high, LineRole::Reference));
    for (std::size_t row = 0; row < opinion.runs.size(); ++row)
        panel.dots.push_back(
            {.x = opinion.observed[row],
             .y = score.predicted[row],
             .run = opinion.runs[row],
             .tip = runTip(opinion.runs[row],
                           {namedValue(OpinionPlot::tr("observed"), opinion.observed[row], opinion.unit),
                            namedValue(OpinionPlot::tr("predicted"), score.predicted[row], opinion.unit)})});
    return panel;
}

/// What one model says along one factor.
model::EffectCurve dependenceCurve(const plan::Opinion& opinion, const model::Fit& fit, std::size_t factor,
                                   std::size_t rival)
{
    const study::Coding coding(fit.factors);
    const study::Factor& along = fit.factors[factor];
    const plan::PartialDependence& dependence = opinion.dependence[factor];
    model::EffectCurve curve;
    curve.factor = along.name;
    curve.unit = along.unit;
    curve.response = opinion.response;
    curve.responseUnit = opinion.unit;
    curve.isLog2 = along.scale == study::Scale::Log2;
    curve.categories = along.categories;
    curve.mean = dependence.means[rival];
    for (const double coded : dependence.coded)
        curve.actual.push_back(coding.toActual(factor, coded));
    curve.isExtrapolation.assign(curve.actual.size(), false);
    return curve;
}

/// Places of the scores that have something to say, in their order.
std::vector<std::size_t> usableScores(const plan::Opinion& opinion)
{
    std::vector<std::size_t> usable;
    for (std::size_t rival = 0; rival < opinion.scores.size(); ++rival)
        if (opinion.scores[rival].isOk() && !opinion.dependence.empty() &&
            !opinion.dependence.front().means[rival].empty())
            usable.push_back(rival);
    return usable;
}

TextTable dependenceTable(const plan::Opinion& opinion, const model::Fit& fit,
                          const std::vector<std::size_t>& rivals)
{
    TextTable table;
    table.caption = OpinionPlot::tr("Partial dependence of %1").arg(nameText(opinion.response));
    table.columns = {{OpinionPlot::tr("Factor"), {}, false}, {OpinionPlot::tr("Value"), {}, true}};
    for (const std::size_t rival : rivals)
        table.columns.push_back({rivalName(opinion.scores[rival]), {}, true});
    for (std::size_t factor = 0; factor < opinion.dependence.size(); ++factor) {
        const model::EffectCurve curve = dependenceCurve(opinion, fit, factor, rivals.front());
        for (std::size_t i = 0; i < curve.actual.size(); ++i) {
            QStringList row{nameText(curve.factor), curve.categories.empty() ? formatNumber(curve.actual[i])
                                                                             : nameText(curve.categories[i])};
            for (const std::size_t rival : rivals)
                row << formatNumber(opinion.dependence[factor].means[rival][i]);
            table.rows.push_back(row);
        }
    }
    return table;
}

Panel dependencePanel(const plan::Opinion& opinion, const model::Fit& fit, std::size_t factor,
                      const std::vector<std::size_t>& rivals, const AxisScale& scale)
{
    Panel panel;
    panel.x = factorAxis(dependenceCurve(opinion, fit, factor, rivals.front()));
    panel.y = {nameWithUnit(opinion.response, opinion.unit), scale};
    for (const std::size_t rival : rivals)
        addCurve(panel, dependenceCurve(opinion, fit, factor, rival), static_cast<int>(rival));
    return panel;
}

} // namespace

OpinionPlot::OpinionPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Predictions of other kinds of models"));
    clear(tr("No model to compare with."));
}

void OpinionPlot::setPredictions(const plan::Opinion& opinion)
{
    if (!opinion.isOk())
        return clear(QString::fromStdString(opinion.message));
    const AxisScale scale = commonScale(opinion);
    PanelBoard board;
    board.title = nameWithUnit(opinion.response, opinion.unit);
    board.columns = kPanelColumns;
    board.sharesY = true;
    for (const plan::RivalScore& score : opinion.scores)
        if (score.isOk())
            board.panels.push_back(rivalPanel(opinion, score, scale));
    board.legend = {{LegendEntry::Sample::Dot, tr("run left out")},
                    {.sample = LegendEntry::Sample::Line,
                     .text = tr("predicted = observed"),
                     .line = LineRole::Reference}};
    board.table = typeset(plan::makeOpinionTable(opinion));
    setBoard(std::move(board));
}

void OpinionPlot::setDependence(const plan::Opinion& opinion, const model::Fit& fit)
{
    if (!opinion.isOk())
        return clear(QString::fromStdString(opinion.message));
    const std::vector<std::size_t> rivals = usableScores(opinion);
    if (rivals.empty())
        return clear(tr("No model to compare with."));
    std::vector<model::EffectCurve> curves;
    for (std::size_t factor = 0; factor < opinion.dependence.size(); ++factor)
        for (const std::size_t rival : rivals)
            curves.push_back(dependenceCurve(opinion, fit, factor, rival));
    PanelBoard board;
    board.sharesY = true;
    for (std::size_t factor = 0; factor < opinion.dependence.size(); ++factor)
        board.panels.push_back(dependencePanel(opinion, fit, factor, rivals, responseScale(curves)));
    for (const std::size_t rival : rivals)
        board.legend.push_back({.sample = LegendEntry::Sample::Line,
                                .text = rivalName(opinion.scores[rival]),
                                .category = static_cast<int>(rival)});
    board.table = dependenceTable(opinion, fit, rivals);
    setBoard(std::move(board));
}

} // namespace quadric::widgets
