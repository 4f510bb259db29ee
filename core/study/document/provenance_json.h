// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/document/json_reader.h"

namespace quadric::study {

/// The `provenance` of a run. Throws DocumentError for a source that is none.
Provenance readProvenance(const JsonReader& reader);

/// The same: the source, and then everything else in alphabetical order, without what may hold a secret.
OrderedJson provenanceJson(const Provenance& provenance);

} // namespace quadric::study
