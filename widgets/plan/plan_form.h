// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plan/plan_session.h"

#include <QBoxLayout>

#include <functional>
#include <variant>
#include <vector>

namespace quadric::widgets {

/// How the value of a slider is read and typed.
enum class ValueKind { Number, Share, Time };

/// What a slider is for.
struct SliderKind {
    QString name, tooltip;
    double low = 0.0, high = 1.0;                  ///< of the slider
    std::pair<double, double> typed = {low, high}; ///< what can be typed
    QString unit = {};                             ///< behind the value
    ValueKind value = ValueKind::Number;
    bool isLog = false, isWhole = false;
};

/// What it shows now.
struct SliderState {
    double value = 0.0;
    std::optional<std::pair<double, double>> range = {}; ///< in place of that of its kind
    QString unit = {};                                   ///< likewise
    QString note = {};                                   ///< below it
};

/// A slider of a form: what it shows of the source (nothing: it is hidden), and what moving it chooses.
struct SliderControl {
    SliderKind kind;
    std::function<std::optional<SliderState>(const PlanSource&)> state;
    std::function<void(plan::PlanChoices&, double)> choose;
};

/// A slider for a number of the choices.
template <typename Number> SliderControl sliderFor(SliderKind kind, Number plan::PlanChoices::*member)
{
    return {
        std::move(kind),
        [member](const PlanSource& source) {
            return SliderState{static_cast<double>(source.choices.*member)};
        },
        [member](plan::PlanChoices& choices, double value) { choices.*member = static_cast<Number>(value); }};
}

/// A text and the name that it stands for; empty for none.
using ChooserItem = std::pair<QString, std::string>;

/// A list of names in a form; without items it is hidden.
struct ChooserControl {
    QString name, tooltip;
    std::function<std::vector<ChooserItem>(const PlanSource&)> items;
    std::function<std::string(const PlanSource&)> chosen;
    std::function<void(plan::PlanChoices&, const std::string&)> choose;
};

/// The numeric factors, after `none` for no factor where there is such a text.
std::vector<ChooserItem> numericFactors(const PlanSource& source, const QString& none = {});

/// The settings of the run: a slider for each factor, and the way back to the fastest ones. `along`: the
/// factor that the figure shows along an axis, which has none; empty: no factor.
struct SettingsControl {
    std::function<std::string(const PlanSource&)> along = [](const PlanSource&) { return std::string(); };
};

using PlanControl = std::variant<SliderControl, ChooserControl, SettingsControl>;

/// The controls of what is asked, below or beside one another.
class PlanForm : public QWidget {
    Q_OBJECT

public:
    PlanForm(const std::vector<PlanControl>& controls, QBoxLayout::Direction direction,
             QWidget* parent = nullptr);
    /// Without a word.
    void showSource(const PlanSource& source);

signals:
    /// The user asks something else.
    void choicesChanged(const quadric::plan::PlanChoices& choices, const QString& what);

private:
    void add(const SliderControl& control);
    void add(const ChooserControl& control);
    void add(const SettingsControl& control);
    void choose(const QString& what, const std::function<void(plan::PlanChoices&)>& change);

    PlanSource m_source;
    QBoxLayout* m_layout = nullptr;
    std::vector<std::function<void()>> m_updates; ///< each shows the source in a control
};

} // namespace quadric::widgets
