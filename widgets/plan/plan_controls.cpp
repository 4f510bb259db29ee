// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_controls.h"

#include "core/text/numbers.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/base/typed_value.h"
#include "widgets/text/wording.h"

#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr int kSliderSteps = 500;
constexpr int kSliderDigits = 3; ///< of a value that the slider gives
constexpr int kTypedDigits = 12;
constexpr double kHundred = 100.0;
constexpr double kHighestPrice = 1e12;

} // namespace

ValueSlider::ValueSlider(SliderKind kind, QWidget* parent)
    : QWidget(parent)
    , m_kind(std::move(kind))
    , m_slider(new QSlider(Qt::Horizontal, this))
    , m_field(new ValueField(this))
{
    auto* name = new QLabel(m_kind.name, this);
    name->setBuddy(m_slider);
    name->setToolTip(m_kind.tooltip);
    m_slider->setAccessibleName(m_kind.name);
    m_slider->setToolTip(m_kind.tooltip);
    m_slider->setMinimumWidth(64);
    m_field->setAccessibleName(tr("Value of %1").arg(m_kind.name));
    m_field->setAlignment(Qt::AlignRight);
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kNameGap);
    layout->addWidget(name, 0, 0);
    layout->addWidget(m_field, 0, 1);
    layout->setColumnStretch(1, 1);
    layout->addWidget(m_slider, 1, 0, 1, 2);
    setRange(m_kind.low, m_kind.high);
    connect(m_slider, &QSlider::valueChanged, this, [this](int position) {
        const double value = valueAt(position);
        if (value == m_value)
            return;
        setValue(value);
        emit moved(m_value);
    });
    m_field->setTaker([this](const QString& typed) { return applyTypedValue(typed); });
}

void ValueSlider::setRange(double low, double high)
{
    m_kind.low = low;
    m_kind.high = std::max(high, low);
    const QSignalBlocker quiet(m_slider);
    const int last =
        m_kind.isWhole && !m_kind.isLog ? static_cast<int>(m_kind.high - m_kind.low) : kSliderSteps;
    m_slider->setRange(0, last);
    m_slider->setPageStep(std::max(1, last / 10));
    m_slider->setValue(positionOf(m_value));
}

void ValueSlider::setValue(double value)
{
    m_value = value;
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(positionOf(value));
    m_field->setValue(m_kind.show(value), m_kind.show(value));
}

int ValueSlider::positionOf(double value) const
{
    const double low = m_kind.isLog ? std::log(m_kind.low) : m_kind.low;
    const double high = m_kind.isLog ? std::log(m_kind.high) : m_kind.high;
    const double at = m_kind.isLog ? std::log(std::max(value, m_kind.low)) : value;
    const double share = high > low ? std::clamp((at - low) / (high - low), 0.0, 1.0) : 0.0;
    return static_cast<int>(std::lround(share * m_slider->maximum()));
}

double ValueSlider::valueAt(int position) const
{
    const double share = m_slider->maximum() > 0 ? double(position) / m_slider->maximum() : 0.0;
    const double exact = m_kind.isLog ? m_kind.low * std::pow(m_kind.high / m_kind.low, share)
                                      : m_kind.low + (m_kind.high - m_kind.low) * share;
    if (m_kind.isWhole)
        return std::round(exact);
    return std::stod(text::formatBriefly(exact, kSliderDigits));
}

QString ValueSlider::applyTypedValue(const QString& typed)
{
    const std::optional<double> value = m_kind.read(typed);
    if (!value)
        return m_kind.expected;
    setValue(*value);
    emit moved(m_value);
    return {};
}

std::function<QString(double)> showNumber(const QString& unit)
{
    return [unit](double value) {
        const QString number =
            QString::fromStdString(text::formatDigits(value, kTypedDigits, text::Typography::Typeset));
        return unit.isEmpty() ? number : number + QChar::Nbsp + unit;
    };
}

std::function<std::optional<double>(const QString&)> readNumberFrom(double low, double high,
                                                                    const QString& unit)
{
    return [low, high, unit](const QString& typed) -> std::optional<double> {
        const auto value = parseQuantity(typed, unit.toStdString());
        return value && *value >= low && *value <= high ? value : std::nullopt;
    };
}

SliderKind countKind(const QString& name, const QString& tooltip, int high, int most)
{
    return {.name = name,
            .tooltip = tooltip,
            .low = 1,
            .high = static_cast<double>(high),
            .isWhole = true,
            .show = showNumber({}),
            .read = readNumberFrom(1, most, {}),
            .expected = ValueSlider::tr("expected 1 to %1").arg(most)};
}

SliderKind priceKind(const QString& name, const QString& tooltip, double high)
{
    return {.name = name,
            .tooltip = tooltip,
            .low = 0.0,
            .high = high,
            .show = showNumber({}),
            .read = readNumberFrom(0.0, kHighestPrice, {}),
            .expected = ValueSlider::tr("expected 0 or more")};
}

QString showShare(double share)
{
    return formatPercent(share, 2);
}

std::function<std::optional<double>(const QString&)> readShareFrom(double low, double high)
{
    return [low, high](const QString& typed) -> std::optional<double> {
        const auto percent = parseQuantity(typed, "%");
        const bool isInside = percent && *percent >= kHundred * low && *percent <= kHundred * high;
        return isInside ? std::optional(*percent / kHundred) : std::nullopt;
    };
}

} // namespace quadric::widgets
