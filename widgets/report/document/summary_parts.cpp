// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/measurement_findings.h"
#include "core/report/findings/next_steps.h"
#include "core/study/outcome.h"
#include "widgets/report/document/report_parts.h"
#include "widgets/text/translate.h"
#include "widgets/text/wording.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kTallestInSummary = 470.0; ///< leaves room on the first page for the answer
constexpr double kParetosHeight = 480.0;    ///< of all rows
constexpr double kTallestRow = 240.0;
constexpr std::size_t kParetosPerRow = 2;
constexpr std::size_t kMostParetos = 6;
constexpr double kTradeOffHeight = 230.0;
constexpr double kLowestPlot = 0.66; ///< of its height: the text before may need some of the second page

/// What matters most to each response that has a goal and a model.
void addParetoCharts(BlockList& blocks, const ReportSource& source)
{
    std::vector<std::string> responses;
    for (const optimize::ResponseAtOptimum& at : source.best.responses)
        if (at.goal != study::Goal::None)
            responses.push_back(at.response);
    responses.resize(std::min(responses.size(), kMostParetos));
    const double rows = std::ceil(static_cast<double>(responses.size()) / kParetosPerRow);
    const double height = std::min(kTallestRow, kParetosHeight / rows);
    for (std::size_t first = 0; first < responses.size(); first += kParetosPerRow) {
        FigureBlock row{{}, {}, height, {}, kLowestPlot, first > 0};
        for (std::size_t i = first; i < std::min(first + kParetosPerRow, responses.size()); ++i)
            row.plots.push_back(source.gallery.plot({"pareto", {responses[i]}}));
        if (first + kParetosPerRow >= responses.size())
            row.caption = tr("Effects by size; the line is the limit of significance");
        blocks.figure(row);
    }
}

/// Where all goals are met, and what one costs the other.
void addTradeOff(BlockList& blocks, const ReportSource& source)
{
    std::vector<std::string> plots;
    if (std::ranges::count_if(source.study().factors, &study::Factor::isNumeric) >= 2)
        plots.emplace_back("limits");
    if (std::ranges::count_if(source.best.responses,
                              [](const auto& at) { return at.goal != study::Goal::None; }) > 1)
        plots.emplace_back("trade-off");
    if (!plots.empty())
        blocks.figure(source.titled(plots, kTradeOffHeight, {}, kLowestPlot));
}

/// The findings that are no matter of course, in a paragraph.
QString dataQuality(const ReportSource& source)
{
    QStringList sentences;
    for (const report::Finding& finding : report::findInMeasurement(source.study(), source.context.fits))
        if (sentences.isEmpty() || finding.severity != report::Severity::Green)
            sentences << QString::fromStdString(finding.sentence);
    if (sentences.size() == 1 && study::countFailed(source.study()) == 0)
        sentences << tr("None failed, none was disturbed.");
    return sentences.join(QLatin1Char(' '));
}

} // namespace

void addStepsAndPictures(BlockList& blocks, const ReportSource& source)
{
    blocks.heading(tr("Data quality"), 2);
    blocks.paragraph(dataQuality(source));
    QStringList steps;
    for (const std::string& step : report::findNextSteps(source.study(), source.context.fits, source.scales,
                                                         source.best, source.confirmations))
        steps << QString::fromStdString(step);
    blocks.heading(tr("What to do next"), 2);
    blocks.bullets(steps);
    if (source.best.isOk()) {
        addProfiler(blocks, source, kTallestInSummary);
        addParetoCharts(blocks, source);
        addTradeOff(blocks, source);
    }
}

} // namespace quadric::widgets
