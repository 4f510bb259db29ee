// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/merit/desirability.h"
#include "core/report/findings/advice.h"
#include "core/report/findings/fit_findings.h"
#include "core/report/findings/measurement_findings.h"
#include "core/report/tables/answer_tables.h"
#include "core/report/tables/joint_tables.h"
#include "core/report/tables/study_tables.h"
#include "core/study/run_records.h"
#include "core/text/numbers.h"
#include "widgets/base/theme.h"
#include "widgets/report/document/report_parts.h"
#include "widgets/text/wording.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

QString roundingText()
{
    return tr(
        "± is a 95 % interval unless a table says otherwise. Estimates carry two digits of their standard "
        "error, p two digits (beyond 0.0001 and 0.99 the bound alone), t, F and VIF two decimals, R² three; "
        "settings six digits, all other numbers four significant digits.");
}

/// The first lines of it in the summary.
QString descriptionOf(const ReportSource& source)
{
    constexpr qsizetype kMostInSummary = 300;
    const QString whole = QString::fromStdString(source.study().description);
    if (source.options.extent != Extent::Summary || whole.size() <= kMostInSummary)
        return whole;
    const QString begin = whole.left(kMostInSummary);
    return begin.left(std::max(begin.lastIndexOf(QLatin1Char(' ')), kMostInSummary / 2)) +
           QStringLiteral(" …");
}

void addPredictions(BlockList& blocks, const ReportSource& source)
{
    for (const optimize::ResponseAtOptimum& at : source.best.responses) {
        const study::Response* response = study::findResponse(source.study(), at.response);
        if (response == nullptr || response->goal == study::Goal::None)
            continue;
        const QString sentence = at.predicted.newBlock
                                     ? tr("%1: expect %2 in a run of a new block (goal: %3).")
                                     : tr("%1: expect %2 in a new run (goal: %3).");
        blocks.paragraph(sentence.arg(nameText(at.response), predictionText(at.predicted, response->unit),
                                      goalText(*response)),
                         ParagraphBlock::Kind::Bullet);
    }
    blocks.paragraph(tr("Overall desirability D = %1, where 1 would meet every goal in full.")
                         .arg(desirabilityText(source.best.overall)));
}

QString roundedText(const ReportSource& source)
{
    const QString setting = settingsText(source.study(), source.best.rounded->settings);
    const QString before = desirabilityText(source.best.overall),
                  after = desirabilityText(source.best.rounded->overall);
    return before == after ? tr("Rounded: %1, at which D stays %2.").arg(setting, after)
                           : tr("Rounded: %1, which lowers D from %2 to %3.").arg(setting, before, after);
}

/// What to use, unless something is known that forbids it.
void addRecommendation(BlockList& blocks, const ReportSource& source)
{
    const report::Standing standing = judgeBestSetting(source);
    const QString setting = settingsText(source.study(), source.best.settings, source.best.indifferent);
    QStringList words;
    if (standing.isRejected())
        words << QString::fromStdString(standing.verdict)
              << tr("The models recommend %1, but confirming runs refuted it.").arg(setting);
    else if (report::mayAnySettingBeBest(source.gallery.region()))
        words << QString::fromStdString(report::describeRegion(source.study(), source.gallery.region()))
              << tr("The models prefer %1.").arg(setting) << QString::fromStdString(standing.verdict);
    else
        words << tr("Use %1.").arg(setting) << QString::fromStdString(standing.verdict);
    for (const std::string& reason : standing.reasons)
        words << QString::fromStdString(reason);
    words.removeAll({});
    blocks.paragraph(words.join(QLatin1Char(' ')), ParagraphBlock::Kind::Lead);
    if (standing.isRejected())
        return;
    if (source.best.rounded)
        blocks.paragraph(roundedText(source));
    addPredictions(blocks, source);
}

/// The summary has room for few of them.
void addReasons(BlockList& blocks, const ReportSource& source, const QString& title,
                const std::vector<std::string>& reasons)
{
    constexpr qsizetype kMostInSummary = 3;
    if (reasons.empty())
        return;
    QStringList texts;
    for (const std::string& reason : reasons)
        texts << QString::fromStdString(reason);
    if (source.options.extent == Extent::Summary && texts.size() > kMostInSummary + 1)
        texts = texts.mid(0, kMostInSummary)
                << tr("%1 more in the full report.").arg(texts.size() - kMostInSummary);
    blocks.heading(title, 2);
    blocks.bullets(texts);
}

// All pictures of the summary fit on its second page.
constexpr double kTallestInSummary = 340.0;
constexpr double kParetosHeight = 300.0; ///< of all rows
constexpr double kTallestRow = 240.0;
constexpr std::size_t kParetosPerRow = 2;
constexpr std::size_t kMostParetos = 6;
constexpr double kTradeOffHeight = 170.0;
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
        FigureBlock row{{}, {}, height, {}, kLowestPlot};
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
    if (optimize::hasSetLimits(source.study()) &&
        std::ranges::count_if(source.study().factors, &study::Factor::isNumeric) >= 2)
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

constexpr double kParetoFrame = 80.0, kParetoRow = 18.0, kTallestPareto = 220.0;
constexpr double kLowestChart = 0.9; ///< of its height: in less room bars would be left out
constexpr double kCheckHeight = 165.0;
constexpr double kMapHeight = 215.0;

/// Those that ask for something to be done.
std::vector<report::Finding> urgent(std::vector<report::Finding> findings)
{
    std::erase_if(findings,
                  [](const report::Finding& each) { return each.severity == report::Severity::Green; });
    return findings;
}

