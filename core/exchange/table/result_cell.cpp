// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/table/result_cell.h"

#include "core/exchange/table/delimited.h"
#include "core/text/read_number.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace quadric::exchange {

namespace {

constexpr std::string_view kUnknownCause = "cause-not-given";

constexpr std::array<std::string_view, 28> kMissingWords = {
    "",    "n/a", "na",    "n.a.",    "n. a.",   "nan",    "none",  "null",        "nil",  "missing",
    "?",   ".",   "-",     "--",      "–",       "—",      "*",     "tbd",         "#n/a", "#na",
    "n/d", "nd",  "#num!", "#value!", "#div/0!", "#null!", "#ref!", "not measured"};

struct FailureWords {
    std::string_view part; ///< of the cell, in small letters
    std::string_view kind;
};
constexpr std::array<FailureWords, 27> kFailureWords = {{{"oom", "out-of-memory"},
                                                         {"out of memory", "out-of-memory"},
                                                         {"out-of-memory", "out-of-memory"},
                                                         {"out_of_memory", "out-of-memory"},
                                                         {"outofmemory", "out-of-memory"},
                                                         {"memoryerror", "out-of-memory"},
                                                         {"timeout", "timeout"},
                                                         {"time-out", "timeout"},
                                                         {"time out", "timeout"},
                                                         {"timed out", "timeout"},
                                                         {"time limit", "timeout"},
                                                         {"cancel", "cancelled"},
                                                         {"diverge", "diverged"},
                                                         {"infinity", "bad-output"},
                                                         {"+inf", "bad-output"},
                                                         {"-inf", "bad-output"},
                                                         {"crash", "crash"},
                                                         {"segfault", "crash"},
                                                         {"segmentation fault", "crash"},
                                                         {"core dumped", "crash"},
                                                         {"killed", "crash"},
                                                         {"abort", "crash"},
                                                         {"exception", "crash"},
                                                         {"traceback", "crash"},
                                                         {"exit status", "crash"},
                                                         {"fail", kUnknownCause},
                                                         {"error", kUnknownCause}}};

std::string lowered(std::string_view text)
{
    std::string small(text::withoutBlanks(text));
    std::ranges::transform(small, small.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return small;
}

bool isLetter(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

/// "oom" is a word of "CUDA OOM", and none of "bloom" or "room".
bool beginsWord(const std::string& text, std::string_view part)
{
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        const std::size_t end = at + part.size();
        const bool isShort = part.size() <= 4;
        if ((at == 0 || !isLetter(text[at - 1])) &&
            (!isShort || part == "fail" || end == text.size() || !isLetter(text[end])))
            return true;
    }
    return false;
}

} // namespace

std::string failureIn(std::string_view words)
{
    const std::string text = lowered(words);
    if (text == "inf")
        return "bad-output";
    for (const FailureWords& each : kFailureWords)
        if (beginsWord(text, each.part))
            return std::string(each.kind);
    return {};
}

ResultCell readResultCell(std::string_view cell, bool decimalComma)
{
    using Kind = ResultCell::Kind;
    if (const auto number = numberIn(cell, decimalComma))
        return {.kind = Kind::Number, .value = *number, .unit = {}, .failure = {}};
    if (std::ranges::find(kMissingWords, lowered(cell)) != kMissingWords.end())
        return {};
    if (std::string failure = failureIn(cell); !failure.empty())
        return {.kind = Kind::Failed, .value = 0, .unit = {}, .failure = std::move(failure)};
    if (auto number = text::readNumberWithUnit(cell, decimalComma ? ',' : '.'))
        return {.kind = Kind::Number, .value = number->value, .unit = std::move(number->unit), .failure = {}};
    return {.kind = Kind::Unreadable, .value = 0, .unit = {}, .failure = {}};
}

std::string toText(const study::Failure& failure)
{
    return failure.kind + (failure.message.empty() ? ":" : ": " + failure.message);
}

study::Failure failureFrom(const std::string& text)
{
    const std::size_t end = std::min(text.find(':'), text.size());
    const std::string kind = text.substr(0, end);
    const bool isWord = !kind.empty() && std::ranges::all_of(kind, [](char c) {
        return c == '-' || c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    });
    if (isWord && end < text.size()) {
        const std::string_view message = text::withoutBlanks(std::string_view(text).substr(end + 1));
        return {.kind = kind, .message = std::string(message), .unknown = {}};
    }
    const std::string found = failureIn(text);
    return {.kind = found.empty() ? std::string(kUnknownCause) : found, .message = text, .unknown = {}};
}

} // namespace quadric::exchange
