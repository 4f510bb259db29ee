// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_form.h"

#include "core/text/numbers.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/base/typed_value.h"
#include "widgets/explore/views/slice_view.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QTime>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr int kNameGap = 2, kControlGap = 12; ///< below the name of a control, and between controls
constexpr int kWidestChooser = 18;            ///< in heights of a line of text
constexpr int kSliderSteps = 500;
constexpr int kSliderDigits = 3; ///< of a value that the slider gives
constexpr int kTypedDigits = 12;
constexpr double kHundred = 100.0;
constexpr int kSecondsADay = 86400;

/// "8 h", "90 min", "1 h 20 min"; "18:00" is as long as it is till then.
std::optional<double> readTime(const QString& typed)
{
    if (const QTime clock = QTime::fromString(typed.trimmed(), QStringLiteral("H:mm")); clock.isValid()) {
        const int seconds = QTime::currentTime().secsTo(clock);
        return seconds > 0 ? seconds : seconds + kSecondsADay;
    }
    return plan::readSpan(typed.simplified().toStdString());
}

/// A value with its name above a slider; it can be typed, too.
class ValueSlider : public QWidget {
public:
    ValueSlider(SliderKind kind, std::function<void(double)> moved, QWidget* parent);

    /// Shows the value without a word.
    void setValue(double value, const QString& unit = {});
    /// Between these the slider moves; what is shown stays.
    void setRange(double low, double high);

private:
    int positionOf(double value) const;
    double valueAt(int position) const;
    QString textOf(double value) const;
    QString applyTypedValue(const QString& typed);

    SliderKind m_kind;
    std::function<void(double)> m_moved; ///< the user wants this value
    double m_value = 0.0;
    QSlider* m_slider;
    ValueField* m_field;
};

