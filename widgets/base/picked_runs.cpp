// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/picked_runs.h"

#include <algorithm>
#include <utility>

namespace quadric::widgets {

PickedRuns::PickedRuns(int run)
    : current(run)
{
    if (run >= 0)
        all = {run};
}

PickedRuns::PickedRuns(std::vector<int> runs)
    : current(runs.empty() ? -1 : runs.back())
    , all(std::move(runs))
{
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
}

bool PickedRuns::contains(int run) const
{
    return std::ranges::binary_search(all, run);
}

PickedRuns PickedRuns::toggled(int run) const
{
    std::vector<int> runs = all;
    if (std::erase(runs, run) == 0)
        runs.push_back(run);
    return PickedRuns(std::move(runs));
}

PickedRuns PickedRuns::with(const std::vector<int>& runs) const
{
    std::vector<int> more = all;
    more.insert(more.end(), runs.begin(), runs.end());
    return PickedRuns(std::move(more));
}

} // namespace quadric::widgets
