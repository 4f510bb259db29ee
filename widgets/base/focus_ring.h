// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace quadric::widgets {

/// While it lives, tables, texts and other areas that scroll, for which the style draws no focus, have a ring
/// around them when the keyboard has brought the focus there.
class FocusRing : public QWidget {
    Q_OBJECT

public:
    explicit FocusRing(QWidget* window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void follow(QWidget* focus);

    QWidget* m_window;
    QWidget* m_area = nullptr; ///< has the ring
};

} // namespace quadric::widgets
