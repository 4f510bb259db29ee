// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/document/json.h"

namespace quadric::study {

/// The study of a document, with its runs. Throws DocumentError.
Study readStudy(ObjectReader& document);

/// One run of a document or a line of a journal. Throws DocumentError.
Run readRun(const JsonReader& reader);

/// The `benchmark` of a document. A setting of how runs are executed that cannot be read is a warning and
/// stays among the unknown keys; anything else throws DocumentError.
Benchmark readBenchmark(const JsonReader& reader);

/// What readBenchmark() reads; settings that have their default are left out.
OrderedJson benchmarkJson(const Benchmark& benchmark);

/// The `provenance` of a run. Throws DocumentError for a source that is none.
Provenance readProvenance(const JsonReader& reader);

/// The same: the source, and then everything else in alphabetical order, without what may hold a secret.
OrderedJson provenanceJson(const Provenance& provenance);

} // namespace quadric::study
