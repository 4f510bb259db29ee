// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/answer/rounding.h"
#include "core/optimize/merit/desirability.h"
#include "core/report/findings/answer_findings.h"
#include "core/report/tables/answer_tables.h"
#include "widgets/optimize/answer_bar.h"
#include "widgets/plan/plan_page.h"
#include "widgets/report/document/report_parts.h"
#include "widgets/text/wording.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr std::ptrdiff_t kCurvesPerRow = 3;
constexpr double kCurveHeight = 150.0;
constexpr double kProfilerRow = 95.0; ///< of one response or of the overall desirability
constexpr double kProfilerFrame = 70.0;
constexpr double kTallestProfiler = 860.0;
constexpr double kPlaneHeight = 280.0;
constexpr double kBarsFrame = 90.0, kBarHeight = 24.0;

bool hasGoal(const ReportSource& source, const std::string& name)
{
    const study::Response* response = study::findResponse(source.study(), name);
    return response != nullptr && response->goal != study::Goal::None;
}

std::ptrdiff_t countGoals(const ReportSource& source)
{
    return std::ranges::count_if(source.best.responses,
                                 [&source](const auto& at) { return hasGoal(source, at.response); });
}

void addDesirabilities(BlockList& blocks, const ReportSource& source)
{
    FigureBlock row{{},
                    {},
                    kCurveHeight,
                    tr("Desirability of each response; the mark is the prediction at the best setting")};
    const bool leavesOne = countGoals(source) % kCurvesPerRow == 1;
    const auto perRow = static_cast<std::size_t>(leavesOne ? kCurvesPerRow - 1 : kCurvesPerRow);
    const auto flush = [&blocks, &row] {
        blocks.figure(row);
        row.plots.clear();
        row.titles.clear();
    };
    for (const optimize::ResponseAtOptimum& at : source.best.responses) {
        if (!hasGoal(source, at.response))
            continue;
        row.plots.push_back(source.gallery.plot({"desirability", {at.response}}));
        const study::Response* response = study::findResponse(source.study(), at.response);
        row.titles << nameWithUnit(response->name, response->unit);
        if (row.plots.size() == perRow)
            flush();
    }
    flush();
}

/// How surely a run meets the limits that are set.
void addProbabilities(BlockList& blocks, const ReportSource& source, std::ptrdiff_t goals)
{
    blocks.figure(source.titled(
        {"robustness"}, kBarsFrame + kBarHeight * static_cast<double>(goals + 1),
        tr("One future run at the best setting; the marks are those of the most robust setting"),
        FigureBlock::kFixed));
}

void addPlanes(BlockList& blocks, const ReportSource& source)
{
    const auto numeric = std::ranges::count_if(source.study().factors, &study::Factor::isNumeric);
    const bool hasLimits = optimize::hasSetLimits(source.study());
    std::vector<std::string> planes{"overall-surface"};
    if (hasLimits)
        planes.emplace_back("limits");
    if (numeric >= 2)
        blocks.figure(
            source.titled(planes, kPlaneHeight,
                          tr("Over the first two numeric factors, with the others at the best setting")));
    const std::ptrdiff_t goals = countGoals(source);
    if (hasLimits && source.options.extent == Extent::Full)
        addProbabilities(blocks, source, goals);
    if (goals >= 2)
        blocks.figure(
            {{source.gallery.plot({"trade-off"})},
             {},
             kPlaneHeight,
             tr("Pareto front: settings where neither response improves unless the other gets worse")});
}

/// Where runs were added to the design, what they have brought.
void addProgress(BlockList& blocks, const ReportSource& source)
{
    const bool hasAdded = std::ranges::any_of(source.study().runs, [](const study::Run& run) {
        return run.kind == study::RunKind::Augment && run.status == study::RunStatus::Done;
    });
    if (hasAdded)
        blocks.figure({{source.gallery.plot({"best-so-far"})},
                       {},
                       kPlaneHeight,
                       tr("Best measured value over the runs in their order")});
}

/// What the predictions owe to the choice of terms and settings.
void addCorrection(BlockList& blocks, const ReportSource& source)
{
    const optimize::OptimumCorrection correction =
        optimize::correctOptimum(source.study(), source.context.fits, source.best);
    QStringList sentences;
    for (const std::string& sentence :
         report::describeCorrection(source.study(), source.best, correction, text::Typography::Typeset))
        sentences << QString::fromStdString(sentence);
    if (!sentences.isEmpty())
        blocks.bullets(sentences);
}

