// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/next/near_runs.h"

#include <algorithm>
#include <array>

namespace quadric::optimize {

namespace {

constexpr const char* kOptimizePage = "optimize";
constexpr const char* kExtrapolation = "extrapolation";
constexpr std::array<std::string_view, 3> kNearRunNames{"off", "warn", "on"};

bool isChoice(const std::vector<std::string>& row)
{
    return row.size() == 2 && row[0] == kExtrapolation;
}

} // namespace

NearRuns nearRunsOf(const study::Study& study)
{
    const auto page = study.view.find(kOptimizePage);
    if (page == study.view.end())
        return NearRuns::Warn;
    const auto row = std::ranges::find_if(page->second.views, isChoice);
    if (row == page->second.views.end())
        return NearRuns::Warn;
    const auto name = std::ranges::find(kNearRunNames, row->back());
    return name == kNearRunNames.end() ? NearRuns::Warn : static_cast<NearRuns>(name - kNearRunNames.begin());
}

study::Study withNearRuns(study::Study study, NearRuns nearRuns)
{
    study::PageView& page = study.view[kOptimizePage];
    std::erase_if(page.views, isChoice);
    page.views.push_back({kExtrapolation, std::string(kNearRunNames[static_cast<std::size_t>(nearRuns)])});
    return study;
}

} // namespace quadric::optimize
