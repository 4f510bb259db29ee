// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace quadric::app {

/// What did not work, and why.
void showComplaint(QWidget& window, const QString& title, const QString& reason);

/// Asks whether changes may be lost that could not be saved.
bool confirmLosingUnsavedChanges(QWidget& window);

/// Asks whether the command that `question` shows may be executed; `approved` is called when it may.
void askForApproval(QWidget* parent, const QString& question, std::function<void()> approved);

} // namespace quadric::app
