// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/table/file_kind.h"

#include "core/exchange/table/delimited.h"
#include "core/study/files/output_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace quadric::exchange {

namespace {

constexpr std::size_t kMostHead = 4096; ///< what stands before the first element of a picture

std::string_view firstLine(std::string_view text)
{
    return text.substr(0, text.find('\n'));
}

/// Markup with this element among the first.
bool isMarkup(std::string_view text, std::string_view element)
{
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos || text[start] != '<')
        return false;
    std::string head(text.substr(start, kMostHead));
    std::ranges::transform(head, head.begin(), [](unsigned char letter) { return std::tolower(letter); });
    return head.find(element) != std::string::npos;
}

bool isTable(std::string_view text)
{
    if (text.starts_with("order,run,block,") || text.starts_with("order\trun\tblock\t"))
        return true; // of a study without runs, too
    if (text.front() == '{' || text.front() == '[')
        return false;
    try {
        const TextGrid grid = readDelimited(text, "");
        return grid.headers.size() > 1 && grid.separator != '|';
    } catch (const ImportError&) {
        return false;
    }
}

bool isFitScript(std::string_view text)
{
    return text.starts_with("# The models of the study ") &&
           firstLine(text).ends_with("fitted again from its runs.");
}

/// A title, and then nothing but tables with a caption.
bool isTablesInMarkdown(std::string_view text)
{
    const std::size_t caption = text.find("\n**");
    return text.starts_with("# ") && caption != std::string_view::npos &&
           text.substr(caption).find("**\n\n|") != std::string_view::npos &&
           std::ranges::count(text.substr(0, caption), '\n') <= 3;
}

bool isTablesInLatex(std::string_view text)
{
    return text.starts_with("% ") && firstLine(text).ends_with("(needs the package booktabs)");
}

bool isHtml(std::string_view text)
{
    return isMarkup(text, "<html");
}

struct Kind {
    std::string_view ending;
    bool (*isKind)(std::string_view text);
};

constexpr auto kKinds = std::to_array<Kind>(
    {{"csv", isTable},
     {"tsv", isTable},
     {"json",
      [](std::string_view text) { return study::documentKindOf(text) == study::DocumentKind::Export; }},
     {"R", [](std::string_view text) { return isFitScript(text) && text.find(" <- ") != text.npos; }},
     {"py", [](std::string_view text) { return isFitScript(text) && text.find("\nimport ") != text.npos; }},
     {"md", isTablesInMarkdown},
     {"tex", isTablesInLatex},
     {"pdf", [](std::string_view text) { return text.starts_with("%PDF-"); }},
     {"html", isHtml},
     {"svg", [](std::string_view text) { return isMarkup(text, "<svg") && !isHtml(text); }},
     {"png", [](std::string_view text) { return text.starts_with("\x89PNG\r\n"); }}});

} // namespace

bool isOfKind(std::string_view text, std::string_view ending)
{
    if (text.empty())
        return true;
    const auto* kind = std::ranges::find(kKinds, ending, &Kind::ending);
    return kind != kKinds.end() && kind->isKind(text);
}

} // namespace quadric::exchange
