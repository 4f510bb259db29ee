// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/quality/quality_card.h"

#include "core/report/findings/design_findings.h"
#include "core/report/tables/design_tables.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/text/translate.h"

#include <QGridLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

QString numberText(design::DesignNumber kind, double value)
{
    return QString::fromStdString(report::formatDesignNumber(kind, value));
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
    using design::DesignNumber;
    std::vector<QualityFact> facts{
        {Card::tr("Model"), fromUtf8(e.model),
         Card::tr("The polynomial that these runs are judged for.")},
        {Card::tr("Degrees of freedom"),
         Card::tr("%1 model · %2 lack of fit · %3 pure error")
             .arg(e.dfModel)
             .arg(e.dfLackOfFit)
             .arg(e.dfPureError),
         Card::tr(
             "How many independent facts the runs give: for the model, for testing it, and for the noise.")},
        {Card::tr("D-efficiency"), numberText(DesignNumber::Efficiency, e.dEfficiency),
         Card::tr("How precise all coefficients together are. 100 % is an orthogonal design, which a model "
                  "with squares cannot have: 40 to 50 % is usual then.")},
        {Card::tr("A-efficiency"), numberText(DesignNumber::Efficiency, e.aEfficiency),
         Card::tr("How small the coefficients' errors are on average. 100 % is an orthogonal design, which a "
                  "model with squares cannot have.")},
        {Card::tr("G-efficiency"), numberText(DesignNumber::Efficiency, e.gEfficiency),
         Card::tr(
             "How even the prediction error is; 100 % means no run is predicted worse than the average.")},
        {Card::tr("Mean prediction variance"), numberText(DesignNumber::Variance, e.iValue),
         Card::tr("Average variance of the fitted surface over the region, in units of the noise variance.")},
        {Card::tr("Largest leverage"), numberText(DesignNumber::Plain, e.maxLeverage),
         Card::tr(
             "How strongly the most influential run pulls the model; at 1 the model passes through it.")},
        {Card::tr("Condition number"), numberText(DesignNumber::Plain, e.condition),
         Card::tr("How close the model is to one that cannot be solved; 1 is ideal, hundreds are poor.")}};
    if (!e.vif.empty())
        facts.push_back(
            {Card::tr("Largest VIF"), numberText(DesignNumber::Plain, largestVif(e)),
             Card::tr(
                 "How much correlation with other terms inflates the variance of the worst coefficient; 1 is "
                 "none, above 10 is poor.")});
    if (!e.power.empty())
        facts.push_back(
            {Card::tr("Lowest power (%1σ effect, α = 5 %)").arg(formatNumber(e.power.front().effectSd)),
             numberText(DesignNumber::Power, smallestPower(e)),
             Card::tr(
                 "Probability to find an effect of this many noise standard deviations, for the term with "
                 "the lowest.")});
    return facts;
}

QualityCard::QualityCard(QWidget* parent)
    : QWidget(parent)
    , m_message(mutedLabel({}))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGap);
    layout->addWidget(m_message);
    layout->addStretch();
    empty();
    nameWidget(m_message, "qualityMessage", tr("Remarks"));
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
    delete m_box;
    m_box = new QWidget;
    m_rows = new QGridLayout(m_box);
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setHorizontalSpacing(kGroupGap);
    m_rows->setVerticalSpacing(kGap / 2);
    m_rows->setColumnStretch(0, 1);
    m_rows->setColumnStretch(1, 1);
    static_cast<QVBoxLayout*>(layout())->insertWidget(1, m_box);
}

void QualityCard::addRow(const QString& name, const QString& value, const QString& explanation)
{
    auto* label = mutedLabel(name);
    auto* number = new QLabel(value);
    label->setToolTip(explanation);
    number->setToolTip(explanation);
    number->setWordWrap(true);
    number->setAccessibleName(name);
    const int row = m_rows->rowCount();
    m_rows->addWidget(label, row, 0, Qt::AlignTop);
    m_rows->addWidget(number, row, 1, Qt::AlignTop);
}

void QualityCard::addCheck(const design::Check& check)
{
    const QString name = fromUtf8(check.name);
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
    grid->addWidget(mark, 0, 0, Qt::AlignTop);
    grid->addWidget(label, 0, 1);
    grid->addWidget(detail, 1, 1);
    m_rows->addWidget(box, m_rows->rowCount(), 0, 1, 2);
}

} // namespace quadric::widgets
