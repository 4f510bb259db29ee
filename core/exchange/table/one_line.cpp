// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/table/one_line.h"

#include <algorithm>

namespace quadric::exchange {

std::string oneLine(std::string text)
{
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    return text;
}

} // namespace quadric::exchange
