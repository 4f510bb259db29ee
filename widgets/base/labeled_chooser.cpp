// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/labeled_chooser.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>

namespace quadric::widgets {

namespace {

constexpr int kMostLetters = 32; ///< of a choice: a longer chooser is only farther from what it chooses for

} // namespace

QComboBox* addLabeledChooser(QHBoxLayout& row, const QString& label, QWidget* parent)
{
    auto* chooser = new QComboBox(parent);
    chooser->setAccessibleName(label);
    chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    chooser->setMinimumContentsLength(8);
    chooser->setMaximumWidth(kMostLetters * chooser->fontMetrics().averageCharWidth());
    auto* caption = new QLabel(label, parent);
    caption->setBuddy(chooser);
    row.addWidget(caption);
    row.addWidget(chooser, 1);
    return chooser;
}

} // namespace quadric::widgets
