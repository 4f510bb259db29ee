// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/table/encoding.h"

#include "core/exchange/table/delimited.h"

#include <algorithm>
#include <array>

namespace quadric::exchange {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// A character of several bytes: the least and the largest second byte leave out overlong forms, surrogates
/// and what lies behind U+10FFFF (The Unicode Standard, table 3-7).
struct Lead {
    unsigned char first, last;
    std::size_t length;
    unsigned char least = 0x80, most = 0xBF;
};
constexpr std::array<Lead, 8> kLeads = {{{0xC2, 0xDF, 2},
                                         {0xE0, 0xE0, 3, 0xA0},
                                         {0xE1, 0xEC, 3},
                                         {0xED, 0xED, 3, 0x80, 0x9F},
                                         {0xEE, 0xEF, 3},
                                         {0xF0, 0xF0, 4, 0x90},
                                         {0xF1, 0xF3, 4},
                                         {0xF4, 0xF4, 4, 0x80, 0x8F}}};

/// Bytes of the character that the text begins with; 0 where it is none.
std::size_t characterLength(std::string_view text)
{
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) < 0x80)
        return 1;
    const auto* lead = std::ranges::find_if(
        kLeads, [&](const Lead& each) { return each.first <= byte(0) && byte(0) <= each.last; });
    if (lead == kLeads.end() || text.size() < lead->length || byte(1) < lead->least || byte(1) > lead->most)
        return 0;
    for (std::size_t i = 2; i < lead->length; ++i) {
        if (byte(i) < 0x80 || byte(i) > 0xBF)
            return 0;
    }
    return lead->length;
}

bool isUtf8(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        if (length == 0)
            return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string fromLatin1(std::string_view text)
{
    std::string utf8;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80)
            utf8 += c;
        else
            utf8 += {static_cast<char>(0xC0 | (byte >> 6)), static_cast<char>(0x80 | (byte & 0x3F))};
    }
    return utf8;
}

} // namespace

std::string asUtf8(std::string_view text, const std::string& name, std::vector<std::string>& notes)
{
    if (text.starts_with(kByteOrderMark))
        text.remove_prefix(kByteOrderMark.size());
    if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
        throw ImportError(name + ": line " +
                          std::to_string(1 + std::ranges::count(text.substr(0, zero), '\n')) +
                          " contains a zero byte, expected text in UTF-8");
    if (isUtf8(text))
        return std::string(text);
    notes.push_back("the text is not UTF-8; it is read as Latin-1");
    return fromLatin1(text);
}

} // namespace quadric::exchange
