// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/views/variation_column.h"

#include "widgets/base/typed_setting.h"
#include "widgets/base/value_field.h"
#include "widgets/text/wording.h"

#include <QGridLayout>
#include <QLabel>

#include <algorithm>
#include <iterator>

namespace quadric::widgets {

VariationColumn::VariationColumn(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(4);
    auto* title = new QLabel(tr("Settings vary by (std. dev.)"), this);
    title->setToolTip(tr("How far a setting in use is from its value: a standard deviation for each numeric "
                         "factor, all independent and normal. The probabilities include it."));
    m_grid->addWidget(title, 0, 0, 1, 2);
}

void VariationColumn::setVariation(const study::Study& study)
{
    std::vector<study::Factor> numeric;
    std::ranges::copy_if(study.factors, std::back_inserter(numeric), &study::Factor::isNumeric);
    if (numeric != m_factors) {
        m_factors = std::move(numeric);
        makeRows();
    }
    const optimize::Variation sds = optimize::variationOf(study);
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const auto found = sds.find(m_factors[i].name);
        const double sd = found == sds.end() ? 0.0 : found->second;
        m_rows[i].value->setValue(sd > 0.0 ? valueText(m_factors[i], sd) : tr("exact"),
                                  QString::fromStdString(study::toText(sd)));
    }
}

void VariationColumn::makeRows()
{
    for (const Row& row : m_rows) {
        delete row.name;
        delete row.value;
    }
    m_rows.clear();
    for (const study::Factor& factor : m_factors) {
        const int line = static_cast<int>(m_rows.size()) + 1;
        Row& row = m_rows.emplace_back();
        row.name = new QLabel(nameText(factor.name), this);
        row.value = new ValueField(this);
        row.value->setAccessibleName(tr("Standard deviation of %1").arg(nameText(factor.name)));
        row.value->setFixedWidth(fontMetrics().horizontalAdvance(QStringLiteral("00 000 images")));
        row.value->setTaker([this, factor](const QString& typed) { return take(factor, typed); });
        m_grid->addWidget(row.name, line, 0);
        m_grid->addWidget(row.value, line, 1);
    }
    m_grid->setRowStretch(static_cast<int>(m_rows.size()) + 1, 1);
}

QString VariationColumn::take(const study::Factor& factor, const QString& typed)
{
    const std::optional<double> sd = typed.isEmpty() ? 0.0 : typedQuantity(typed, factor.unit);
    if (!sd || *sd < 0.0)
        return tr("expected a standard deviation of 0 or more");
    emit deviationRequested(QString::fromStdString(factor.name), *sd);
    return {};
}

} // namespace quadric::widgets
