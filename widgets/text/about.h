// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace quadric::widgets {

/// What a picture or a table is, for somebody who sees it for the first time.
struct About {
    QString title;
    QString text;    ///< what it shows and how it is read, as Markdown
    QString section; ///< heading of the methods document that says how it is computed; empty: none

    bool isEmpty() const { return text.isEmpty(); }
};

/// Opens the explanation beside the window, without blocking it; the methods document is one click away where
/// the program carries it.
void showAbout(QWidget* parent, const About& about);

} // namespace quadric::widgets
