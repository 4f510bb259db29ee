// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/fit_findings.h"
#include "core/report/tables/joint_tables.h"
#include "widgets/report/document/findings_table.h"
#include "widgets/report/document/report_parts.h"
#include "widgets/text/translate.h"
#include "widgets/text/wording.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

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
        blocks.table(findingsTable({}, urgent(report::findInModel(fit, source.scalesOf(fit)))));
    if (source.shows(Section::Models))
        addEquation(blocks, fit, tr("Equation in actual units"));
    if (source.shows(Section::Plots))
        addModelPlots(blocks, source, fit);
}

} // namespace quadric::widgets
