// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/views/summary_view.h"

#include "core/model/fit/model_summary.h"
#include "core/model/select/repeated_validation.h"
#include "core/report/tables/model_tables.h"
#include "widgets/base/theme.h"
#include "widgets/text/fit_statistics.h"
#include "widgets/text/wording.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

constexpr int kUsualFolds = 10;
constexpr int kMostShownFolds = 100;

QString shareText(double share)
{
    return QString::number(share, 'f', 3);
}

/// What a cross-validation says, in one sentence.
QString validationText(const model::RepeatedValidation& validation, const std::string& unit)
{
    if (!validation.isOk())
        return QString::fromStdString(validation.message) +
               SummaryView::tr(" Choose another number of folds or a smaller model.");
    const QString error = formatNumber(validation.error, validation.errorSd) +
                          (unit.empty() ? QString() : QLatin1Char(' ') + QString::fromStdString(unit));
    QString text = SummaryView::tr("Error for runs left out %1 (std. dev. %2 over %3 divisions into folds)")
                       .arg(error, formatNumber(validation.errorSd))
                       .arg(validation.repeats);
    if (validation.r2)
        text +=
            SummaryView::tr(", R² %1 (%2 to %3)")
                .arg(shareText(*validation.r2), shareText(*validation.r2Low), shareText(*validation.r2High));
    return text + SummaryView::tr(". Runs with the same settings stay together; terms are kept.");
}

} // namespace

SummaryView::SummaryView()
    : TableView(
          [](const study::Study&, const model::Fit& fit) {
              return withColumnAt(report::makeOrderTable(model::compareOrders(fit)), "r2_pred", 1);
          },
          [](const model::Fit&) { return QString(); })
    , m_folds(new QSpinBox)
    , m_outcome(new QLabel)
{
    m_folds->setRange(2, kMostShownFolds);
    m_folds->setValue(kUsualFolds);
    m_folds->setObjectName(QStringLiteral("folds"));
    m_folds->setAccessibleName(tr("Folds of the cross-validation"));
    m_outcome->setObjectName(QStringLiteral("validation"));
    m_outcome->setWordWrap(true);
    m_outcome->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* caption = new QLabel(tr("Cross-validation folds"));
    caption->setBuddy(m_folds);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(caption);
    row->addWidget(m_folds);
    row->addStretch(1);
    auto* whole = static_cast<QVBoxLayout*>(layout());
    whole->addLayout(row);
    whole->addWidget(m_outcome);
    connect(m_folds, &QSpinBox::valueChanged, this, &SummaryView::validate);
}

void SummaryView::showFit(const study::Study& study, const model::Fit& fit)
{
    TableView::showFit(study, fit);
    m_fit = fit;
    validate();
}

void SummaryView::validate()
{
    m_folds->setEnabled(m_fit.isOk());
    m_outcome->setText(m_fit.isOk()
                           ? validationText(model::repeatValidation(m_fit, m_folds->value()), m_fit.unit)
                           : QString());
}

} // namespace quadric::widgets
