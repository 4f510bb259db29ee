// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/frame/rail_state.h"

#include <QAbstractButton>

class QVBoxLayout;

namespace quadric::app {

/// One step in the rail: icon, name, and its state in a second line.
class RailButton : public QAbstractButton {
    Q_OBJECT

public:
    RailButton(const QString& name, QString icon, QWidget* parent = nullptr);
    void setState(const StepState& state);
    /// The tooltip; the number of warnings is added to it.
    void setHint(const QString& hint);
    QSize sizeHint() const override;

signals:
    void warningsClicked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    void paintGround(QPainter& painter) const;
    void paintState(QPainter& painter, const QRect& line) const;
    QRect stateLine() const;

    QString m_icon;
    QString m_hint;
    StepState m_state;
    bool m_isKeyboardFocus = false;
};

/// The six steps of the window, one of them current. Arrow keys move between them.
class Rail : public QWidget {
    Q_OBJECT

public:
    explicit Rail(QWidget* parent = nullptr);
    void setContext(const widgets::StudyContext& context);
    void setStep(widgets::Step step);

signals:
    void stepPicked(quadric::widgets::Step step);
    /// The number of warnings was clicked.
    void warningsClicked();

private:
    void addButton(QVBoxLayout& layout, int step);

    std::array<RailButton*, kSteps> m_buttons{};
};

/// Name of a step as it stands in the rail.
QString stepName(widgets::Step step);

} // namespace quadric::app
