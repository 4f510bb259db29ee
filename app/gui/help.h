// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QDialog;
class QWidget;

namespace quadric::app {

/// Opens a text beside the window, in a QTextBrowser, without blocking it.
QDialog& showText(QWidget* window, const QString& title, const QString& markdown);

/// Opens the help text of a page beside the window, without blocking it. `topic` is a file of resources/help
/// without its ending.
void showHelp(QWidget* window, const QString& topic);

} // namespace quadric::app
