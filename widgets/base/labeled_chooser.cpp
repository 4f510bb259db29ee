// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/labeled_chooser.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>

namespace quadric::widgets {

namespace {

constexpr int kMostLetters = 32; ///< of a choice: a longer chooser is only farther from what it chooses for

/// The chooser, behind its caption in the layout.
QComboBox* addChooser(QBoxLayout& layout, const QString& label, QWidget* parent, int stretch)
{
    auto* chooser = new QComboBox(parent);
    chooser->setAccessibleName(label);
    chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    chooser->setMinimumContentsLength(8);
    auto* caption = new QLabel(label, parent);
    caption->setBuddy(chooser);
    layout.addWidget(caption);
    layout.addWidget(chooser, stretch);
    return chooser;
}

} // namespace

QComboBox* addLabeledChooser(QHBoxLayout& row, const QString& label, QWidget* parent)
{
    QComboBox* chooser = addChooser(row, label, parent, 1);
    chooser->setMaximumWidth(kMostLetters * chooser->fontMetrics().averageCharWidth());
    return chooser;
}

QComboBox* addChooserBelowLabel(QVBoxLayout& column, const QString& label, QWidget* parent)
{
    return addChooser(column, label, parent, 0);
}

} // namespace quadric::widgets
