// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/translate.h"

#include <QCoreApplication>

#include <string>

namespace quadric::widgets {

QString tr(const char* text)
{
    return QCoreApplication::translate("quadric::widgets", text);
}

QString catalogueText(std::string_view text)
{
    return text.empty() ? QString() : QCoreApplication::translate("catalogue", std::string(text).c_str());
}

} // namespace quadric::widgets
