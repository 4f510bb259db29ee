// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessible>
#include <QStringList>

class QWidget;

namespace quadric::test {

/// What a person who cannot see the window is missing in it: a line for each visible control without a name
/// and each picture without a description, with its place in the tree.
QStringList findNameless(QWidget& window);

/// The first visible element with this role and name; null: none.
QAccessibleInterface* findElement(QWidget& window, QAccessible::Role role, const QString& name);

} // namespace quadric::test
