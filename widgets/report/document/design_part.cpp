// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/design_tables.h"
#include "widgets/design/quality/alias_view.h"
#include "widgets/design/quality/quality_card.h"
#include "widgets/design/quality/quality_panel.h"
#include "widgets/design/quality/words.h"
#include "widgets/report/document/report_parts.h"
#include "widgets/text/translate.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr double kPictureHeight = 280.0;
constexpr double kTallestMap = 620.0;
constexpr double kPixelsPerTerm = 26.0; ///< of the map of correlations: room for a name
constexpr double kAroundMap = 60.0;     ///< its legend and margins
constexpr double kLowestMap = 0.85;     ///< below that names have no room

TextTable qualityTable(const design::Evaluation& evaluation)
{
    TextTable table;
    table.caption = tr("Quality of the design");
    table.columns = {{tr("Measure"), {}, false}, {tr("Value"), {}, false}, {tr("Meaning"), {}, false}};
    for (const QualityFact& fact : qualityFacts(evaluation))
        table.rows.push_back({fact.name, fact.value, fact.explanation});
    return table;
}

TextTable captioned(TextTable table, const QString& caption)
{
    table.caption = caption;
    return table;
}

void addQualityTables(BlockList& blocks, const design::Evaluation& evaluation)
{
    blocks.table(qualityTable(evaluation));
    blocks.table(report::makeCheckTable(evaluation));
}

void addPictures(BlockList& blocks, const ReportSource& source, const design::Evaluation& evaluation)
{
    blocks.figure(source.titled({"design-cube", "design-space"}, kPictureHeight,
                                QString::fromStdString(evaluation.region)));
    if (source.options.extent != Extent::Full)
        return;
    FigureBlock power = source.titled(
        {"power"}, 0.0, tr("The probability of detecting an effect of each term"), FigureBlock::kFixed);
    power.height = std::clamp(power.plots.front()->sizeHint().height() + 20.0, kPictureHeight, kTallestMap);
    blocks.figure(power);
    const double terms = static_cast<double>(evaluation.correlation.rows.size());
    blocks.figure(source.titled(
        {"overlap"}, std::clamp(kPixelsPerTerm * terms + kAroundMap, kPictureHeight, kTallestMap),
        tr("Correlations between terms: 0 is independent, ±1 cannot be separated"), kLowestMap));
}

} // namespace

void addDesign(BlockList& blocks, const ReportSource& source)
{
    const study::Study& study = source.study();
    blocks.heading(tr("Design"));
    if (study.runs.empty())
        return blocks.paragraph(tr("This study has no runs yet."));
    const bool isFull = source.options.extent == Extent::Full;
    blocks.paragraph(designWords(study));
    if (isFull)
        blocks.paragraph(designPurpose(study.design.type));
    const Judgment judgment = judge(study, {});
    if (!judgment.evaluation)
        return blocks.paragraph(judgment.reason);
    for (const QString& remark : qualityRemarks(*judgment.evaluation))
        blocks.paragraph(remark, ParagraphBlock::Kind::Bullet);
    if (isFull)
        addQualityTables(blocks, *judgment.evaluation);
    blocks.paragraph(fractionWords(*judgment.evaluation));
    if (isFull)
        blocks.table(captioned(aliasTable(*judgment.evaluation), tr("Alias structure")));
    if (source.shows(Section::Plots))
        addPictures(blocks, source, *judgment.evaluation);
}

} // namespace quadric::widgets
