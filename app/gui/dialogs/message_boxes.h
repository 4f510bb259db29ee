// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace quadric::app {

/// What did not work, and why.
void showComplaint(QWidget& window, const QString& title, const QString& reason);

/// Asks whether changes that cannot be saved while an experiment runs may be lost.
bool mayLoseChangesOfARunningStudy(QWidget& window);

/// Asks whether changes may be lost that could not be saved.
bool mayLoseUnsavedChanges(QWidget& window);

} // namespace quadric::app
