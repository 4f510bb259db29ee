// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window_actions.h"

#include "app/gui/about_box.h"
#include "app/gui/dialogs/study_dialogs.h"
#include "app/gui/dialogs/warnings_dialog.h"
#include "app/gui/exchange_actions.h"
#include "app/gui/frame/rail.h"
#include "app/gui/frame/workspace.h"
#include "app/gui/session/study_session.h"
#include "core/report/findings/advice.h"
#include "widgets/plots/base/plot.h"
#include "widgets/text/wording.h"

#include <QAbstractItemView>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QTextEdit>
#include <QUndoStack>

namespace quadric::app {

namespace {

bool isMenu(const QWidget* widget)
{
    return qobject_cast<const QMenuBar*>(widget) || qobject_cast<const QMenu*>(widget);
}

/// Text can be typed into it.
bool takesText(const QWidget& widget)
{
    return widget.testAttribute(Qt::WA_InputMethodEnabled);
}

bool showsText(const QWidget& widget)
{
    const auto* label = qobject_cast<const QLabel*>(&widget);
    return qobject_cast<const QAbstractItemView*>(&widget) || qobject_cast<const QTextEdit*>(&widget) ||
           (label && label->textInteractionFlags().testFlag(Qt::TextSelectableByMouse));
}

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

ClipboardActions::ClipboardActions(QMenu& menu)
    : QObject(&menu)
{
    m_cut = add(menu, "cut", tr("Cu&t"), QKeySequence::Cut);
    m_copy = add(menu, "copy", tr("&Copy"), QKeySequence::Copy);
    m_paste = add(menu, "paste", tr("&Paste"), QKeySequence::Paste);
    m_selectAll = add(menu, "selectAll", tr("Select &all"), QKeySequence::SelectAll);
    connect(qApp, &QApplication::focusChanged, this,
            [this](const QWidget*, QWidget* now) { followFocus(now); });
    connect(&menu, &QMenu::aboutToShow, this, &ClipboardActions::showWhatIsPossible);
}

QAction* ClipboardActions::add(QMenu& menu, const char* name, const QString& text,
                               QKeySequence::StandardKey key)
{
    QAction* action = menu.addAction(text, this, [this, key] { send(key); });
    action->setObjectName(QLatin1String(name));
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut); // shown only: it takes the key from nobody
    return action;
}

void ClipboardActions::followFocus(QWidget* widget)
{
    if (widget && !isMenu(widget))
        m_focus = widget;
}

void ClipboardActions::showWhatIsPossible()
{
    followFocus(QApplication::focusWidget());
    const auto* view = qobject_cast<const QAbstractItemView*>(m_focus);
    const bool isText = m_focus && takesText(*m_focus);
    const bool isEditable = isText || (view && view->editTriggers() != QAbstractItemView::NoEditTriggers);
    const bool hasText = isText || (m_focus && showsText(*m_focus));
    m_cut->setEnabled(isText && !view);
    m_copy->setEnabled(hasText || qobject_cast<const widgets::Plot*>(m_focus));
    m_paste->setEnabled(isEditable && !QApplication::clipboard()->text().isEmpty());
    m_selectAll->setEnabled(hasText);
}

void ClipboardActions::send(QKeySequence::StandardKey key)
{
    if (!m_focus)
        return;
    const QKeyCombination keys = QKeySequence(key)[0];
    for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease}) {
        QKeyEvent event(type, keys.key(), keys.keyboardModifiers());
        QCoreApplication::sendEvent(m_focus, &event);
    }
}

WindowActions::WindowActions(QMainWindow& window, StudySession& session, StudyDialogs& dialogs,
                             Exchange& exchange)
    : QObject(&window)
    , m_window(window)
    , m_session(session)
    , m_dialogs(dialogs)
    , m_exchange(exchange)
{
    buildStudyMenu(*window.menuBar()->addMenu(tr("&Study")));
    buildEditMenu(*window.menuBar()->addMenu(tr("&Edit")));
    buildViewMenu(*window.menuBar()->addMenu(tr("&View")));
    buildHelpMenu(*window.menuBar()->addMenu(tr("&Help")));
    followUndoStack(m_session.editor().undoStack());
}

