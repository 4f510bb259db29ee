// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/plain_text.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace quadric::exchange {

namespace {

constexpr int kDigits = 5;

} // namespace

std::string shortNumber(double value)
{
    std::array<char, 32> buffer{};
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                            std::chars_format::general, kDigits);
    return {buffer.data(), end};
}

std::string oneLine(std::string text)
{
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    return text;
}

} // namespace quadric::exchange
