// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/quality/quality_card.h"

#include "core/report/findings/design_findings.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"

#include <QFormLayout>
#include <QGridLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

QString wholePercent(double value)
{
    return QStringLiteral("%1 %").arg(QString::number(value, 'f', 0));
}

double largestVif(const design::Evaluation& evaluation)
{
    double largest = 0.0;
    for (const auto& [term, vif] : evaluation.vif)
        largest = std::max(largest, vif);
    return largest;
}

double smallestPower(const design::Evaluation& evaluation)
{
    double smallest = 1.0;
    for (const auto& row : evaluation.power)
        smallest = std::min(smallest, row.power);
    return smallest;
}

} // namespace

QStringList qualityRemarks(const design::Evaluation& evaluation)
{
    QStringList lines;
    for (const report::Finding& finding : report::findInDesign(evaluation))
        lines << QString::fromStdString(finding.sentence);
    return lines;
}

std::vector<QualityFact> qualityFacts(const design::Evaluation& e)
{
    using Card = QualityCard;
    std::vector<QualityFact> facts{
        {Card::tr("Model"), QString::fromStdString(e.model),
         Card::tr("The polynomial that these runs are judged for.")},
        {Card::tr("Degrees of freedom"),
         Card::tr("%1 model · %2 lack of fit · %3 pure error")
             .arg(e.dfModel)
             .arg(e.dfLackOfFit)
             .arg(e.dfPureError),
         Card::tr(
             "How many independent facts the runs give: for the model, for testing it, and for the noise.")},
        {Card::tr("D-efficiency"), wholePercent(e.dEfficiency),
         Card::tr(
             "How tightly all coefficients together are pinned down; 100 % is an ideal orthogonal design.")},
        {Card::tr("A-efficiency"), wholePercent(e.aEfficiency),
         Card::tr("How small the coefficients' errors are on average; 100 % is an ideal orthogonal design.")},
        {Card::tr("G-efficiency"), wholePercent(e.gEfficiency),
         Card::tr(
             "How even the prediction error is; 100 % means no run is predicted worse than the average.")},
        {Card::tr("Mean prediction variance"), formatNumber(e.iValue) + QStringLiteral(" σ²"),
         Card::tr("Average variance of the fitted surface over the region, in units of the noise variance.")},
        {Card::tr("Largest leverage"), formatNumber(e.maxLeverage),
         Card::tr(
             "How strongly the most influential run pulls the model; 1 means that run is fitted blindly.")},
        {Card::tr("Condition number"), formatNumber(e.condition),
         Card::tr("How close the model is to one that cannot be solved; 1 is ideal, hundreds are poor.")}};
    if (!e.vif.empty())
        facts.push_back(
            {Card::tr("Largest VIF"), formatNumber(largestVif(e)),
             Card::tr(
                 "How much the worst coefficient suffers from overlap with the others; 1 is none, above 10 "
                 "is poor.")});
    if (!e.power.empty())
        facts.push_back(
            {Card::tr("Power for %1σ").arg(formatNumber(e.power.front().effectSd)),
             formatPower(smallestPower(e)),
             Card::tr(
                 "Chance to notice an effect of this many noise standard deviations, for the hardest term, "
                 "at the "
                 "5 % level.")});
    return facts;
}

QualityCard::QualityCard(QWidget* parent)
    : QWidget(parent)
    , m_message(mutedLabel({}))
    , m_rows(new QFormLayout)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGap);
    layout->addWidget(m_message);
    layout->addLayout(m_rows);
    layout->addStretch();
    m_rows->setHorizontalSpacing(kGroupGap);
    m_rows->setVerticalSpacing(kGap / 2);
    m_rows->setLabelAlignment(Qt::AlignLeft);
    m_rows->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    nameWidget(m_message, "qualityMessage", tr("What deserves a look"));
    nameWidget(this, "qualityCard", tr("Quality of the design"));
}

void QualityCard::setEvaluation(const design::Evaluation& e)
{
    empty();
    const QString message = qualityRemarks(e).join(QLatin1Char('\n'));
    m_message->setVisible(!message.isEmpty());
    m_message->setText(message);
    for (const QualityFact& fact : qualityFacts(e))
        addRow(fact.name, fact.value, fact.explanation);
    for (const auto& check : e.checks)
        addCheck(check);
}

void QualityCard::clear(const QString& reason)
{
    empty();
    m_message->setText(reason);
    m_message->show();
}

void QualityCard::empty()
{
    while (m_rows->rowCount() > 0)
        m_rows->removeRow(0);
}

void QualityCard::addRow(const QString& name, const QString& value, const QString& explanation)
{
    auto* label = mutedLabel(name);
    auto* number = new QLabel(value);
    label->setWordWrap(false);
    label->setToolTip(explanation);
    number->setToolTip(explanation);
    number->setWordWrap(true);
    number->setAccessibleName(name);
    m_rows->addRow(label, number);
}

void QualityCard::addCheck(const design::Check& check)
{
    const QString name = QString::fromStdString(check.name);
    auto* box = new QWidget;
    auto* mark = new QLabel(check.ok ? QStringLiteral("✓") : QStringLiteral("✗"));
    auto* label = new QLabel(name);
    auto* detail = mutedLabel(QString::fromStdString(check.detail));
    label->setWordWrap(true);
    label->setAccessibleName(check.ok ? tr("%1: true").arg(name) : tr("%1: not true").arg(name));
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(kGap);
    grid->setVerticalSpacing(0);
    grid->setColumnStretch(1, 1);
    grid->addWidget(mark, 0, 0);
    grid->addWidget(label, 0, 1);
    grid->addWidget(detail, 1, 1);
    m_rows->addRow(box);
}

void showQuality(QualityCard& card, const study::Study& study)
{
    try {
        card.setEvaluation(design::evaluate(study));
    } catch (const std::exception& error) {
        card.clear(QString::fromStdString(error.what()));
    }
}

} // namespace quadric::widgets
