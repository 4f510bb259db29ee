// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/settings_column.h"

#include "widgets/base/style.h"
#include "widgets/explore/views/factor_sliders.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

SettingsColumn::SettingsColumn(QWidget* parent)
    : QWidget(parent)
    , m_sliders(new FactorSliders(this))
    , m_fastest(linkButton(tr("Use the &fastest settings"), this))
{
    auto* title = new QLabel(tr("Settings"), this);
    QFont bold = title->font();
    bold.setWeight(QFont::DemiBold);
    title->setFont(bold);
    m_fastest->setObjectName(QStringLiteral("fastestSettings"));
    m_fastest->setToolTip(tr("The settings that can be run at which the model predicts the fastest run."));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(title);
    layout->addWidget(m_sliders);
    layout->addWidget(m_fastest, 0, Qt::AlignLeft);
    connect(m_sliders, &FactorSliders::valueHeld, this, &SettingsColumn::settingHeld);
    connect(m_fastest, &QPushButton::clicked, this, &SettingsColumn::fastestRequested);
}

void SettingsColumn::showSettings(const PlanSource& source, const std::string& hidden)
{
    const std::vector<study::Factor>& factors = source.study().factors;
    m_sliders->setFactors(factors);
    m_sliders->setSettings(source.settings);
    const auto found = std::ranges::find(factors, hidden, &study::Factor::name);
    m_sliders->hideFactors(found == factors.end()
                               ? std::vector<std::size_t>()
                               : std::vector{static_cast<std::size_t>(found - factors.begin())});
    m_fastest->setEnabled(!source.choices.at.empty());
}

} // namespace quadric::widgets
