// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"

#include <QAbstractButton>
#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

#include <array>

class QVBoxLayout;

namespace quadric::app {

/// The line icon `name` of resources/icons in this color, `size` logical pixels wide and high.
QPixmap lineIcon(const QString& name, const QColor& color, int size, qreal devicePixelRatio);

/// The program's icon in the usual sizes. Drawn here: the plugin that lets QIcon read SVG files is a package
/// of its own in Debian 13 and need not be installed.
QIcon programIcon();

inline constexpr int kSteps = 6;

enum class Mark { None, Done, Running, Warning };

/// What the rail says about one step.
struct StepState {
    QString text;
    Mark mark = Mark::None;
};

/// How many warnings there are about the models. Judges every fit: once for each context is enough.
int countWarnings(const widgets::StudyContext& context);

/// The state of all six steps, in their order. `warnings`: how many there are; Explore has a dot for them.
std::array<StepState, kSteps> stepStates(const widgets::StudyContext& context, int warnings);

/// Where a study opens: on its answer where all runs are over and one has a model, otherwise on its runs.
widgets::Step openingStep(const widgets::StudyContext& context);

/// The status line: "simulated data · 1 failed run · 2 of 2 responses fitted".
QString statusWords(const widgets::StudyContext& context);

/// One step in the rail: icon, name, and its state in a second line.
class RailButton : public QAbstractButton {
    Q_OBJECT

public:
    RailButton(const QString& name, QString icon, QWidget* parent = nullptr);
    void setState(const StepState& state);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    void paintGround(QPainter& painter) const;
    void paintState(QPainter& painter, const QRect& line) const;

    QString m_icon;
    StepState m_state;
    bool m_isKeyboardFocus = false;
};

/// The six steps of the window, one of them current. Arrow keys move between them.
class Rail : public QWidget {
    Q_OBJECT

public:
    explicit Rail(QWidget* parent = nullptr);
    void setContext(const widgets::StudyContext& context, int warnings);
    void setStep(widgets::Step step);

signals:
    void stepPicked(quadric::widgets::Step step);

private:
    void addButton(QVBoxLayout& layout, int step);

    std::array<RailButton*, kSteps> m_buttons{};
};

/// Name of a step as it stands in the rail.
QString stepName(widgets::Step step);

} // namespace quadric::app
