// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/visible_text.h"

#include "core/text/secret_words.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

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

/// A part of the text from `begin` to before `end`.
struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
};

bool isQuote(char c)
{
    return c == '"' || c == '\'';
}

bool endsValue(char c)
{
    return isBlank(c) || std::string_view("\"',;&)]}").find(c) != std::string_view::npos;
}

class Finder {
public:
    explicit Finder(std::string_view text)
        : m_text(text)
    {
    }

    std::vector<Span> findAll()
    {
        findBlocks();
        for (std::size_t at = 0; at < m_text.size(); ++at) {
            if (m_text[at] == '@')
                findPassword(at);
            else if (m_text[at] == '=' || m_text[at] == ':')
                findAssigned(at);
            else if (isLetterOrDigit(m_text[at]) && (at == 0 || !isLetterOrDigit(m_text[at - 1])))
                findToken(at);
        }
        findOptions();
        findRandomWords();
        return std::move(m_found);
    }

private:
    std::string_view part(std::size_t begin, std::size_t end) const
    {
        return m_text.substr(begin, end - begin);
    }

    template <class Holds> std::size_t endOf(std::size_t begin, Holds holds) const
    {
        while (begin < m_text.size() && holds(m_text[begin]))
            ++begin;
        return begin;
    }

    template <class Holds> std::size_t beginOf(std::size_t end, Holds holds) const
    {
        while (end > 0 && holds(m_text[end - 1]))
            --end;
        return end;
    }

    std::size_t skipBlanks(std::size_t at) const
    {
        return endOf(at, [](char c) { return c == ' ' || c == '\t'; });
    }

    void add(std::size_t begin, std::size_t end)
    {
        if (begin < end)
            m_found.push_back({begin, end});
    }

    /// PEM, up to its last line or the end of the text.
    void findBlocks()
    {
        constexpr std::string_view kBegin = "-----BEGIN ", kEnd = "-----END ", kDashes = "-----";
        for (std::size_t at = m_text.find(kBegin); at != m_text.npos; at = m_text.find(kBegin, at + 1)) {
            const std::size_t last = m_text.find(kEnd, at);
            const std::size_t dashes = last == m_text.npos ? last : m_text.find(kDashes, last + kEnd.size());
            add(at, dashes == m_text.npos ? m_text.size() : dashes + kDashes.size());
        }
    }

    /// "user:password@host", with a scheme or without: what stands before the @.
    void findPassword(std::size_t at)
    {
        const auto isInside = [](char c) {
            return !isBlank(c) && std::string_view("\"'<>()=,;@").find(c) == std::string_view::npos;
        };
        constexpr std::string_view kScheme = "://";
        std::size_t begin = beginOf(at, isInside);
        const std::size_t scheme = part(begin, at).rfind(kScheme);
        const bool hasScheme = scheme != m_text.npos;
        begin += hasScheme ? scheme + kScheme.size() : 0;
        if (holdsPassword(part(begin, at), m_text.substr(at + 1), hasScheme))
            add(begin, at);
    }

    /// "name=value", "name: value", "\"name\": \"value\"".
    void findAssigned(std::size_t at)
    {
        std::size_t end = beginOf(at, [](char c) { return c == ' '; });
        const bool isQuoted = end > 0 && isQuote(m_text[end - 1]);
        end -= isQuoted ? 1 : 0;
        const std::size_t begin = beginOf(end, isOfName);
        if (begin < end && !m_text.substr(at).starts_with("://") && namesSecret(part(begin, end)))
            addValue(at + 1, m_text[at] == ':' && !isQuoted);
    }

    void findToken(std::size_t at)
    {
        const std::string_view rest = m_text.substr(at);
        if (const std::size_t size = tokenSize(rest); size > 0)
            add(at, at + size);
        else if (const std::size_t word = httpSchemeSize(rest); word > 0) {
            const std::size_t begin = skipBlanks(at + word);
            const std::size_t end = endOf(begin, isOfToken);
            if (begin > at + word && looksEncoded(part(begin, end)))
                add(begin, end);
        }
    }

    /// "--password value".
    void findOptions()
    {
        for (std::size_t at = m_text.find("--"); at != m_text.npos; at = m_text.find("--", at + 2)) {
            const std::size_t end = endOf(at + 2, isOfName);
            if (end < m_text.size() && m_text[end] == ' ' && namesSecret(part(at + 2, end)))
                addValue(end, false);
        }
    }

    void findRandomWords()
    {
        for (std::size_t begin = 0; begin < m_text.size(); ++begin) {
            const std::size_t end = endOf(begin, isOfToken);
            if (looksRandom(part(begin, end)))
                add(begin, end);
            begin = end;
        }
    }

    /// The value that begins here; with `needsDoubt` no plain word ("token: expected").
    void addValue(std::size_t begin, bool needsDoubt)
    {
        begin = skipBlanks(begin);
        const char quote = begin < m_text.size() && isQuote(m_text[begin]) ? m_text[begin++] : '\0';
        if (m_text.substr(begin).starts_with(kLeftOut))
            return;
        const auto isInside = [quote](char c) { return quote == '\0' ? !endsValue(c) : c != quote; };
        std::size_t end = endOf(begin, isInside);
        if (isHttpScheme(part(begin, end)))
            end = endOf(skipBlanks(end), isInside);
        const std::string_view value = part(begin, end);
        if (!isHarmlessValue(value) && !(needsDoubt && isPlainWord(value)))
            add(begin, end);
    }

    std::string_view m_text;
    std::vector<Span> m_found;
};

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

std::string withoutSecrets(std::string_view text)
{
    constexpr std::size_t kShortest = 6; // "a:b@cd"
    if (text.size() < kShortest)
        return std::string(text);
    std::vector<Span> found = Finder(text).findAll();
    std::ranges::sort(found, {}, &Span::begin);
    std::string clean;
    std::size_t done = 0;
    for (const Span& span : found) {
        if (span.end <= done)
            continue;
        if (span.begin >= done)
            clean.append(text.substr(done, span.begin - done)).append(kLeftOut);
        done = span.end;
    }
    return clean.append(text.substr(done));
}

} // namespace quadric::text
