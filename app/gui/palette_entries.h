// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/view_kind.h"

#include <QKeySequence>
#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

class QMenuBar;
class QWidget;

namespace quadric::study {
struct Study;
}

namespace quadric::app {

/// Something that the command palette finds and does.
struct PaletteEntry {
    QString title; ///< "Export plots…"
    QString where; ///< "Study", "Explore", "Factor": what it is, or where it stands in the window
    QKeySequence keys = {};
    std::function<void()> run;
    QString whyNot = {}; ///< why it cannot be done now; empty: it can
};

/// Every action of the menus.
std::vector<PaletteEntry> menuEntries(const QMenuBar& menus, bool isStudyOpen);

/// The buttons of `page` that can be seen.
std::vector<PaletteEntry> buttonEntries(const QWidget& page, const QString& where);

/// Every view of the registry; `show` takes to it.
std::vector<PaletteEntry> viewEntries(const std::function<void(const widgets::ViewKind&)>& show,
                                      bool isStudyOpen);

/// Every factor and response of the study.
std::vector<PaletteEntry> variableEntries(const study::Study& study,
                                          const std::function<void(const std::string&)>& showFactor,
                                          const std::function<void(const std::string&)>& showResponse);

/// Every page of the help, what every view is, and every section of the methods. `window` is what they open
/// beside.
std::vector<PaletteEntry> helpEntries(QWidget& window);

/// Recent studies by name and folder.
std::vector<PaletteEntry> recentEntries(const QStringList& paths,
                                        const std::function<void(const QString&)>& open);

} // namespace quadric::app
