// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_views.h"
#include "widgets/report/document/report_parts.h"
#include "widgets/text/translate.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr double kPlanFigure = 260.0, kLowestPlanFigure = 0.7;
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
