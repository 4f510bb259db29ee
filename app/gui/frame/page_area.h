// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>

namespace quadric::app {

/// A page that fills its place and scrolls where it needs more: with large text or on a small screen. Unlike
/// a resizable QScrollArea it asks the page for what it needs, not for the height it would like.
class PageArea : public QScrollArea {
    Q_OBJECT

public:
    explicit PageArea(QWidget* page);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fit();
};

} // namespace quadric::app
