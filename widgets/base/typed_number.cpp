// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/typed_number.h"

#include "core/text/read_number.h"

namespace quadric::widgets {

std::optional<double> typedNumber(const QString& text)
{
    const std::string typed = text.toStdString();
    const auto withPoint = text::readNumber(typed, '.');
    const auto withComma = text::readNumber(typed, ',');
    if (!withPoint || !withComma)
        return withPoint ? withPoint : withComma;
    const bool isAmbiguous = *withPoint != *withComma && typed.find(',') != std::string::npos;
    return isAmbiguous ? std::nullopt : withPoint;
}

} // namespace quadric::widgets
