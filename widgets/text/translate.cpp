// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/translate.h"

#include <QCoreApplication>

namespace quadric::widgets {

QString tr(const char* text)
{
    return QCoreApplication::translate("quadric::widgets", text);
}

} // namespace quadric::widgets
