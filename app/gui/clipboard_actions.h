// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QObject>
#include <QPointer>
#include <QWidget>

class QAction;
class QMenu;

namespace quadric::app {

/// Cut, Copy, Paste and Select all of a menu, for whatever has the focus. The keys themselves stay with the
/// widgets, which know them anyway; a chosen action gives its key to the one that had the focus.
class ClipboardActions : public QObject {
    Q_OBJECT

public:
    explicit ClipboardActions(QMenu& menu);

private:
    QAction* add(QMenu& menu, const char* name, const QString& text, QKeySequence::StandardKey key);
    void followFocus(QWidget* widget);
    void showWhatIsPossible();
    void send(QKeySequence::StandardKey key);

    QPointer<QWidget> m_focus; ///< outside menus
    QAction* m_cut = nullptr;
    QAction* m_copy = nullptr;
    QAction* m_paste = nullptr;
    QAction* m_selectAll = nullptr;
};

} // namespace quadric::app
