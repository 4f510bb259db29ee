// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/palette.h"

#include "app/gui/command_palette.h"
#include "app/gui/dialogs/warnings_dialog.h"
#include "app/gui/frame/rail.h"
#include "app/gui/frame/workspace.h"
#include "app/gui/session/study_editor.h"
#include "core/study/study.h"
#include "widgets/design/design_page.h"
#include "widgets/explore/explore_page.h"
#include "widgets/gallery/gallery.h"
#include "widgets/text/about.h"
#include "widgets/text/wording.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QPushButton>

#include <algorithm>

namespace quadric::app {

namespace {

/// "Save && close (&A)" as it reads.
QString withoutMnemonic(QString text)
{
    QString plain;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == QLatin1Char('&') && i + 1 < text.size())
            ++i;
        plain += text[i];
    }
    return plain;
}

void addActions(std::vector<PaletteEntry>& entries, const QMenu& menu, const QString& where, bool isStudyOpen)
{
    for (QAction* action : menu.actions()) {
        if (action->isSeparator() || !action->isVisible())
            continue;
        const QString title = withoutMnemonic(action->text());
        if (action->menu()) {
            addActions(entries, *action->menu(), where + QStringLiteral(" › ") + title, isStudyOpen);
            continue;
        }
        const QString whyNot = action->isEnabled() ? QString()
                               : isStudyOpen       ? CommandPalette::tr("not possible now")
                                                   : CommandPalette::tr("needs an open study");
        entries.push_back({title, where, action->shortcut(),
                           [action = QPointer<QAction>(action)] {
                               if (action)
                                   action->trigger();
                           },
                           whyNot});
    }
}

/// The headings of a Markdown file, its first one first.
QStringList headingsOf(const QString& path)
{
    QStringList headings;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return headings;
    for (const QString& line : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n')))
        if (line.startsWith(QLatin1String("# ")) || line.startsWith(QLatin1String("## ")))
            headings << line.section(QLatin1Char(' '), 1);
    return headings;
}

void addTopics(std::vector<PaletteEntry>& entries, QWidget& window)
{
    for (const QFileInfo& file : QDir(QStringLiteral(":/help")).entryInfoList({QStringLiteral("*.md")})) {
        const QString topic = file.completeBaseName();
        const bool isWizard = topic.startsWith(QLatin1String("wizard-"));
        for (const QString& heading : headingsOf(file.filePath()))
            entries.push_back(
                {heading,
                 isWizard ? CommandPalette::tr("Help on the wizard") : CommandPalette::tr("Help"),
                 {},
                 [&window, topic] { showHelp(&window, topic); }});
    }
}

void addMethods(std::vector<PaletteEntry>& entries, QWidget& window)
{
    for (const QFileInfo& file :
         QDir(QStringLiteral(":/help/methods")).entryInfoList({QStringLiteral("*.md")}))
        for (const QString& heading : headingsOf(file.filePath()))
            entries.push_back(
                {heading, CommandPalette::tr("How it is computed"), {}, [&window, file, heading] {
                     widgets::showMethod(widgets::showTextDialog(&window, heading, {}), file.filePath(),
                                         heading);
                 }});
}

/// The buttons of `page` that can be seen.
std::vector<PaletteEntry> buttonEntries(const QWidget& page, const QString& where)
{
    std::vector<PaletteEntry> entries;
    for (QPushButton* button : page.findChildren<QPushButton*>())
        if (button->isVisible() && !button->text().isEmpty())
            entries.push_back({withoutMnemonic(button->text()), where, button->shortcut(),
                               [button = QPointer<QPushButton>(button)] {
                                   if (button)
                                       button->click();
                               },
                               button->isEnabled() ? QString() : CommandPalette::tr("not possible now")});
    return entries;
}

/// Every page of the help, what every view is, and every section of the methods. `window` is what they open
/// beside.
std::vector<PaletteEntry> helpEntries(QWidget& window)
{
    std::vector<PaletteEntry> entries;
    addTopics(entries, window);
    for (const widgets::ViewKind& kind : widgets::viewKinds())
        entries.push_back({kind.title, CommandPalette::tr("What is this?"), {}, [&window, kind] {
                               widgets::showAbout(&window, widgets::aboutView(kind));
                           }});
    addMethods(entries, window);
    return entries;
}

/// Every action of the menus.
std::vector<PaletteEntry> menuEntries(const QMenuBar& menus, bool isStudyOpen)
{
    std::vector<PaletteEntry> entries;
    for (const QAction* action : menus.actions())
        if (const QMenu* menu = action->menu())
            addActions(entries, *menu, withoutMnemonic(action->text()), isStudyOpen);
    return entries;
}

/// Recent studies by name and folder.
std::vector<PaletteEntry> recentEntries(const QStringList& paths,
                                        const std::function<void(const QString&)>& open)
{
    std::vector<PaletteEntry> entries;
    for (const QString& path : paths)
        if (const QFileInfo file(path); file.exists())
            entries.push_back({file.completeBaseName(),
                               CommandPalette::tr("Recent study in %1").arg(file.dir().dirName()),
                               {},
                               [open, path] { open(path); }});
    return entries;
}

/// Every factor and response of the study.
std::vector<PaletteEntry> variableEntries(const study::Study& study,
                                          const std::function<void(const std::string&)>& showFactor,
                                          const std::function<void(const std::string&)>& showResponse)
{
    std::vector<PaletteEntry> entries;
    for (const study::Factor& factor : study.factors)
        entries.push_back({widgets::nameWithUnit(factor.name, factor.unit),
                           CommandPalette::tr("Factor"),
                           {},
                           [showFactor, name = factor.name] { showFactor(name); }});
    for (const study::Response& response : study.responses)
        entries.push_back({widgets::nameWithUnit(response.name, response.unit),
                           CommandPalette::tr("Response"),
                           {},
                           [showResponse, name = response.name] { showResponse(name); }});
    return entries;
}

/// Every view of the registry; `show` takes to it.
std::vector<PaletteEntry> viewEntries(const std::function<void(const widgets::ViewKind&)>& show,
                                      bool isStudyOpen)
{
    std::vector<PaletteEntry> entries;
    for (const widgets::ViewKind& kind : widgets::viewKinds())
        entries.push_back({kind.title,
                           stepName(stepOf(kind.page)),
                           {},
                           [show, kind] { show(kind); },
                           isStudyOpen ? QString() : CommandPalette::tr("needs an open study")});
    return entries;
}

} // namespace

