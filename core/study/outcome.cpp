// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/outcome.h"

#include <algorithm>

namespace quadric::study {

bool isCancelled(const Run& run)
{
    return run.status == RunStatus::Failed && run.failure && run.failure->kind == "cancelled";
}

int countFailed(const Study& study)
{
    return countRuns(study, RunStatus::Failed) - countCancelled(study);
}

int countCancelled(const Study& study)
{
    return static_cast<int>(std::ranges::count_if(study.runs, isCancelled));
}

} // namespace quadric::study
