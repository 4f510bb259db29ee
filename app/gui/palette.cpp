// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/palette.h"

#include "app/gui/command_palette.h"
#include "app/gui/frame/pages.h"
#include "app/gui/frame/rail.h"
#include "app/gui/session/study_editor.h"
#include "widgets/design/design_page.h"
#include "widgets/explore/explore_page.h"

#include <QMainWindow>
#include <QMenuBar>

#include <algorithm>

namespace quadric::app {

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