ValueSlider::ValueSlider(SliderKind kind, std::function<void(double)> moved, QWidget* parent)
    : QWidget(parent)
    , m_kind(std::move(kind))
    , m_moved(std::move(moved))
    , m_slider(new QSlider(Qt::Horizontal, this))
    , m_field(new ValueField(this))
{
    auto* name = new QLabel(m_kind.name, this);
    name->setBuddy(m_slider);
    name->setToolTip(m_kind.tooltip);
    m_slider->setAccessibleName(m_kind.name);
    m_slider->setToolTip(m_kind.tooltip);
    m_slider->setMinimumWidth(64);
    m_field->setAccessibleName(QSlider::tr("Value of %1").arg(m_kind.name));
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
        m_moved(m_value);
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

void ValueSlider::setValue(double value, const QString& unit)
{
    m_value = value;
    if (!unit.isEmpty())
        m_kind.unit = unit;
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(positionOf(value));
    m_field->setValue(textOf(value), textOf(value));
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

QString ValueSlider::textOf(double value) const
{
    if (m_kind.value != ValueKind::Number)
        return m_kind.value == ValueKind::Time ? formatDuration(value) : formatPercent(value, 2);
    const QString number = fromUtf8(text::formatDigits(value, kTypedDigits, text::Typography::Typeset));
    return m_kind.unit.isEmpty() ? number : number + QChar::Nbsp + m_kind.unit;
}

QString ValueSlider::applyTypedValue(const QString& typed)
{
    const bool isShare = m_kind.value == ValueKind::Share;
    std::optional<double> value =
        m_kind.value == ValueKind::Time
            ? readTime(typed)
            : parseQuantity(typed, isShare ? std::string("%") : m_kind.unit.toStdString());
    if (value && isShare)
        *value /= kHundred;
    const auto [least, most] = m_kind.typed;
    if (!value || *value < least || *value > most)
        return QSlider::tr("expected %1 to %2").arg(textOf(least), textOf(most));
    setValue(*value);
    m_moved(m_value);
    return {};
}

} // namespace

std::vector<ChooserItem> numericFactors(const PlanSource& source, const QString& none)
{
    std::vector<ChooserItem> factors;
    if (!none.isEmpty())
        factors.emplace_back(none, std::string());
    for (const study::Factor& factor : source.study().factors)
        if (factor.isNumeric())
            factors.emplace_back(nameText(factor.name), factor.name);
    return factors;
}

PlanForm::PlanForm(const std::vector<PlanControl>& controls, QBoxLayout::Direction direction, QWidget* parent)
    : QWidget(parent)
    , m_layout(new QBoxLayout(direction, this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(kControlGap);
    for (const PlanControl& control : controls)
        std::visit([this](const auto& each) { add(each); }, control);
    m_layout->addStretch(1);
}

void PlanForm::showSource(const PlanSource& source)
{
    m_source = source;
    for (const auto& update : m_updates)
        update();
}

void PlanForm::add(const SliderControl& control)
{
    const auto moved = [this, control](double value) {
        choose(control.kind.name, [&](plan::PlanChoices& choices) { control.choose(choices, value); });
    };
    auto* slider = new ValueSlider(control.kind, moved, this);
    auto* note = mutedLabel({}, this);
    auto* field = new QWidget(this);
    auto* layout = marginless<QVBoxLayout>(field, kControlGap);
    layout->addWidget(slider);
    layout->addWidget(note);
    m_layout->addWidget(field);
    m_updates.emplace_back([this, field, slider, note, state = control.state] {
        const std::optional<SliderState> shown = state(m_source);
        field->setVisible(shown.has_value());
        note->setVisible(shown && !shown->note.isEmpty());
        if (!shown)
            return;
        if (shown->range)
            slider->setRange(shown->range->first, shown->range->second);
        slider->setValue(shown->value, shown->unit);
        note->setText(shown->note);
    });
}

void PlanForm::add(const ChooserControl& control)
{
    auto* field = new QWidget(this);
    QComboBox* chooser = addChooserBelowLabel(*marginless<QVBoxLayout>(field, kNameGap), control.name, field);
    chooser->setToolTip(control.tooltip);
    if (m_layout->direction() == QBoxLayout::LeftToRight) { // a column has a width of its own
        chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        chooser->setMaximumWidth(kWidestChooser * fontMetrics().height());
    }
    m_layout->addWidget(field);
    connect(chooser, &QComboBox::activated, this, [this, chooser, control] {
        choose(control.name, [&](plan::PlanChoices& choices) {
            control.choose(choices, chooser->currentData().toString().toStdString());
        });
    });
    m_updates.emplace_back([this, field, chooser, control] {
        const QSignalBlocker quiet(chooser);
        chooser->clear();
        const std::vector<ChooserItem> items = control.items(m_source);
        field->setVisible(!items.empty());
        for (const auto& [text, name] : items)
            chooser->addItem(text, QString::fromStdString(name));
        chooser->setCurrentIndex(chooser->findData(QString::fromStdString(control.chosen(m_source))));
    });
}

void PlanForm::add(const SettingsControl& control)
{
    auto* column = new QWidget(this);
    auto* sliders = new FactorSliders(column);
    QPushButton* fastest = linkButton(tr("Use the &fastest settings"), column);
    fastest->setToolTip(tr("The settings that can be run at which the model predicts the fastest run."));
    auto* layout = marginless<QVBoxLayout>(column, 4);
    layout->addWidget(boldLabel(tr("Settings"), column));
    layout->addWidget(sliders);
    layout->addWidget(fastest, 0, Qt::AlignLeft);
    m_layout->addWidget(column);
    connect(sliders, &FactorSliders::valueHeld, this,
            [this](const QString& factor, const study::Value& value) {
                choose(tr("Setting of %1").arg(factor), [&](plan::PlanChoices& choices) {
                    choices.at.insert_or_assign(factor.toStdString(), value);
                });
            });
    connect(fastest, &QPushButton::clicked, this, [this] {
        choose(tr("Fastest settings"), [](plan::PlanChoices& choices) { choices.at.clear(); });
    });
    m_updates.emplace_back([this, sliders, fastest, along = control.along] {
        const std::vector<study::Factor>& factors = m_source.study().factors;
        sliders->setFactors(factors);
        sliders->setSettings(m_source.settings);
        std::vector<std::size_t> hidden;
        for (std::size_t i = 0; i < factors.size(); ++i)
            if (factors[i].name == along(m_source))
                hidden.push_back(i);
        sliders->hideFactors(hidden);
        fastest->setEnabled(!m_source.choices.at.empty());
    });
}

void PlanForm::choose(const QString& what, const std::function<void(plan::PlanChoices&)>& change)
{
    plan::PlanChoices choices = m_source.choices;
    change(choices);
    emit choicesChanged(choices, what);
}

} // namespace quadric::widgets
