// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/secrets.h"

#include "core/text/secret_words.h"

#include <algorithm>
#include <vector>

namespace quadric::text {

namespace {

/// A part of the text from `begin` to before `end`.
struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
};

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

    void findBlocks();
    void findPassword(std::size_t at);
    void findAssigned(std::size_t at);
    void findToken(std::size_t at);
    void findOptions();
    void findRandomWords();
    void addValue(std::size_t begin, bool needsDoubt);

    std::string_view m_text;
    std::vector<Span> m_found;
};

bool isQuote(char c)
{
    return c == '"' || c == '\'';
}

bool endsValue(char c)
{
    return isBlank(c) || std::string_view("\"',;&)]}").find(c) != std::string_view::npos;
}

/// PEM, up to its last line or the end of the text.
void Finder::findBlocks()
{
    constexpr std::string_view kBegin = "-----BEGIN ", kEnd = "-----END ", kDashes = "-----";
    for (std::size_t at = m_text.find(kBegin); at != m_text.npos; at = m_text.find(kBegin, at + 1)) {
        const std::size_t last = m_text.find(kEnd, at);
        const std::size_t dashes = last == m_text.npos ? last : m_text.find(kDashes, last + kEnd.size());
        add(at, dashes == m_text.npos ? m_text.size() : dashes + kDashes.size());
    }
}

/// "user:password@host", with a scheme or without: what stands before the @.
void Finder::findPassword(std::size_t at)
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

/// The value that begins here; with `needsDoubt` no plain word ("token: expected").
void Finder::addValue(std::size_t begin, bool needsDoubt)
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

/// "name=value", "name: value", "\"name\": \"value\"".
void Finder::findAssigned(std::size_t at)
{
    std::size_t end = beginOf(at, [](char c) { return c == ' '; });
    const bool isQuoted = end > 0 && isQuote(m_text[end - 1]);
    end -= isQuoted ? 1 : 0;
    const std::size_t begin = beginOf(end, isOfName);
    if (begin < end && !m_text.substr(at).starts_with("://") && namesSecret(part(begin, end)))
        addValue(at + 1, m_text[at] == ':' && !isQuoted);
}

void Finder::findToken(std::size_t at)
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
void Finder::findOptions()
{
    for (std::size_t at = m_text.find("--"); at != m_text.npos; at = m_text.find("--", at + 2)) {
        const std::size_t end = endOf(at + 2, isOfName);
        if (end < m_text.size() && m_text[end] == ' ' && namesSecret(part(at + 2, end)))
            addValue(end, false);
    }
}

void Finder::findRandomWords()
{
    for (std::size_t begin = 0; begin < m_text.size(); ++begin) {
        const std::size_t end = endOf(begin, isOfToken);
        if (looksRandom(part(begin, end)))
            add(begin, end);
        begin = end;
    }
}

} // namespace

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
