// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/cluster/slurm_reason.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace quadric::run {

namespace {

bool hasPart(std::string_view text, std::string_view part)
{
    return text.find(part) != text.npos;
}

/// What bash says before its own messages: "slurm_script: line 12: ".
std::string_view withoutPlace(std::string_view line)
{
    constexpr std::string_view kWord = ": line ";
    const std::size_t word = line.find(kWord);
    if (word == line.npos)
        return line;
    std::size_t end = word + kWord.size();
    while (end < line.size() && std::isdigit(static_cast<unsigned char>(line[end])))
        ++end;
    return line.substr(end).starts_with(": ") ? line.substr(end + 2) : line;
}

std::string_view withoutPreludes(std::string_view line)
{
    line = withoutPlace(line);
    for (const std::string_view prelude :
         {"sbatch: ", "srun: ", "squeue: ", "sinfo: ", "scontrol: ", "scancel: ", "fatal: ", "error: ",
          "allocation failure: ", "Batch job submission failed: "}) {
        if (line.starts_with(prelude))
            line.remove_prefix(prelude.size());
    }
    return line;
}

std::string_view withoutBlanks(std::string_view line)
{
    const std::size_t first = line.find_first_not_of(" \t\r");
    return first == line.npos ? std::string_view()
                              : line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

/// Lines behind a reason that tell what could be done.
bool isAdvice(std::string_view line)
{
    constexpr std::array<std::string_view, 8> starts = {"Try ", "Usage:",    "usage:",           "Please ",
                                                        "See ", "For more ", "More information", "If you "};
    return line.find_first_not_of("-=*_ ") == line.npos || hasPart(line, "--help") ||
           std::ranges::any_of(starts, [line](auto start) { return line.starts_with(start); });
}

/// What Slurm says when a plugin of the site has said why in another line.
bool saysNothing(std::string_view line)
{
    return line == "Unspecified error" || line == "Job submission failed" || hasPart(line, "job_submit");
}

bool namesFault(std::string_view line)
{
    constexpr std::array<std::string_view, 14> words = {
        "rror",  "annot",    "not found", "unknown", "nrecognized", "nvalid",  "No such",
        "ailed", "nable to", "denied",    "must ",   "refused",     "missing", "not permitted"};
    return std::ranges::any_of(words, [line](auto word) { return hasPart(line, word); });
}

/// The last of the lines for which this is true; empty without one.
template <class Wanted> std::string_view findLast(const std::vector<std::string_view>& lines, Wanted wanted)
{
    const auto found = std::find_if(lines.rbegin(), lines.rend(), wanted);
    return found == lines.rend() ? std::string_view() : *found;
}

} // namespace

std::string findReason(std::string_view standardError)
{
    std::vector<std::string_view> lines;
    while (!standardError.empty()) {
        const std::size_t end = std::min(standardError.find('\n'), standardError.size());
        const std::string_view line = withoutBlanks(standardError.substr(0, end));
        if (!line.empty() && !isAdvice(line))
            lines.push_back(withoutPreludes(line));
        standardError.remove_prefix(std::min(end + 1, standardError.size()));
    }
    const auto tells = [](std::string_view line) { return !saysNothing(line); };
    for (const std::string_view found :
         {findLast(lines, [&](auto line) { return tells(line) && namesFault(line); }), findLast(lines, tells),
          lines.empty() ? std::string_view() : lines.back()}) {
        if (!found.empty())
            return std::string(found);
    }
    return "no reason given";
}

} // namespace quadric::run
