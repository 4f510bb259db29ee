// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan_choices.h"
#include "widgets/plan/plan_view.h"

#include <QWidget>

#include <functional>
#include <optional>

class QLabel;
class QSlider;
class QComboBox;
class QPushButton;

namespace quadric::widgets {

class ValueField;

/// Between the name of a control and the control, and between controls.
constexpr int kNameGap = 2, kControlGap = 12;

inline constexpr int kCapacityJobs = 20'000; ///< that tell the capacity where jobs are gangs

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
    double value() const { return m_value; }

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

/// The links whose speed is asked for: presets, or latency and bandwidth of a file of nccl-tests, and what is
/// exchanged over them.
class LinkControls : public QWidget {
    Q_OBJECT

public:
    explicit LinkControls(QWidget* parent = nullptr);
    void showLinks(const PlanSource& source);

    /// Takes latency and bandwidth from what all_reduce_perf printed: for the links in a node where all of
    /// its ranks have room in one, otherwise for those between nodes. Returns why it cannot; empty: it did.
    QString loadNcclTests(const QString& path);

signals:
    void choicesChanged(const quadric::plan::PlanChoices& choices, const QString& what);

private:
    QComboBox* addLinks(const QString& name, const QString& tooltip, const char* objectName);
    void fillLinks(QComboBox& chooser, const std::string& chosen) const;
    void follow(QComboBox* chooser, const QString& what, std::string plan::PlanChoices::*member);
    void askForFile();

    PlanSource m_source;
    QComboBox* m_network = nullptr;
    QComboBox* m_node = nullptr;
    ValueSlider* m_bytes = nullptr;
    ValueSlider* m_batch = nullptr;
    QLabel* m_message = nullptr;
};

/// Whose jobs queue: those of the runs, or of a file.
class JobSource : public QWidget {
    Q_OBJECT

public:
    explicit JobSource(QWidget* parent = nullptr);
    void showChoices(const plan::PlanChoices& choices);

    /// Takes the jobs of a table, such as sacct prints, with as many machines as the largest of them needs at
    /// least, and their rate where the file tells when they came. Returns why it cannot; empty: it did.
    QString loadJobFile(const QString& path);

signals:
    void choicesChanged(const quadric::plan::PlanChoices& choices, const QString& what);

private:
    void askForFile();

    plan::PlanChoices m_choices;
    QLabel* m_name = nullptr;
    QPushButton* m_runs = nullptr;
    QLabel* m_message = nullptr;
};

} // namespace quadric::widgets
