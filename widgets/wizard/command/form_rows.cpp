// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/command/form_rows.h"

#include "widgets/base/style.h"

#include <QHBoxLayout>

namespace quadric::widgets {

QWidget* besideButton(QWidget* field, QPushButton* button)
{
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGap);
    layout->addWidget(field, 1);
    layout->addWidget(button);
    row->setFocusProxy(field);
    return row;
}

void addRowOf(QFormLayout& form, const QString& title, QWidget* field, const std::vector<QWidget*>& parts)
{
    auto* column = new QWidget;
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGap / 2);
    for (QWidget* part : parts) {
        const bool isLink = qobject_cast<QPushButton*>(part) != nullptr;
        layout->addWidget(part, 0, isLink ? Qt::AlignLeft : Qt::Alignment());
    }
    form.addRow(title, column);
    if (auto* label = qobject_cast<QLabel*>(form.labelForField(column)))
        label->setBuddy(field);
}

} // namespace quadric::widgets
