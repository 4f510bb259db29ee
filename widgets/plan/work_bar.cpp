// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/work_bar.h"

#include "core/plan/job_records.h"
#include "widgets/base/labeled_chooser.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/base/typed_setting.h"
#include "widgets/base/value_field.h"
#include "widgets/plan/deadline_plot.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr const char* kPerUnit = "per-unit";
constexpr const char* kUsualAmount = "000 000 000"; ///< which has room while another is typed
constexpr int kFieldMargins = 8;                    ///< that a field keeps beside its text
constexpr int kWidestChooser = 18;                  ///< in heights of a line of text

} // namespace

WorkBar::WorkBar(QWidget* parent)
    : QWidget(parent)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGap);
    m_response = addLabeledChooser(*row, tr("Response"), this);
    m_response->setObjectName(QStringLiteral("planResponse"));
    m_response->setMaximumWidth(kWidestChooser * fontMetrics().height());
    m_response->setToolTip(tr("The time or the speed that says how long the work takes."));
    m_kind = new QComboBox(this);
    m_kind->setObjectName(QStringLiteral("planKind"));
    m_kind->setAccessibleName(tr("What the time is of"));
    m_kind->setToolTip(
        tr("What the time is of: all of the work, or a unit of it, such as an epoch or a step."));
    m_kind->addItem(tr("is the time of all work"), QString());
    m_kind->addItem(tr("is the time of a unit of work"), QLatin1String(kPerUnit));
    row->addWidget(m_kind);
    m_amount = addField(tr("Amount of work"), tr("How many images, tokens, epochs or steps are to be done."),
                        QString::fromLatin1(kUsualAmount));
    m_amountName = findChild<QLabel*>(tr("Amount of work"));
    m_fixed = addField(tr("Fixed time"),
                       tr("Time before and after what is measured: start-up, loading, checkpoints."),
                       QStringLiteral("00 min 00 s"));
    row->addStretch(0); // has what the chooser leaves
    m_amount->setTaker([this](const QString& typed) { return takeAmount(typed); });
    m_fixed->setTaker([this](const QString& typed) { return takeFixed(typed); });
    connect(m_response, &QComboBox::activated, this, [this] {
        plan::PlanChoices choices = m_source.choices;
        choices.response = m_response->currentData().toString().toStdString();
        choices.amount.reset();
        emit choicesChanged(choices, tr("Response that is planned with"));
    });
    connect(m_kind, &QComboBox::activated, this, [this] {
        plan::PlanChoices choices = m_source.choices;
        choices.work = m_kind->currentData().toString().toStdString();
        emit choicesChanged(choices, tr("What the time is of"));
    });
}

ValueField* WorkBar::addField(const QString& name, const QString& tooltip, const QString& widest)
{
    auto* caption = new QLabel(name, this);
    caption->setObjectName(name);
    auto* field = new ValueField(this);
    field->setAccessibleName(name);
    field->setToolTip(tooltip + QLatin1Char(' ') + field->toolTip());
    field->setFixedWidth(widthOf(widest));
    caption->setBuddy(field);
    layout()->addWidget(caption);
    layout()->addWidget(field);
    return field;
}

int WorkBar::widthOf(const QString& text) const
{
    return fontMetrics().horizontalAdvance(text) + kFieldMargins;
}

QString WorkBar::takeAmount(const QString& typed)
{
    const auto amount = typedQuantity(typed, unitOfAmount(*m_source.fit()).toStdString());
    if (!amount || !(*amount > 0.0))
        return tr("expected a number above 0");
    plan::PlanChoices choices = m_source.choices;
    choices.amount = *amount;
    emit choicesChanged(choices, tr("Amount of work"));
    return {};
}

QString WorkBar::takeFixed(const QString& typed)
{
    const auto seconds = plan::readSpan(typed.simplified().toStdString());
    if (!seconds)
        return tr("expected a time such as 90 s, 5 min or 1 h");
    plan::PlanChoices choices = m_source.choices;
    choices.fixedSeconds = *seconds;
    emit choicesChanged(choices, tr("Fixed time"));
    return {};
}

void WorkBar::fillChoosers()
{
    const QSignalBlocker quiet(m_response), quietToo(m_kind);
    m_response->clear();
    for (const model::Fit& fit : m_source.context->decidingFits())
        if (plan::tellsTime(fit))
            m_response->addItem(nameWithUnit(fit.response, fit.unit), QString::fromStdString(fit.response));
    m_response->setCurrentIndex(m_response->findData(QString::fromStdString(m_source.fit()->response)));
    m_kind->setCurrentIndex(std::max(0, m_kind->findData(QString::fromStdString(m_source.choices.work))));
}

void WorkBar::showWork(const PlanSource& source)
{
    m_source = source;
    if (m_source.fit() == nullptr)
        return;
    fillChoosers();
    const plan::Work work = plan::workOf(*m_source.fit(), m_source.choices);
    m_kind->setVisible(work.kind != plan::WorkKind::Speed);
    m_amountName->setVisible(work.kind != plan::WorkKind::Whole);
    m_amount->setVisible(work.kind != plan::WorkKind::Whole);
    const QString amount = amountText(*m_source.fit(), work.amount);
    m_amount->setFixedWidth(std::max(widthOf(amount), widthOf(QString::fromLatin1(kUsualAmount))));
    m_amount->setValue(amount, formatNumber(work.amount));
    const QString fixed = work.fixedSeconds > 0.0 ? formatDuration(work.fixedSeconds) : QStringLiteral("0 s");
    m_fixed->setValue(fixed, fixed);
}

} // namespace quadric::widgets
