// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QComboBox;
class QHBoxLayout;
class QVBoxLayout;
class QWidget;

namespace quadric::widgets {

/// Adds a caption and, beside it, a chooser that takes the room that is left in the row. The caption is the
/// chooser's accessible name.
QComboBox* addLabeledChooser(QHBoxLayout& row, const QString& label, QWidget* parent);

/// The same below its caption, as wide as the column.
QComboBox* addChooserBelowLabel(QVBoxLayout& column, const QString& label, QWidget* parent);

} // namespace quadric::widgets
