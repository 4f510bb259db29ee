// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/summary_page.h"

#include "core/run/recipe/builtin_workload.h"
#include "core/run/recipe/recipe.h"
#include "core/run/recipe/unmentioned_factors.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/design/words.h"
#include "widgets/wizard/forms/knob_offers.h"

#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

/// A range stays on one line.
QString unbroken(QString words)
{
    return words.replace(QLatin1Char(' '), QChar(QChar::Nbsp));
}

/// What a study of the built-in workload asks for that there is not, a sentence each.
QStringList strangeToBuiltin(const study::Study& study)
{
    QStringList sentences;
    try {
        for (const run::BuiltinGap& gap : run::gapsOfBuiltin(study)) {
            const QString why = QString::fromStdString(gap.why);
            sentences << QStringLiteral("⚠ %1%2.").arg(why.left(1).toUpper(), why.mid(1));
        }
    } catch (const run::RecipeError& error) {
        sentences << QStringLiteral("⚠ %1.").arg(QString::fromUtf8(error.what()));
    }
    if (!sentences.isEmpty())
        sentences << SummaryPage::tr("As long as that is so, no run is started.");
    return sentences;
}

QString detailWords(const study::Study& study)
{
    QStringList fixed;
    for (const auto& [name, value] : study.fixed)
        if (!study::findFactor(study, name))
            fixed << QStringLiteral("%1 = %2").arg(QString::fromStdString(name),
                                                   QString::fromStdString(study::toText(value)));
    QStringList sentences;
    if (!fixed.isEmpty())
        sentences << SummaryPage::tr("Held fixed: %1.").arg(fixed.join(QStringLiteral(", ")));
    sentences << strangeToBuiltin(study);
    QStringList unmentioned;
    for (const std::string& name : run::unmentionedFactors(study))
        unmentioned << QString::fromStdString(name);
    if (!unmentioned.isEmpty())
        sentences << SummaryPage::tr("⚠ The command does not mention %1. A program that does not read the "
                                     "environment variable QUADRIC_SETTINGS measures the same whatever the "
                                     "value is.")
                         .arg(formatList(unmentioned));
    return sentences.join(QLatin1Char('\n'));
}

/// "maximize speed", "bring loss to 0.5", "watch memory".
QString goalClause(const study::Response& response)
{
    const QString name = QString::fromStdString(response.name);
    switch (response.goal) {
    case study::Goal::Maximize:
        return SummaryPage::tr("maximize %1").arg(name);
    case study::Goal::Minimize:
        return SummaryPage::tr("minimize %1").arg(name);
    case study::Goal::Target:
        return SummaryPage::tr("bring %1 to %2").arg(name, formatNumber(response.target));
    case study::Goal::None:
        break;
    }
    return SummaryPage::tr("watch %1").arg(name);
}

} // namespace

QString summarySentence(const study::Study& study)
{
    QStringList factors, goals;
    for (const auto& factor : study.factors)
        factors << QStringLiteral("%1 (%2)").arg(QString::fromStdString(factor.name),
                                                 unbroken(rangeWords(factor)));
    for (const auto& response : study.responses)
        goals << goalClause(response);
    return SummaryPage::tr("%1 of a %2 design vary %3, to %4.")
        .arg(formatCount(qint64(study.runs.size()), "run"), designName(study.design.type),
             formatList(factors), formatList(goals));
}

QString durationSentence(const study::Study& study)
{
    if (study.benchmark.workload == "none")
        return SummaryPage::tr("You measure the runs yourself and type in the results.");
    const int pending = study::countRuns(study, study::RunStatus::Pending);
    if (pending == 0)
        return SummaryPage::tr("All runs are done.");
    if (study.benchmark.workload == "command")
        return SummaryPage::tr("Each run may take up to %1; %2 at most.")
            .arg(formatRoughDuration(study.benchmark.timeoutSeconds),
                 formatRoughDuration(pending * study.benchmark.timeoutSeconds));
    const double seconds = expectedSeconds(study);
    return seconds < 0.0 ? QString()
                         : SummaryPage::tr("Expected duration on this machine: about %1.")
                               .arg(formatRoughDuration(seconds));
}

SummaryPage::SummaryPage(QWidget* parent)
    : WizardPage(parent)
    , m_sentence(new QLabel)
    , m_duration(new QLabel)
    , m_details(mutedLabel({}))
{
    QFont large = m_sentence->font();
    large.setPointSizeF(large.pointSizeF() * 1.25);
    m_sentence->setFont(large);
    m_sentence->setWordWrap(true);
    m_sentence->setTextFormat(Qt::PlainText);
    m_duration->setWordWrap(true);
    nameWidget(m_sentence, "summarySentence", tr("Summary"));
    nameWidget(m_details, "summaryDetails", tr("What is held fixed, and what to look at"));
    nameWidget(m_duration, "summaryDuration", tr("Expected duration"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGroupGap);
    layout->addWidget(m_sentence);
    layout->addWidget(m_duration);
    layout->addWidget(m_details);
    layout->addStretch();
}

void SummaryPage::setStudy(const study::Study& study)
{
    m_sentence->setText(summarySentence(study));
    m_duration->setText(durationSentence(study));
    m_details->setText(detailWords(study));
}

} // namespace quadric::widgets