void addModelPlots(BlockList& blocks, const ReportSource& source, const model::Fit& fit)
{
    const auto plot = [&source, &fit](const char* kind) {
        return source.gallery.plot({kind, {fit.response}});
    };
    const double pareto =
        std::min(kParetoFrame + kParetoRow * static_cast<double>(fit.effects.size()), kTallestPareto);
    blocks.figure({{plot("pareto")},
                   {},
                   pareto,
                   tr("Effects by size; the line is the limit of significance"),
                   kLowestChart});
    if (const std::vector<std::size_t> leading = leadingFactors(fit); leading.size() >= 2)
        addSurface(blocks, source, fit, std::min(leading[0], leading[1]), std::max(leading[0], leading[1]),
                   kMapHeight);
    blocks.figure({{plot("predicted"), plot("run-order")},
                   {},
                   kCheckHeight,
                   tr("Left: predicted vs. observed, one point per run. Right: residuals in run order")});
}

} // namespace

QString asSentence(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

void addTitle(BlockList& blocks, const ReportSource& source)
{
    const study::Study& study = source.study();
    blocks.heading(source.options.title.isEmpty() ? QString::fromStdString(study.name) : source.options.title,
                   0);
    if (!source.options.author.isEmpty())
        blocks.paragraph(tr("By %1").arg(source.options.author), ParagraphBlock::Kind::Small);
    blocks.paragraph(descriptionOf(source), ParagraphBlock::Kind::Lead);
    blocks.paragraph(tr("%1, %2, %3 of %4 runs done.")
                         .arg(formatCount(std::ssize(study.factors), "factor"),
                              formatCount(std::ssize(study.responses), "response"))
                         .arg(study::countRuns(study, study::RunStatus::Done))
                         .arg(study.runs.size()),
                     ParagraphBlock::Kind::Small);
    if (source.options.extent != Extent::Summary)
        blocks.paragraph(roundingText(), ParagraphBlock::Kind::Small);
}

void addSummary(BlockList& blocks, const ReportSource& source)
{
    blocks.heading(tr("Summary"));
    if (source.best.isOk()) {
        addRecommendation(blocks, source);
    } else {
        blocks.paragraph(noAnswerText(source.best));
    }
    for (const optimize::Confirmation& confirmation : source.confirmations)
        addVerdict(blocks, source.study(), confirmation);
    addReasons(blocks, source, tr("Evidence for"), report::findEvidence(source.context.fits));
    std::vector<std::string> cautions = report::findCautions(source.study(), source.context.fits);
    if (source.best.isOk() && isExtrapolation(source.best))
        cautions.push_back(report::extrapolationCaution());
    addReasons(blocks, source, tr("Cautions"), cautions);
}

void addQuestion(BlockList& blocks, const ReportSource& source)
{
    const study::Study& study = source.study();
    blocks.heading(tr("Factors and responses"));
    blocks.table(report::makeFactorTable(study));
    QStringList fixed;
    for (const auto& [name, value] : study.fixed)
        fixed << nameText(name) + QStringLiteral(" ") + QString::fromStdString(study::toText(value));
    if (!fixed.isEmpty())
        blocks.paragraph(tr("Held fixed: %1.").arg(fixed.join(QStringLiteral(", "))),
                         ParagraphBlock::Kind::Small);
    for (const std::string& constraint : study.constraints)
        blocks.paragraph(tr("Only where %1.").arg(QString::fromStdString(constraint)),
                         ParagraphBlock::Kind::Small);
    blocks.table(report::makeResponseTable(study));
}

void addRuns(BlockList& blocks, const ReportSource& source)
{
    blocks.heading(tr("Runs"));
    if (source.study().runs.empty())
        blocks.paragraph(tr("This study has no runs yet."));
    else
        blocks.table(report::makeRunTable(source.study()));
}

void addStepsAndPictures(BlockList& blocks, const ReportSource& source)
{
    blocks.heading(tr("Data quality"), 2);
    blocks.paragraph(dataQuality(source));
    QStringList steps;
    for (const std::string& step :
         report::findNextSteps(source.study(), source.context.fits, source.best, source.confirmations))
        steps << QString::fromStdString(step);
    blocks.heading(tr("What to do next"), 2);
    blocks.bullets(steps);
    if (source.best.isOk()) {
        addProfiler(blocks, source, kTallestInSummary);
        addParetoCharts(blocks, source);
        addTradeOff(blocks, source);
    }
}

void addCoefficients(BlockList& blocks, const ReportSource& source)
{
    if (std::ranges::none_of(source.context.fits, &model::Fit::isOk))
        return;
    blocks.heading(tr("Models"));
    blocks.table(report::makeJointFitTable(source.context.fits));
    blocks.table(report::makeJointCoefficientTable(source.context.fits));
    blocks.table(report::makeResidualCorrelationTable(source.context.fits));
}

void addModelInBrief(BlockList& blocks, const ReportSource& source, const model::Fit& fit)
{
    blocks.heading(nameWithUnit(fit.response, fit.unit), 1, true);
    blocks.paragraph(QString::fromStdString(report::judgeFit(fit).sentence), ParagraphBlock::Kind::Lead);
    if (!fit.isOk())
        return;
    if (source.shows(Section::Diagnostics))
        blocks.table(findingsTable({}, urgent(report::findInFit(fit))));
    if (source.shows(Section::Models))
        addEquation(blocks, fit, tr("Equation in actual units"));
    if (source.shows(Section::Plots))
        addModelPlots(blocks, source, fit);
}

} // namespace quadric::widgets
