// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"
#include "widgets/base/theme.h"

#include <QAction>
#include <QKeySequence>
#include <QObject>
#include <QPointer>
#include <QWidget>

#include <array>

class QMenu;
class QMainWindow;
class QUndoStack;

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

class Exchange;
class StudyDialogs;
class StudySession;

/// The menus of the window with their shortcuts. What is about the study they call themselves; of what the
/// window does they say that it was chosen.
class WindowActions : public QObject {
    Q_OBJECT

public:
    /// All must outlive it.
    WindowActions(QMainWindow& window, StudySession& session, StudyDialogs& dialogs, Exchange& exchange);

    /// Actions that need an open study are only enabled with one.
    void setStudyOpen(bool isOpen);
    void setTheme(widgets::ThemeChoice choice) { m_themes[size_t(choice)]->setChecked(true); }

signals:
    void closeRequested();
    void stepRequested(quadric::widgets::Step step);
    void themeRequested(quadric::widgets::ThemeChoice choice);
    void paletteRequested();
    void helpRequested();
    void pageHelpRequested();

private:
    void buildStudyMenu(QMenu& menu);
    void buildEditMenu(QMenu& menu);
    void buildViewMenu(QMenu& menu);
    void buildHelpMenu(QMenu& menu);
    void addTheme(QMenu& menu, const QString& name, widgets::ThemeChoice choice);
    void followUndoStack(const QUndoStack& stack);

    QMainWindow& m_window;
    StudySession& m_session;
    StudyDialogs& m_dialogs;
    Exchange& m_exchange;
    QAction* m_undo = nullptr;
    QAction* m_redo = nullptr;
    std::vector<QAction*> m_needStudy;
    std::array<QAction*, 4> m_themes{};
};

class Pages;
class StudyEditor;

/// Shows the warnings about the models, and does what they advise.
class Remedies : public QObject {
    Q_OBJECT

public:
    Remedies(StudyEditor& editor, Pages& pages, QWidget& window);

    void showWarnings();
    /// Does what the program can do about the finding.
    void take(const report::Finding& finding);

signals:
    void stepRequested(quadric::widgets::Step step);

private:
    StudyEditor& m_editor;
    Pages& m_pages;
    QWidget& m_window;
};

} // namespace quadric::app
