// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/model_candidates.h"
#include "core/model/select/boxcox.h"
#include "core/plan/words/cluster_tables.h"
#include "core/report/equation.h"
#include "core/report/findings/fit_findings.h"
#include "core/report/findings/reading.h"
#include "core/report/tables/model_tables.h"
#include "core/report/tables/run_tables.h"
#include "core/study/shown_study.h"
#include "core/text/numbers.h"
#include "widgets/base/theme.h"
#include "widgets/plots/panel/panel_plot.h"
#include "widgets/report/document/report_parts.h"
#include "widgets/text/wording.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr double kParetoRowHeight = 20.0;
constexpr double kPairHeight = 280.0;
constexpr double kEffectsRow = 205.0; ///< three factors, or pairs of factors, beside each other
constexpr double kTallestPlot = 840.0;
constexpr double kResidualHeight = 470.0;
constexpr double kSurfaceHeight = 290.0; ///< three of them fill a page
constexpr std::size_t kMostSurfaces = 3; ///< pairs of factors that are drawn as surfaces
/// Responses with plots of their own: fifteen pictures each.
constexpr std::size_t kMostPlotted = 20;
constexpr std::size_t kPanelsPerRow = 3;
constexpr double kLegendRoom = 20.0; ///< above the first of several rows
constexpr double kHeaderRoom = 36.0; ///< for the response and what the other factors are held at
constexpr double kLowestRow = 0.8;   ///< of its height: in less room the panels would become flat
constexpr double kLowestResiduals = 0.85;
constexpr double kLowestPareto = 0.92; ///< in less room some bars would be left out

void addSentences(BlockList& blocks, const std::vector<std::string>& sentences)
{
    blocks.paragraph(QString::fromStdString(report::joinSentences(sentences)));
}

void addBoxCox(BlockList& blocks, const model::Fit& fit)
{
    if (const auto profile = model::boxCox(fit))
        blocks.paragraph(tr("Box–Cox: the likeliest power of the response is %1 (95 % interval %2 to %3).")
                             .arg(formatNumber(profile->lambda),
                                  profile->low ? formatNumber(*profile->low) : tr("below −5"),
                                  profile->high ? formatNumber(*profile->high) : tr("above 5")));
}

void addNumbers(BlockList& blocks, const model::Fit& fit)
{
    blocks.table(report::makeFitTable(fit));
    blocks.table(findingsTable(tr("Report card"), report::foldPassed(report::findInFit(fit))));
    blocks.table(report::makeOrderTable(model::compareOrders(fit)));
    blocks.table(report::makeAnovaTable(fit));
    addSentences(blocks, report::readAnova(fit));
    blocks.table(report::makeTermTable(fit));
    blocks.table(report::makeCoefficientTable(fit));
    addSentences(blocks, report::readCoefficients(fit));
    blocks.table(report::makeActualCoefficientTable(fit));
    addEquation(blocks, fit, tr("Equation: %1").arg(QString::fromStdString(report::describeEquation(fit))));
    blocks.table(report::makeEffectTable(fit));
    addBoxCox(blocks, fit);
}

/// Where the factors are held that a view does not show.
QString heldText(const ReportSource& source)
{
    return settingsText(source.study(), study::readSlice(source.study()));
}

/// Each row of panels a figure of its own, so that a page may end between two of them.
void addRows(BlockList& blocks, const std::shared_ptr<Plot>& plot, const QString& introduction)
{
    const auto panels = std::dynamic_pointer_cast<PanelPlot>(plot);
    const auto rows =
        panels ? panels->splitIntoRows(kPanelsPerRow) : std::vector<std::shared_ptr<PanelPlot>>{};
    if (rows.empty())
        return blocks.figure({{plot}, {}, kEffectsRow, introduction});
    blocks.introduction(introduction);
    for (const auto& row : rows) {
        const double legend = row->board().legend.empty() ? 0.0 : kLegendRoom;
        const double header = row->board().title.isEmpty() ? 0.0 : kHeaderRoom;
        blocks.figure({{row}, {}, kEffectsRow + header + legend, {}, kLowestRow});
    }
}

/// The view and its table; nothing where no factor is the number of GPUs.
void addSpeedUp(BlockList& blocks, const ReportSource& source, const model::Fit& fit)
{
    const study::Study& study = source.study();
    const plan::SpeedUp speedUp =
        plan::computeSpeedUp(study, fit, study::Coding(study.factors).toCoded(study::readSlice(study)));
    if (speedUp.runs.empty())
        return;
    blocks.figure({{source.gallery.plot({"speed-up", {fit.response}})},
                   {},
                   kPairHeight,
                   tr("Speed-up over GPUs, the other factors at %1; the straight line is ideal")
                       .arg(heldText(source))});
    blocks.table(plan::makeSpeedUpTable(speedUp));
}