constexpr double kPlanFigure = 190.0, kLowestPlanFigure = 0.7;
constexpr std::size_t kMostPlanRows = 6; ///< of a table: the last ones, which look farthest ahead

TextTable lastRows(TextTable table)
{
    const std::size_t over = table.rows.size() - std::min(kMostPlanRows, table.rows.size());
    table.rows.erase(table.rows.begin(), table.rows.begin() + static_cast<std::ptrdiff_t>(over));
    return table;
}

void addAnswer(BlockList& blocks, const PlanAnswer& answer, bool showsPlot)
{
    blocks.heading(answer.title, 2);
    blocks.answer(answer.sentence);
    if (showsPlot)
        blocks.figure({{answer.plot}, {}, kPlanFigure, {}, kLowestPlanFigure});
    for (const TextTable& table : answer.tables)
        blocks.table(lastRows(table));
    blocks.paragraph(answer.remark, ParagraphBlock::Kind::Small);
}

} // namespace

void addProfiler(BlockList& blocks, const ReportSource& source, double tallest)
{
    const auto rows = static_cast<double>(source.best.responses.size() + 1);
    blocks.figure({{source.gallery.plot({"profiler"})},
                   {},
                   std::min(kProfilerFrame + kProfilerRow * rows, tallest),
                   tr("Every response along every factor through the best setting, with 95 % bands")});
}

report::Standing judgeBestSetting(const ReportSource& source)
{
    return report::judgeSetting(source.study(), source.context.fits, source.best.settings,
                                source.confirmations);
}

QString noAnswerText(const optimize::Optimum& best)
{
    return best.message.empty() ? tr("No response has a model yet, so there is no best setting to name.")
                                : asSentence(QString::fromStdString(best.message));
}

void addOptimum(BlockList& blocks, const ReportSource& source)
{
    const study::Study& study = source.study();
    blocks.heading(tr("Best settings"));
    if (!source.best.isOk())
        return blocks.paragraph(noAnswerText(source.best));
    blocks.paragraph(headlineText(study, source.best, SettingKind::Best, judgeBestSetting(source)),
                     ParagraphBlock::Kind::Lead);
    blocks.table(report::makeOptimumTable(study, source.best));
    addCorrection(blocks, source);
    const std::vector<model::Fit>& fits = source.context.fits;
    blocks.paragraph(QString::fromStdString(report::describeRegion(study, source.gallery.region())));
    if (!source.best.solutions.empty())
        blocks.table(report::makeSolutionTable(study, optimize::withRounded(source.best)));
    if (const auto measured = optimize::findBestMeasured(study, fits); !measured.empty())
        blocks.table(report::makeMeasuredTable(study, measured));
    if (!source.shows(Section::Plots))
        return;
    if (source.options.extent == Extent::Full)
        addDesirabilities(blocks, source);
    addProfiler(blocks, source, kTallestProfiler);
    addPlanes(blocks, source);
    addProgress(blocks, source);
}

void addVerdict(BlockList& blocks, const study::Study& study, const optimize::Confirmation& confirmation)
{
    blocks.paragraph(confirmationText(study, confirmation));
    if (!confirmation.responses.empty())
        blocks.table(report::makeConfirmationTable(confirmation));
}

void addConfirmation(BlockList& blocks, const ReportSource& source)
{
    if (source.confirmations.empty() && !source.best.isOk())
        return;
    blocks.heading(tr("Confirmation"));
    if (source.confirmations.empty())
        return blocks.paragraph(tr("The best setting has not been confirmed by new runs."));
    for (const optimize::Confirmation& confirmation : source.confirmations) {
        addVerdict(blocks, source.study(), confirmation);
        QStringList sentences;
        for (const optimize::ConfirmedResponse& response : confirmation.responses)
            sentences << QString::fromStdString(response.sentence);
        blocks.bullets(sentences);
    }
}

void addPlan(BlockList& blocks, const ReportSource& source)
{
    const auto [work, answers] = source.gallery.plan();
    if (answers.empty())
        return;
    blocks.headingOnTop(tr("Planning"));
    blocks.paragraph(work, ParagraphBlock::Kind::Small);
    for (const PlanAnswer& answer : answers)
        addAnswer(blocks, answer, source.shows(Section::Plots));
}

} // namespace quadric::widgets