void WindowActions::buildStudyMenu(QMenu& menu)
{
    menu.addAction(tr("&New…"), QKeySequence::New, &m_dialogs, &StudyDialogs::newStudy);
    auto* likeThis =
        menu.addAction(tr("New study like &this one…"), &m_dialogs, &StudyDialogs::newStudyLikeThis);
    menu.addAction(tr("&Open…"), QKeySequence::Open, &m_dialogs, &StudyDialogs::chooseStudy);
    menu.addAction(tr("&Import…"), QKeySequence(Qt::CTRL | Qt::Key_I), &m_exchange, &Exchange::chooseImport);
    menu.addSeparator();
    auto* save = menu.addAction(tr("&Save"), QKeySequence::Save, &m_session.autosave(), &Autosave::saveNow);
    auto* saveAs = menu.addAction(tr("Save &as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), &m_dialogs,
                                  &StudyDialogs::chooseSavePath);
    auto* exportTo = menu.addAction(tr("&Export…"), QKeySequence(Qt::CTRL | Qt::Key_E), &m_exchange,
                                    &Exchange::chooseExport);
    auto* exportPlots = menu.addAction(tr("Export &plots…"), &m_dialogs, &StudyDialogs::exportPlots);
    menu.addSeparator();
    auto* audit = menu.addAction(tr("Chec&k claims…"), &m_exchange, &Exchange::showAudit);
    auto* compare = menu.addAction(tr("Co&mpare with a study…"), &m_exchange, &Exchange::chooseComparison);
    menu.addSeparator();
    auto* close = menu.addAction(tr("&Close study"), QKeySequence(Qt::CTRL | Qt::Key_W), this,
                                 &WindowActions::closeRequested);
    menu.addSeparator();
    menu.addAction(tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), &m_window, &QWidget::close);
    m_needStudy.insert(m_needStudy.end(),
                       {likeThis, save, saveAs, exportTo, exportPlots, audit, compare, close});
}

void WindowActions::buildEditMenu(QMenu& menu)
{
    m_undo = menu.addAction(tr("&Undo"), QKeySequence(Qt::CTRL | Qt::Key_Z), &m_session.editor(),
                            &StudyEditor::undo);
    m_redo = menu.addAction(tr("&Redo"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), &m_session.editor(),
                            &StudyEditor::redo);
    m_undo->setObjectName(QStringLiteral("undo"));
    m_redo->setObjectName(QStringLiteral("redo"));
    menu.addSeparator();
    new ClipboardActions(menu);
    menu.addSeparator();
    m_needStudy.push_back(menu.addAction(tr("&Design…"), &m_dialogs,
                                         [this] { m_dialogs.editDesign(widgets::WizardStep::Design); }));
    menu.addSeparator();
    m_needStudy.push_back(
        menu.addAction(tr("Copy runs for a &spreadsheet"), &m_exchange, &Exchange::copyRuns));
    m_needStudy.push_back(
        menu.addAction(tr("Copy runs and models as &Markdown"), &m_exchange, &Exchange::copyTables));
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
    menu.addAction(tr("&About Quadric"), &m_window, [this] { showAbout(m_window); })
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

Remedies::Remedies(StudyEditor& editor, Pages& pages, QWidget& window)
    : QObject(&window)
    , m_editor(editor)
    , m_pages(pages)
    , m_window(window)
{
}

void Remedies::showWarnings()
{
    if (!m_editor.isOpen())
        return;
    auto* dialog = new WarningsDialog(*m_editor.context(), &m_window);
    connect(dialog, &WarningsDialog::remedyRequested, this, &Remedies::take);
    dialog->open();
}

void Remedies::take(const report::Finding& finding)
{
    switch (report::findRemedy(finding)) {
    case report::Remedy::ShowRuns:
        emit stepRequested(widgets::Step::Run);
        return m_pages.pickRuns(finding.runs.front());
    case report::Remedy::AddRuns:
        return emit stepRequested(widgets::Step::Design);
    case report::Remedy::None:
        break;
    }
}

} // namespace quadric::app