void addPlots(BlockList& blocks, const ReportSource& source, const model::Fit& fit)
{
    const auto plot = [&source, &fit](const char* kind) {
        return source.gallery.plot({kind, {fit.response}});
    };
    const double pareto =
        std::clamp(100.0 + kParetoRowHeight * static_cast<double>(fit.effects.size()), 200.0, kTallestPlot);
    blocks.figure({{plot("pareto")},
                   {},
                   pareto,
                   tr("Pareto chart of the effects on %1").arg(nameText(fit.response)),
                   kLowestPareto});
    blocks.figure(
        {{plot("half-normal")}, {}, kPairHeight, tr("Sizes of the effects against those of pure noise")});
    addRows(blocks, plot("main-effects"),
            tr("Main effects with 95 % bands, the other factors at %1; points are means of the runs, "
               "adjusted to the same settings of the others")
                .arg(heldText(source)));
    FigureBlock moves{
        {plot("perturbation")}, {}, kPairHeight, tr("One factor at a time, from %1").arg(heldText(source))};
    if (fit.factors.size() > 2) {
        moves.plots.push_back(plot("cube"));
        moves.caption = tr("Left: one factor at a time, from %1. Right: predictions at the corners of the "
                           "three factors that explain most")
                            .arg(heldText(source));
    }
    blocks.figure(moves);
    addRows(
        blocks, plot("by-level"),
        tr("Observed values by level: median, quartiles, whiskers to 1.5 interquartile ranges, and runs"));
    blocks.table(report::makeLevelTable(model::summarizeLevels(source.study(), fit.response)));
    if (fit.response == plan::speedUpResponse(source.study()))
        addSpeedUp(blocks, source, fit);
    if (fit.factors.size() > 1)
        addRows(blocks, plot("interactions"),
                tr("Interactions: factors whose lines are not parallel depend on each other; of many pairs "
                   "those with a significant interaction"));
}

void addResidualPlots(BlockList& blocks, const ReportSource& source, const model::Fit& fit)
{
    const auto plot = [&source, &fit](const char* kind) {
        return source.gallery.plot({kind, {fit.response}});
    };
    blocks.figure({{plot("residuals")}, {}, kResidualHeight, tr("Residual plots"), kLowestResiduals});
    blocks.figure({{plot("predicted"), plot("box-cox")},
                   {},
                   kPairHeight,
                   tr("Left: predicted vs. observed, one point per run. Right: how well each power of the "
                      "response suits the model")});
}

/// The plots of the response are asked for, and it is not one of so many that only numbers are told.
bool showsPlots(const ReportSource& source)
{
    return source.shows(Section::Plots) && source.context.fits.size() <= kMostPlotted;
}

} // namespace

void addEquation(BlockList& blocks, const model::Fit& fit, const QString& introduction)
{
    constexpr std::size_t kLongest = 1500; // longer ones are what the table is for
    const std::string equation = report::writeEquation(fit);
    if (equation.size() > kLongest)
        return;
    blocks.introduction(introduction);
    blocks.paragraph(QString::fromStdString(equation), ParagraphBlock::Kind::Small);
}

std::vector<std::size_t> leadingFactors(const model::Fit& fit)
{
    std::vector<std::size_t> numeric;
    for (std::size_t i = 0; i < fit.factors.size(); ++i)
        if (fit.factors[i].isNumeric())
            numeric.push_back(i);
    const auto weight = [&fit](std::size_t factor) {
        const auto found =
            std::ranges::find(fit.importance, fit.factors[factor].name, &model::Importance::factor);
        return found == fit.importance.end() ? 0.0 : found->total;
    };
    std::ranges::stable_sort(numeric, std::ranges::greater{}, weight);
    return numeric;
}

void addSurface(BlockList& blocks, const ReportSource& source, const model::Fit& fit, std::size_t x,
                std::size_t y, double height)
{
    const std::vector<std::string> axes{fit.factors[x].name, fit.factors[y].name};
    const QString caption =
        tr("%1 over %2 and %3").arg(nameText(fit.response), nameText(axes[0]), nameText(axes[1]));
    blocks.figure({{source.gallery.plot({"surface", {fit.response}, axes}),
                    source.gallery.plot({"contour", {fit.response}, axes})},
                   {},
                   height,
                   caption});
}

void addModel(BlockList& blocks, const ReportSource& source, const model::Fit& fit)
{
    blocks.heading(nameWithUnit(fit.response, fit.unit), 1, true);
    blocks.paragraph(QString::fromStdString(report::judgeFit(fit).sentence), ParagraphBlock::Kind::Lead);
    if (!fit.isOk() || !source.shows(Section::Models))
        return;
    if (source.shows(Section::Plots) && !showsPlots(source))
        blocks.paragraph(
            tr("Plots are drawn for at most %1 responses; this study has %2. quadric plot draws those "
               "of one response.")
                .arg(kMostPlotted)
                .arg(source.context.fits.size()),
            ParagraphBlock::Kind::Small);
    blocks.heading(tr("The model"), 2);
    addNumbers(blocks, fit);
}

void addEffectPlots(BlockList& blocks, const ReportSource& source, const model::Fit& fit)
{
    if (!fit.isOk() || !showsPlots(source))
        return;
    blocks.heading(tr("What the factors do"), 2);
    addPlots(blocks, source, fit);
}

void addSurfaces(BlockList& blocks, const ReportSource& source, const model::Fit& fit)
{
    if (!fit.isOk() || !showsPlots(source))
        return;
    const std::vector<std::size_t> factors = leadingFactors(fit);
    std::size_t drawn = 0;
    for (std::size_t second = 1; second < factors.size(); ++second)
        for (std::size_t first = 0; first < second && drawn < kMostSurfaces; ++first, ++drawn)
            addSurface(blocks, source, fit, std::min(factors[first], factors[second]),
                       std::max(factors[first], factors[second]), kSurfaceHeight);
}

void addDiagnostics(BlockList& blocks, const ReportSource& source, const model::Fit& fit)
{
    if (!fit.isOk() || !source.shows(Section::Diagnostics))
        return;
    blocks.heading(tr("Diagnostics"), 2);
    blocks.table(report::makeResidualTestTable(fit));
    if (showsPlots(source))
        addResidualPlots(blocks, source, fit);
    blocks.table(report::makeCaseTable(fit));
}

} // namespace quadric::widgets
