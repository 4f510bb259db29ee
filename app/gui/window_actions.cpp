// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window_actions.h"

#include "app/gui/clipboard_actions.h"
#include "app/gui/frame/rail.h"

#include <QActionGroup>
#include <QMainWindow>
#include <QMenuBar>
#include <QUndoStack>

namespace quadric::app {

namespace {

/// In a menu; the names of the steps differ in their first letter but for one.
QString withMnemonic(widgets::Step step)
{
    return step == widgets::Step::Report ? WindowActions::tr("Repor&t") : QLatin1Char('&') + stepName(step);
}

/// An ampersand of a name is no mnemonic.
QString asPlain(QString name)
{
    return name.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

} // namespace

WindowActions::WindowActions(QMainWindow& window)
    : QObject(&window)
{
    buildStudyMenu(*window.menuBar()->addMenu(tr("&Study")));
    buildEditMenu(*window.menuBar()->addMenu(tr("&Edit")));
    buildViewMenu(*window.menuBar()->addMenu(tr("&View")));
    buildHelpMenu(*window.menuBar()->addMenu(tr("&Help")));
}

void WindowActions::buildStudyMenu(QMenu& menu)
{
    menu.addAction(tr("&New…"), QKeySequence::New, this, &WindowActions::newRequested);
    auto* likeThis = menu.addAction(tr("New study like &this one…"), this, &WindowActions::likeThisRequested);
    menu.addAction(tr("&Open…"), QKeySequence::Open, this, &WindowActions::openRequested);
    menu.addAction(tr("&Import…"), QKeySequence(Qt::CTRL | Qt::Key_I), this, &WindowActions::importRequested);
    menu.addSeparator();
    auto* save = menu.addAction(tr("&Save"), QKeySequence::Save, this, &WindowActions::saveRequested);
    auto* saveAs = menu.addAction(tr("Save &as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), this,
                                  &WindowActions::saveAsRequested);
    auto* exportTo = menu.addAction(tr("&Export…"), QKeySequence(Qt::CTRL | Qt::Key_E), this,
                                    &WindowActions::exportRequested);
    auto* exportPlots = menu.addAction(tr("Export &plots…"), this, &WindowActions::exportPlotsRequested);
    menu.addSeparator();
    auto* audit = menu.addAction(tr("Chec&k claims…"), this, &WindowActions::auditRequested);
    auto* compare = menu.addAction(tr("Co&mpare with a study…"), this, &WindowActions::comparisonRequested);
    menu.addSeparator();
    auto* close = menu.addAction(tr("&Close study"), QKeySequence(Qt::CTRL | Qt::Key_W), this,
                                 &WindowActions::closeRequested);
    menu.addSeparator();
    menu.addAction(tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), this, &WindowActions::quitRequested);
    m_needStudy.insert(m_needStudy.end(),
                       {likeThis, save, saveAs, exportTo, exportPlots, audit, compare, close});
}

void WindowActions::buildEditMenu(QMenu& menu)
{
    m_undo =
        menu.addAction(tr("&Undo"), QKeySequence(Qt::CTRL | Qt::Key_Z), this, &WindowActions::undoRequested);
    m_redo = menu.addAction(tr("&Redo"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), this,
                            &WindowActions::redoRequested);
    m_undo->setObjectName(QStringLiteral("undo"));
    m_redo->setObjectName(QStringLiteral("redo"));
    menu.addSeparator();
    new ClipboardActions(menu);
    menu.addSeparator();
    m_needStudy.push_back(menu.addAction(tr("&Design…"), this, &WindowActions::editDesignRequested));
    menu.addSeparator();
    m_needStudy.push_back(
        menu.addAction(tr("Copy runs for a &spreadsheet"), this, &WindowActions::copyRunsRequested));
    m_needStudy.push_back(
        menu.addAction(tr("Copy runs and models as &Markdown"), this, &WindowActions::copyTablesRequested));
}

void WindowActions::buildViewMenu(QMenu& menu)
{
    for (int i = 0; i < kSteps; ++i) {
        const auto step = static_cast<widgets::Step>(i);
        m_needStudy.push_back(menu.addAction(withMnemonic(step),
                                             QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)),
                                             this, [this, step] { emit stepRequested(step); }));
    }
    menu.addSeparator();
    QMenu& appearance = *menu.addMenu(tr("&Appearance"));
    new QActionGroup(&appearance);
    addTheme(appearance, tr("Follow &system"), widgets::ThemeChoice::System);
    addTheme(appearance, tr("&Light"), widgets::ThemeChoice::Light);
    addTheme(appearance, tr("&Dark"), widgets::ThemeChoice::Dark);
    addTheme(appearance, tr("&High contrast"), widgets::ThemeChoice::HighContrast);
}

void WindowActions::addTheme(QMenu& menu, const QString& name, widgets::ThemeChoice choice)
{
    QAction* action = menu.addAction(name, this, [this, choice] { emit themeRequested(choice); });
    action->setObjectName(QStringLiteral("theme%1").arg(int(choice)));
    action->setCheckable(true);
    action->setActionGroup(menu.findChild<QActionGroup*>());
    m_themes[size_t(choice)] = action;
}

void WindowActions::buildHelpMenu(QMenu& menu)
{
    menu.addAction(tr("&Find a command…"), QKeySequence(Qt::CTRL | Qt::Key_K), this,
                   &WindowActions::paletteRequested);
    menu.addSeparator();
    menu.addAction(tr("&What is this?"), QKeySequence(Qt::Key_F1), this, &WindowActions::helpRequested);
    menu.addAction(tr("Help on this &page"), QKeySequence(Qt::SHIFT | Qt::Key_F1), this,
                   &WindowActions::pageHelpRequested);
    menu.addSeparator();
    menu.addAction(tr("&About Quadric"), this, &WindowActions::aboutRequested)
        ->setObjectName(QStringLiteral("showAbout"));
}

void WindowActions::setStudyOpen(bool isOpen)
{
    for (QAction* action : m_needStudy)
        action->setEnabled(isOpen);
}

void WindowActions::followUndoStack(const QUndoStack& stack)
{
    const auto showUndo = [this, &stack] {
        m_undo->setEnabled(stack.canUndo());
        m_undo->setText(stack.canUndo() ? tr("&Undo: %1").arg(asPlain(stack.undoText())) : tr("&Undo"));
        m_redo->setEnabled(stack.canRedo());
        m_redo->setText(stack.canRedo() ? tr("&Redo: %1").arg(asPlain(stack.redoText())) : tr("&Redo"));
    };
    connect(&stack, &QUndoStack::indexChanged, this, showUndo);
    showUndo();
}

void WindowActions::setTheme(widgets::ThemeChoice choice)
{
    m_themes[size_t(choice)]->setChecked(true);
}

} // namespace quadric::app
