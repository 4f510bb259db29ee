// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import/job_file.h"

#include "core/exchange/table/delimited.h"
#include "core/study/files/file.h"

namespace quadric::exchange {

plan::JobRecords readJobFile(const std::filesystem::path& path)
{
    const TextGrid grid = withDecimalPoints(readDelimited(study::readTextFile(path), path.string()));
    try {
        return plan::readJobRecords(grid.headers, grid.rows);
    } catch (const std::invalid_argument& error) {
        throw ImportError(path.string() + ": " + error.what());
    }
}

} // namespace quadric::exchange
