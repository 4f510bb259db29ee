// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QPushButton>
#include <QTest>
#include <QWidget>

namespace quadric::test {

/// Clicks as a user's hand makes them, and how many there were.
class CountedClicks : public QObject {
protected:
    /// Whether the widget can be clicked; then it was.
    bool click(QWidget* widget)
    {
        if (!widget || !widget->isVisible() || !widget->isEnabled())
            return false;
        ++m_clicks;
        QTest::mouseClick(widget, Qt::LeftButton);
        return true;
    }
    bool click(QWidget& parent, const char* name)
    {
        return click(parent.findChild<QWidget*>(QLatin1String(name)));
    }
    void approveIfAsked()
    {
        QTest::qWait(50);
        for (QWidget* top : QApplication::topLevelWidgets())
            if (auto* approve = top->findChild<QPushButton*>("approve"); approve && approve->isVisible())
                click(approve);
    }

    int m_clicks = 0;
};

} // namespace quadric::test
