// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/replicate.h"

#include "core/design/base/run_order.h"
#include "core/study/run_records.h"

#include <algorithm>

namespace quadric::design {

std::vector<int> runsOfDesign(const study::Study& study)
{
    std::vector<int> ids;
    for (const study::Run& run : study.runs) {
        const bool isOther = run.kind == study::RunKind::Baseline || run.kind == study::RunKind::Confirmation;
        if (!isOther && run.status != study::RunStatus::Excluded)
            ids.push_back(run.id);
    }
    return ids;
}

study::Study withReplicates(study::Study study, const std::vector<int>& runIds, int times)
{
    std::vector<study::Run> added;
    for (int time = 0; time < times; ++time) {
        for (const int id : runIds) {
            const study::Run* repeated = study::findRun(study, id);
            if (!repeated)
                continue;
            study::Run run;
            run.block = repeated->block;
            run.kind = repeated->kind == study::RunKind::Design ? study::RunKind::Augment : repeated->kind;
            run.settings = repeated->settings;
            added.push_back(std::move(run));
        }
    }
    std::ranges::stable_sort(added, {}, &study::Run::block);
    std::vector<DesignPoint> points;
    int id = study::largestRunId(study), order = 0;
    for (study::Run& run : added) {
        run.id = ++id;
        points.push_back({{}, run.kind, run.block});
    }
    for (const study::Run& run : study.runs)
        order = std::max(order, run.order);
    for (const std::size_t place : runOrder(points, study.design.randomize, study.design.seed))
        added[place].order = ++order;
    study.runs.insert(study.runs.end(), added.begin(), added.end());
    return study;
}

} // namespace quadric::design
