// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/document/document.h"
#include "core/study/document/json_reader.h"

namespace quadric::study {

/// The settings of a run, and those that all runs share. Throws DocumentError.
Settings readSettings(const JsonReader& reader);

/// One run of a document or a line of a journal. Throws DocumentError.
Run readRun(const JsonReader& reader);

} // namespace quadric::study
