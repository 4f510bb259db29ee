// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/axis_choosers.h"

#include "widgets/text/wording.h"

#include <QComboBox>
#include <QSignalBlocker>

#include <algorithm>

namespace quadric::widgets {

void fillAxisChoosers(QComboBox& first, QComboBox& second, const std::vector<study::Factor>& factors)
{
    QStringList names, shown;
    QList<int> indices;
    for (std::size_t i = 0; i < factors.size(); ++i)
        if (factors[i].isNumeric()) {
            names << nameText(factors[i].name);
            indices << static_cast<int>(i);
        }
    for (int i = 0; i < first.count(); ++i)
        shown << first.itemText(i);
    if (shown == names)
        return;
    for (QComboBox* chooser : {&first, &second}) {
        const QSignalBlocker quiet(chooser);
        chooser->clear();
        for (qsizetype i = 0; i < names.size(); ++i)
            chooser->addItem(names[i], indices[i]);
        chooser->setCurrentIndex(chooser == &second ? std::min(1, chooser->count() - 1) : 0);
    }
}

} // namespace quadric::widgets
