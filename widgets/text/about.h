// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace quadric::widgets {

/// What a picture or a table is, for somebody who sees it for the first time.
struct About {
    QString title;
    QString text;      ///< what it shows and how it is read, as Markdown
    QString section;   ///< heading in docs/methods that says how it is computed; empty: none
    QString view = {}; ///< id of the view, where it is one

    bool isEmpty() const { return text.isEmpty(); }
};

/// The page of docs/methods that has this heading, as a resource; empty where none has.
QString findMethod(const QString& heading);

/// Opens the explanation beside the window, without blocking it; the page of the methods is one click away
/// where one has the heading.
void showAbout(QWidget* parent, const About& about);

} // namespace quadric::widgets
