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

} // namespace quadric::widgets
