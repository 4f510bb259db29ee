// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan_choices.h"
#include "widgets/plan/plan_view.h"

#include <QWidget>

#include <functional>
#include <optional>

class QSlider;

namespace quadric::widgets {

class ValueField;

/// Between the name of a control and the control, and between controls.
constexpr int kNameGap = 2, kControlGap = 12;

/// What a slider is for: its words, its range, and how its value is read and written.
struct SliderKind {
    QString name;
    QString tooltip;
    double low = 0.0, high = 1.0; ///< of the slider; more can be typed
    bool isLog = false;
    bool isWhole = false; ///< whole numbers only
    std::function<QString(double)> show;
    std::function<std::optional<double>(const QString&)> read; ///< what was typed; empty: it cannot be taken
    QString expected;                                          ///< said of what cannot be taken
};

/// A value with its name above a slider; it can be typed, too.
class ValueSlider : public QWidget {
    Q_OBJECT

public:
    explicit ValueSlider(SliderKind kind, QWidget* parent = nullptr);

    /// Shows the value without a word.
    void setValue(double value);
    /// Between these the slider moves; what is shown stays.
    void setRange(double low, double high);

signals:
    /// The user wants this value.
    void moved(double value);

private:
    int positionOf(double value) const;
    double valueAt(int position) const;
    QString applyTypedValue(const QString& typed);

    SliderKind m_kind;
    double m_value = 0.0;
    QSlider* m_slider = nullptr;
    ValueField* m_field = nullptr;
};

/// A number with this unit, in the digits that it needs.
std::function<QString(double)> showNumber(const QString& unit);
/// Numbers from low on up to high, the unit behind them or not.
std::function<std::optional<double>(const QString&)> readNumberFrom(double low, double high,
                                                                    const QString& unit);
/// How many of something, from 1: the slider goes up to `high`, and up to `most` can be typed.
SliderKind countKind(const QString& name, const QString& tooltip, int high, int most);
/// An amount of money of 0 or more, in any currency.
SliderKind priceKind(const QString& name, const QString& tooltip, double high);
/// A share in percent.
QString showShare(double share);
std::function<std::optional<double>(const QString&)> readShareFrom(double low, double high);

} // namespace quadric::widgets
