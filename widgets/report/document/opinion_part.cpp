// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/words/opinion_words.h"
#include "widgets/explore/views/opinion_plot.h"
#include "widgets/report/document/report_parts.h"
#include "widgets/text/translate.h"
#include "widgets/text/wording.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr double kPredictionsHeight = 330.0, kDependenceHeight = 240.0;

/// Training takes seconds, so that only those wait for it who look at the view.
bool isOpinionAsked(const study::Study& study)
{
    const auto page = study.view.find("explore");
    return page != study.view.end() && std::ranges::any_of(page->second.views, [](const auto& row) {
               return std::ranges::count(row, "opinion") > 0;
           });
}

std::shared_ptr<OpinionPlot> opinionPlot(const ReportSource& source, const model::Fit& fit)
{
    auto plot = std::make_shared<OpinionPlot>();
    plot->setSimulated(study::hasSimulatedResults(source.study()));
    plot->setSource({nameText(source.study().name), {nameText(fit.response)}});
    return plot;
}

void addOpinionPlots(BlockList& blocks, const ReportSource& source, const model::Fit& fit,
                     const plan::Opinion& opinion)
{
    const auto predictions = opinionPlot(source, fit), dependence = opinionPlot(source, fit);
    predictions->setPredictions(opinion);
    dependence->setDependence(opinion, fit);
    blocks.figure(
        {{predictions}, {}, kPredictionsHeight, tr("Predictions for runs left out, by kind of model")});
    blocks.figure(
        {{dependence},
         {},
         kDependenceHeight,
         tr("Partial dependence: mean prediction over all runs with one factor set to each value")});
}

} // namespace

void addOpinion(BlockList& blocks, const ReportSource& source, const model::Fit& fit)
{
    if (!fit.isOk() || !source.shows(Section::Diagnostics) || !isOpinionAsked(source.study()))
        return;
    const plan::Opinion opinion = plan::secondOpinion(source.study(), fit);
    blocks.heading(tr("Second opinion"), 2);
    blocks.paragraph(QString::fromStdString(plan::describeOpinion(opinion)));
    if (!opinion.isOk() || source.options.extent != Extent::Full)
        return;
    blocks.table(plan::makeOpinionTable(opinion));
    if (source.shows(Section::Plots))
        addOpinionPlots(blocks, source, fit, opinion);
    blocks.table(plan::makeImportanceTable(opinion, fit.factors));
}

} // namespace quadric::widgets
