// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/queue/queue_simulation.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quadric::plan {

/// Jobs that somebody has recorded.
struct JobRecords {
    std::vector<Task> tasks;
    std::optional<double> rate; ///< jobs a second between the first and the last that was submitted
    int skipped = 0;            ///< rows without a time, or with 0: steps of jobs, jobs that never started
};

/// Rows of a table with a heading a column, such as `sacct --parsable2 --allocations` prints or a file of
/// one's own. Time: "ElapsedRaw", "seconds" or "duration" (s), or "Elapsed" ([D-]HH:MM:SS). Machines, 1 where
/// there is no such column: "gpus", or the GPUs in "AllocTRES". When a job came: "Submit" (ISO 8601, or
/// seconds). Case does not count. Throws std::invalid_argument without a column of times or a row with one,
/// and naming the row for a cell that is no time or no number of machines.
JobRecords readJobRecords(const std::vector<std::string>& headers,
                          const std::vector<std::vector<std::string>>& rows);

/// At most so many jobs in place of many: sorted by machines and time and cut into equal parts, of each part
/// the mean time and the machines of its middle job. The mean time stays; the variance loses what there is
/// inside the parts.
std::vector<Task> condenseJobs(std::vector<Task> jobs, std::size_t most);

/// "90", "01:30", "1-02:03:04" in seconds; empty for anything else.
std::optional<double> readElapsed(std::string_view text);

/// "90", "1.5h", "30min", "1 h 20 min" in seconds, 0 or more; empty for anything else.
std::optional<double> readSpan(std::string_view text);

/// "2026-01-31T12:00:00" in seconds since 1970, or a number as it is; empty for anything else.
std::optional<double> readMoment(std::string_view text);

/// Seconds in one of these units: "s", "ms", "min", "h", …; no unit stands for seconds. Empty for what is no
/// unit of time.
std::optional<double> secondsPer(std::string_view unit);

} // namespace quadric::plan
