// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/factor_sliders.h"

#include "widgets/text/wording.h"

#include <QGridLayout>
#include <QLabel>
#include <QSlider>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr int kContinuousSteps = 100;
constexpr std::size_t kMostStops = 200; ///< factors with more legal values are moved continuously

/// Coded values that the slider of this factor can stand at, ascending.
std::vector<double> stopsOf(const study::Coding& coding, std::size_t index)
{
    const study::Factor& factor = coding.factors()[index];
    std::vector<double> stops;
    if (!factor.isNumeric()) {
        for (std::size_t level = 0; level < factor.categories.size(); ++level)
            stops.push_back(static_cast<double>(level));
        return stops;
    }
    for (const double value : study::legalValues(factor, factor.low, factor.high, kMostStops))
        stops.push_back(coding.toCoded(index, value));
    if (stops.size() < 2) {
        stops.clear();
        for (int step = 0; step <= kContinuousSteps; ++step)
            stops.push_back(2.0 * step / kContinuousSteps - 1.0);
    }
    return stops;
}

int nearestStop(const std::vector<double>& stops, double coded)
{
    const auto nearest = std::min_element(stops.begin(), stops.end(), [coded](double a, double b) {
        return std::abs(a - coded) < std::abs(b - coded);
    });
    return static_cast<int>(nearest - stops.begin());
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
    for (const Row& row : m_rows) {
        delete row.name;
        delete row.slider;
        delete row.value;
    }
    m_rows.clear();
    m_factors = factors;
    for (std::size_t i = 0; i < factors.size(); ++i)
        m_rows.push_back(makeRow(i));
    for (std::size_t i = 0; i < factors.size(); ++i)
        showValue(i);
}

FactorSliders::Row FactorSliders::makeRow(std::size_t factor)
{
    const study::Coding coding(m_factors);
    Row row{new QLabel(nameText(m_factors[factor].name), this), new QSlider(Qt::Horizontal, this),
            new QLabel(this), stopsOf(coding, factor)};
    row.slider->setRange(0, std::max(0, static_cast<int>(row.stops.size()) - 1));
    row.slider->setPageStep(std::max(1, static_cast<int>(row.stops.size()) / 10));
    row.slider->setValue(nearestStop(row.stops, coding.center()[static_cast<Eigen::Index>(factor)]));
    row.slider->setAccessibleName(nameText(m_factors[factor].name));
    row.slider->setMinimumWidth(64);
    row.name->setBuddy(row.slider);
    row.value->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("00 000 images")));
    const int line = static_cast<int>(factor);
    m_grid->addWidget(row.name, line, 0);
    m_grid->addWidget(row.slider, line, 1);
    m_grid->addWidget(row.value, line, 2);
    connect(row.slider, &QSlider::valueChanged, this, [this, factor] {
        showValue(factor);
        emit pointChanged();
    });
    return row;
}

void FactorSliders::hideFactors(std::size_t first, std::size_t second)
{
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const bool isVisible = i != first && i != second;
        m_rows[i].name->setVisible(isVisible);
        m_rows[i].slider->setVisible(isVisible);
        m_rows[i].value->setVisible(isVisible);
    }
}

study::CodedPoint FactorSliders::point() const
{
    Eigen::VectorXd coded(static_cast<Eigen::Index>(m_rows.size()));
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Row& row = m_rows[i];
        coded[static_cast<Eigen::Index>(i)] =
            row.stops.empty() ? 0.0 : row.stops[static_cast<std::size_t>(row.slider->value())];
    }
    return study::CodedPoint(coded);
}

void FactorSliders::setPoint(const study::CodedPoint& point)
{
    for (std::size_t i = 0; i < m_rows.size() && static_cast<Eigen::Index>(i) < point.size(); ++i)
        m_rows[i].slider->setValue(nearestStop(m_rows[i].stops, point[static_cast<Eigen::Index>(i)]));
}

void FactorSliders::showValue(std::size_t factor)
{
    const study::Coding coding(m_factors);
    const study::Settings settings = coding.toSettings(point());
    const auto value = settings.find(m_factors[factor].name);
    if (value != settings.end())
        m_rows[factor].value->setText(valueText(m_factors[factor], value->second));
}

} // namespace quadric::widgets
