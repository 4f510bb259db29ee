// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/visible_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace quadric::text {

namespace {

struct CodePoints {
    std::uint32_t first;
    std::uint32_t last;
};

/// Beyond ASCII: C1, and what DerivedCoreProperties.txt calls default ignorable, the marks of UAX #9, line
/// separators, annotations, blank letters, and what is no character. In ascending order.
constexpr auto kInvisible = std::to_array<CodePoints>({
    {0x80, 0x9F},       {0xAD, 0xAD},       {0x34F, 0x34F},      {0x61C, 0x61C},     {0x115F, 0x1160},
    {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x200B, 0x200F},    {0x2028, 0x202E},   {0x2060, 0x206F},
    {0x2800, 0x2800},   {0x3164, 0x3164},   {0xFDD0, 0xFDEF},    {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},
    {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},   {0xFFFE, 0xFFFF},    {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
    {0xE0000, 0xE0FFF}, {0x1FFFE, 0x1FFFF}, {0xFFFFE, 0x10FFFF},
});

bool isInvisible(std::uint32_t codePoint)
{
    return std::ranges::any_of(kInvisible, [codePoint](const CodePoints& range) {
        return range.first <= codePoint && codePoint <= range.last;
    });
}

struct Decoded {
    std::uint32_t codePoint = 0;
    std::size_t size = 0;
};

/// The code point at the beginning of `text`; nothing where its bytes are no UTF-8 (RFC 3629: neither
/// overlong, nor a surrogate, nor above U+10FFFF).
std::optional<Decoded> decodeFirst(std::string_view text)
{
    constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
    const auto lead = static_cast<unsigned char>(text.front());
    if (lead < 0x80)
        return Decoded{lead, 1};
    const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < size)
        return {};
    std::uint32_t codePoint = lead & (0xFFU >> (size + 1));
    for (std::size_t i = 1; i < size; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if ((byte & 0xC0U) != 0x80U)
            return {};
        codePoint = (codePoint << 6U) | (byte & 0x3FU);
    }
    const bool isSurrogate = codePoint >= 0xD800 && codePoint <= 0xDFFF;
    if (codePoint < kLeast.at(size) || codePoint > 0x10FFFF || isSurrogate)
        return {};
    return Decoded{codePoint, size};
}

std::string makeHex(std::uint32_t number)
{
    constexpr std::string_view kHexDigits = "0123456789abcdef";
    std::string hex;
    for (; number != 0 || hex.size() < 2; number >>= 4U)
        hex.insert(hex.begin(), kHexDigits[number & 0xFU]);
    return hex;
}

std::string escapeControl(unsigned char byte)
{
    switch (byte) {
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        return "\\x" + makeHex(byte);
    }
}

std::string makeVisibleAscii(char c, LineBreaks lineBreaks)
{
    const bool isLayout = c == '\n' || c == '\t';
    const bool isControl = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    if (!isControl || (isLayout && lineBreaks == LineBreaks::Keep))
        return {c};
    return escapeControl(static_cast<unsigned char>(c));
}

/// What is there most often, and stays as it is: printable ASCII.
void takePlain(std::string_view& text, std::string& visible)
{
    const auto isPlain = [](char c) { return c >= ' ' && c < 0x7F; };
    const auto size = static_cast<std::size_t>(std::ranges::find_if_not(text, isPlain) - text.begin());
    visible += text.substr(0, size);
    text.remove_prefix(size);
}

} // namespace

std::string makeVisible(std::string_view text, LineBreaks lineBreaks)
{
    std::string visible;
    visible.reserve(text.size());
    for (takePlain(text, visible); !text.empty(); takePlain(text, visible)) {
        const std::optional<Decoded> next = decodeFirst(text);
        const std::size_t size = next ? next->size : 1;
        if (!next)
            visible += "\\x" + makeHex(static_cast<unsigned char>(text.front()));
        else if (size == 1)
            visible += makeVisibleAscii(text.front(), lineBreaks);
        else if (isInvisible(next->codePoint))
            visible += "\\u{" + makeHex(next->codePoint) + "}";
        else
            visible += text.substr(0, size);
        text.remove_prefix(size);
    }
    return visible;
}

} // namespace quadric::text
