// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/document/json.h"
#include "core/study/study.h"

namespace quadric::exchange {

/// The whole study as in its file, every run with an added `coded` object of nominal coded values.
study::OrderedJson studyJson(const study::Study& study);

} // namespace quadric::exchange
