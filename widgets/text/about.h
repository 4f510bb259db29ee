// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QDialog;
class QWidget;

namespace quadric::widgets {

/// Opens a Markdown text beside the window, without blocking it: a QTextBrowser above a QDialogButtonBox, as
/// high as the text needs and the screen has.
QDialog& showTextDialog(QWidget* parent, const QString& title, const QString& markdown);

/// Replaces the text of such a dialog by a page of docs/methods (a resource), this heading on top.
void showMethod(QDialog& dialog, const QString& page, const QString& heading);

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
