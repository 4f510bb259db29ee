// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/benchmark.h"
#include "core/study/document/json_reader.h"

namespace quadric::study {

/// The `benchmark` of a document. A setting of how runs are executed that cannot be read is a warning and
/// stays among the unknown keys; anything else throws DocumentError.
Benchmark readBenchmark(const JsonReader& reader);

/// What readBenchmark() reads; settings that have their default are left out.
OrderedJson benchmarkJson(const Benchmark& benchmark);

/// `benchmark.slurm`. Throws DocumentError, also for an option that there is not.
SlurmOptions readSlurm(const JsonReader& reader);

/// The same without options that have their default, in alphabetical order.
Json slurmJson(const SlurmOptions& options);

} // namespace quadric::study
