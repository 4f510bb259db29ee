// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/palette_entries.h"

#include "app/gui/command_palette.h"
#include "app/gui/dialogs/help.h"
#include "app/gui/frame/pages.h"
#include "app/gui/frame/rail.h"
#include "core/study/study.h"
#include "widgets/gallery/view_registry.h"
#include "widgets/text/text_dialog.h"
#include "widgets/text/wording.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QPushButton>
#include <QStringList>

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

} // namespace

std::vector<PaletteEntry> menuEntries(const QMenuBar& menus, bool isStudyOpen)
{
    std::vector<PaletteEntry> entries;
    for (const QAction* action : menus.actions())
        if (const QMenu* menu = action->menu())
            addActions(entries, *menu, withoutMnemonic(action->text()), isStudyOpen);
    return entries;
}

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

} // namespace quadric::app