Palette::Palette(const StudyEditor& editor, Pages& pages, QMainWindow& window)
    : QObject(&window)
    , m_editor(editor)
    , m_pages(pages)
    , m_window(window)
{
}

void Palette::show(const QStringList& recentStudies)
{
    const bool isOpen = m_editor.isOpen();
    std::vector<PaletteEntry> all = menuEntries(*m_window.menuBar(), isOpen);
    const auto add = [&all](const std::vector<PaletteEntry>& more) {
        all.insert(all.end(), more.begin(), more.end());
    };
    if (isOpen) {
        add(buttonEntries(m_pages.page(), stepName(m_pages.step())));
        add(variableEntries(
            m_editor.context()->study, [this](const std::string& name) { showFactor(name); },
            [this](const std::string& name) { showResponse(name); }));
    }
    add(viewEntries(
        [this](const widgets::ViewKind& kind) {
            emit stepRequested(stepOf(kind.page));
            m_pages.showView(kind);
        },
        isOpen));
    add(recentEntries(recentStudies, [this](const QString& path) { emit studyPicked(path); }));
    add(helpEntries(m_window));
    (new CommandPalette(std::move(all), &m_window))->open();
}

void Palette::showFactor(const std::string& name)
{
    emit stepRequested(widgets::Step::Design);
    m_pages.designPage().showVariable(name);
}

/// Where its model is; in the table where there is none yet.
void Palette::showResponse(const std::string& name)
{
    const auto& fits = m_editor.context()->fits;
    const bool hasModel =
        std::ranges::any_of(fits, [&](const model::Fit& fit) { return fit.response == name && fit.isOk(); });
    if (!hasModel)
        return showFactor(name);
    emit stepRequested(widgets::Step::Explore);
    m_pages.explorePage().showResponse(QString::fromStdString(name));
}

} // namespace quadric::app
