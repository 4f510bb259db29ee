// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace quadric::app {

/// Opens the help text of a page beside the window, without blocking it. `topic` is a file of resources/help
/// without its ending.
void showHelp(QWidget* window, const QString& topic);

/// Opens what the view is that has the focus in the window; false where none has it.
bool showHelpOnFocus(QWidget& window);

} // namespace quadric::app
