// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/document.h"
#include "core/study/json_reader.h"

namespace quadric::study {

/// One run of a document or a line of a journal. Throws DocumentError.
Run readRun(const JsonReader& reader);

} // namespace quadric::study
