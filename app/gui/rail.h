// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/rail_state.h"

#include <QAbstractButton>

class QVBoxLayout;

namespace quadric::app {

/// One step in the rail: icon, name, and its state in a second line.
class RailButton : public QAbstractButton {
    Q_OBJECT

public:
    RailButton(const QString& name, QString icon, QWidget* parent = nullptr);
    void setState(const StepState& state);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    void paintGround(QPainter& painter) const;
    void paintState(QPainter& painter, const QRect& line) const;

    QString m_icon;
    StepState m_state;
    bool m_isKeyboardFocus = false;
};

/// The five steps of the window, one of them current. Arrow keys move between them.
class Rail : public QWidget {
    Q_OBJECT

public:
    explicit Rail(QWidget* parent = nullptr);
    void setContext(const widgets::StudyContext& context);
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
