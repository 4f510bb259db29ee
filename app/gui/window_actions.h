// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"
#include "widgets/base/theme.h"

#include <QAction>

#include <array>

class QMainWindow;
class QMenu;
class QUndoStack;

namespace quadric::app {

/// The menus of the window with their shortcuts. Says what was chosen; does nothing itself.
class WindowActions : public QObject {
    Q_OBJECT

public:
    explicit WindowActions(QMainWindow& window);

    /// Actions that need an open study are only enabled with one.
    void setStudyOpen(bool isOpen);
    void followUndoStack(const QUndoStack& stack);
    void setTheme(widgets::ThemeChoice choice);

signals:
    void newRequested();
    void likeThisRequested();
    void openRequested();
    void importRequested();
    void exportRequested();
    void exportPlotsRequested();
    void auditRequested();
    void comparisonRequested();
    void copyRunsRequested();
    void copyTablesRequested();
    void saveRequested();
    void saveAsRequested();
    void closeRequested();
    void quitRequested();
    void undoRequested();
    void redoRequested();
    void editDesignRequested();
    void stepRequested(quadric::widgets::Step step);
    void themeRequested(quadric::widgets::ThemeChoice choice);
    void paletteRequested();
    void helpRequested();
    void pageHelpRequested();
    void aboutRequested();

private:
    void buildStudyMenu(QMenu& menu);
    void buildEditMenu(QMenu& menu);
    void buildViewMenu(QMenu& menu);
    void buildHelpMenu(QMenu& menu);
    void addTheme(QMenu& menu, const QString& name, widgets::ThemeChoice choice);

    QAction* m_undo = nullptr;
    QAction* m_redo = nullptr;
    std::vector<QAction*> m_needStudy;
    std::array<QAction*, 4> m_themes{};
};

} // namespace quadric::app
