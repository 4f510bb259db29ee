// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/translate.h"

#include <QCoreApplication>

namespace quadric::widgets {

QString tr(const char* text)
{
    return QCoreApplication::translate("quadric::widgets", text);
}

QString fromUtf8(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace quadric::widgets
