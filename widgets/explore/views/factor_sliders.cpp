// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/views/factor_sliders.h"

#include "core/study/coding.h"
#include "core/text/numbers.h"
#include "widgets/base/typed_setting.h"
#include "widgets/base/value_field.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>

namespace quadric::widgets {

namespace {

constexpr int kContinuousSteps = 100;
constexpr int kDigits = 4;              ///< of a position that no legal value gives
constexpr std::size_t kMostStops = 200; ///< factors with more legal values are moved continuously

/// Values that the slider of a numeric factor can stand at, ascending.
std::vector<double> stopsOf(const study::Coding& coding, std::size_t index)
{
    const study::Factor& factor = coding.factors()[index];
    std::vector<double> stops = study::legalValues(factor, factor.low, factor.high, kMostStops);
    if (stops.size() >= 2)
        return stops;
    stops.clear();
    for (int step = 0; step <= kContinuousSteps; ++step) {
        const double exact = coding.toActual(index, 2.0 * step / kContinuousSteps - 1.0);
        const double rounded = std::stod(text::formatBriefly(exact, kDigits));
        stops.push_back(std::clamp(study::snapToLegal(factor, rounded), factor.low, factor.high));
    }
    stops.erase(std::unique(stops.begin(), stops.end()), stops.end());
    return stops;
}

/// On the scale of the factor.
int nearestStop(const study::Factor& factor, const std::vector<double>& stops, double actual)
{
    const auto distance = [&factor, actual](double stop) {
        return std::abs(study::onScale(factor, stop) - study::onScale(factor, actual));
    };
    return static_cast<int>(std::ranges::min_element(stops, {}, distance) - stops.begin());
}

} // namespace

FactorSliders::FactorSliders(QWidget* parent)
    : QWidget(parent)
    , m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(1, 1);
}

void FactorSliders::setFactors(const std::vector<study::Factor>& factors)
{
    if (factors == m_factors)
        return;
    for (const Row& row : m_rows)
        for (QWidget* part : std::initializer_list<QWidget*>{row.name, row.slider, row.value, row.levels})
            delete part;
    m_rows.clear();
    m_factors = factors;
    const study::Coding coding(m_factors);
    m_settings = coding.toLegalSettings(coding.center());
    for (std::size_t i = 0; i < factors.size(); ++i) {
        m_rows.push_back(makeRow(i));
        showValue(i);
    }
}

FactorSliders::Row FactorSliders::makeRow(std::size_t factor)
{
    Row row;
    row.name = new QLabel(nameText(m_factors[factor].name), this);
    m_grid->addWidget(row.name, static_cast<int>(factor), 0);
    m_factors[factor].isNumeric() ? addSlider(row, factor) : addLevels(row, factor);
    return row;
}

void FactorSliders::addSlider(Row& row, std::size_t factor)
{
    const study::Factor& own = m_factors[factor];
    row.stops = stopsOf(study::Coding(m_factors), factor);
    row.slider = new QSlider(Qt::Horizontal, this);
    row.slider->setRange(0, static_cast<int>(row.stops.size()) - 1);
    row.slider->setPageStep(std::max(1, static_cast<int>(row.stops.size()) / 10));
    row.slider->setAccessibleName(nameText(own.name));
    row.slider->setMinimumWidth(64);
    row.name->setBuddy(row.slider);
    row.value = new ValueField(this);
    row.value->setAccessibleName(tr("Value of %1").arg(nameText(own.name)));
    row.value->setFixedWidth(fontMetrics().horizontalAdvance(QStringLiteral("00 000 images")));
    m_grid->addWidget(row.slider, static_cast<int>(factor), 1);
    m_grid->addWidget(row.value, static_cast<int>(factor), 2);
    connect(row.slider, &QSlider::valueChanged, this,
            [this, factor](int stop) { hold(factor, m_rows[factor].stops[static_cast<std::size_t>(stop)]); });
    row.value->setTaker([this, factor](const QString& typed) {
        QString problem;
        const auto value = typedInRange(m_factors[factor], typed, problem);
        if (value)
            hold(factor, *value);
        return problem;
    });
}

void FactorSliders::addLevels(Row& row, std::size_t factor)
{
    row.levels = new QComboBox(this);
    row.levels->setAccessibleName(nameText(m_factors[factor].name));
    for (const std::string& level : m_factors[factor].categories)
        row.levels->addItem(nameText(level), QString::fromStdString(level));
    row.name->setBuddy(row.levels);
    m_grid->addWidget(row.levels, static_cast<int>(factor), 1, 1, 2, Qt::AlignLeft);
    connect(row.levels, &QComboBox::currentIndexChanged, this, [this, factor](int level) {
        hold(factor, m_factors[factor].categories[static_cast<std::size_t>(level)]);
    });
}

void FactorSliders::hideFactors(const std::vector<std::size_t>& hidden)
{
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        for (QWidget* part : std::initializer_list<QWidget*>{m_rows[i].name, m_rows[i].slider,
                                                             m_rows[i].value, m_rows[i].levels})
            if (part != nullptr)
                part->setVisible(std::ranges::count(hidden, i) == 0);
}

void FactorSliders::focusFirst()
{
    for (const Row& row : m_rows)
        if (!row.name->isHidden())
            return row.name->buddy()->setFocus(Qt::TabFocusReason);
}

void FactorSliders::setSettings(const study::Settings& settings)
{
    for (std::size_t i = 0; i < m_factors.size(); ++i)
        if (const auto found = settings.find(m_factors[i].name);
            found != settings.end() && found->second != m_settings[m_factors[i].name]) {
            m_settings[m_factors[i].name] = found->second;
            showValue(i);
        }
}

void FactorSliders::hold(std::size_t factor, const study::Value& value)
{
    m_settings[m_factors[factor].name] = value;
    showValue(factor);
    emit valueHeld(QString::fromStdString(m_factors[factor].name), value);
}

void FactorSliders::showValue(std::size_t factor)
{
    const study::Factor& own = m_factors[factor];
    const study::Value& value = m_settings.at(own.name);
    const Row& row = m_rows[factor];
    if (row.levels != nullptr) {
        const QSignalBlocker quiet(row.levels);
        row.levels->setCurrentIndex(row.levels->findData(QString::fromStdString(study::toText(value))));
        return;
    }
    const QSignalBlocker quiet(row.slider);
    row.slider->setValue(nearestStop(own, row.stops, study::numberOf(value)));
    row.value->setValue(valueText(own, value), QString::fromStdString(study::toText(value)));
}

} // namespace quadric::widgets
