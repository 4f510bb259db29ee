// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/evidence.h"
#include "core/report/tables/study_tables.h"
#include "core/text/numbers.h"
#include "widgets/base/theme.h"
#include "widgets/report/report_parts.h"
#include "widgets/text/translate.h"
#include "widgets/text/wording.h"

namespace quadric::widgets {

namespace {

QString roundingText()
{
    return tr(
        "± is a 95 % interval unless a table says otherwise. Estimates carry two digits of their standard "
        "error, p two digits (beyond 0.0001 and 0.99 the bound alone), t, F and VIF two decimals, R² three; "
        "settings six digits, all other numbers four significant digits.");
}

void addPredictions(BlockList& blocks, const ReportSource& source)
{
    for (const optimize::ResponseAtOptimum& at : source.best.responses) {
        const study::Response* response = study::findResponse(source.study(), at.response);
        if (response == nullptr || response->goal == study::Goal::None)
            continue;
        blocks.paragraph(tr("%1: expect %2 in a new run (goal: %3).")
                             .arg(nameText(at.response), predictionText(at.predicted, response->unit),
                                  goalText(*response)),
                         ParagraphBlock::Kind::Bullet);
    }
    blocks.paragraph(tr("Overall desirability D = %1, where 1 would meet every goal in full.")
                         .arg(desirabilityText(source.best.overall)));
}

void addReasons(BlockList& blocks, const QString& title, const std::vector<std::string>& reasons)
{
    if (reasons.empty())
        return;
    QStringList texts;
    for (const std::string& reason : reasons)
        texts << QString::fromStdString(reason);
    blocks.heading(title, 2);
    blocks.bullets(texts);
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
    blocks.paragraph(QString::fromStdString(study.description), ParagraphBlock::Kind::Lead);
    blocks.paragraph(tr("%1, %2, %3 of %4 runs done.")
                         .arg(formatCount(std::ssize(study.factors), "factor"),
                              formatCount(std::ssize(study.responses), "response"))
                         .arg(study::countRuns(study, study::RunStatus::Done))
                         .arg(study.runs.size()),
                     ParagraphBlock::Kind::Small);
    blocks.paragraph(roundingText(), ParagraphBlock::Kind::Small);
}

void addSummary(BlockList& blocks, const ReportSource& source)
{
    blocks.heading(tr("Summary"));
    if (source.best.isOk()) {
        blocks.paragraph(
            tr("Use %1.").arg(settingsText(source.study(), source.best.settings, source.best.indifferent)),
            ParagraphBlock::Kind::Lead);
        addPredictions(blocks, source);
    } else {
        blocks.paragraph(noAnswerText(source.best));
    }
    for (const optimize::Confirmation& confirmation : source.confirmations)
        addVerdict(blocks, source.study(), confirmation);
    addReasons(blocks, tr("Evidence for"), report::findEvidence(source.study(), source.context.fits));
    std::vector<std::string> cautions = report::findCautions(source.study(), source.context.fits);
    if (source.best.isOk() && isExtrapolation(source.best))
        cautions.push_back(report::extrapolationCaution());
    addReasons(blocks, tr("Cautions"), cautions);
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

} // namespace quadric::widgets
