// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/export/formats.h"

#include "core/exchange/export/documents.h"
#include "core/exchange/export/fit_script.h"
#include "core/exchange/export/study_json.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace quadric::exchange {

namespace {

using Fits = std::vector<model::Fit>;

constexpr std::array<Format, 7> kFormats = {{
    {"csv", "the runs, separated by commas", false,
     [](const study::Study& study, const Fits&) { return delimitedRuns(study, ','); }},
    {"tsv", "the runs, separated by tabs", false,
     [](const study::Study& study, const Fits&) { return delimitedRuns(study, '\t'); }},
    {"json", "the whole study with coded settings", false,
     [](const study::Study& study, const Fits&) { return studyJson(study).dump(2) + "\n"; }},
    {"R", "a script for R that fits the models again", true, rScript},
    {"py", "a script for Python (statsmodels) that fits the models again", true, pythonScript},
    {"md", "runs and models as tables of Markdown", true, markdownTables},
    {"tex", "runs and models as tables of LaTeX", true, latexTables},
}};

bool isSameWord(std::string_view a, std::string_view b)
{
    return std::ranges::equal(
        a, b, {}, [](unsigned char c) { return std::tolower(c); },
        [](unsigned char c) { return std::tolower(c); });
}

} // namespace

std::span<const Format> formats()
{
    return kFormats;
}

const Format* formatNamed(std::string_view name)
{
    const auto* found = std::ranges::find_if(
        kFormats, [name](const Format& format) { return isSameWord(format.name, name); });
    return found == kFormats.end() ? nullptr : found;
}

} // namespace quadric::exchange
