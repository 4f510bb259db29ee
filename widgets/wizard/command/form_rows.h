// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFormLayout>

#include <vector>

class QPushButton;

namespace quadric::widgets {

/// The field with a button at its right.
QWidget* besideButton(QWidget* field, QPushButton* button);

/// A row of a form whose parts stand one under the other; what is hidden takes no room. The label leads to
/// `field`.
void addRowOf(QFormLayout& form, const QString& title, QWidget* field, const std::vector<QWidget*>& parts);

} // namespace quadric::widgets
