// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/wrapped_label.h"

#include <QLabel>

namespace quadric::widgets {

QLabel* wrappedLabel(const QString& richText)
{
    auto* label = new QLabel(richText);
    label->setTextFormat(Qt::RichText);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace quadric::widgets
