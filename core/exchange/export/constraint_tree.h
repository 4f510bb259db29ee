// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/document/json.h"
#include "core/study/study.h"

namespace quadric::exchange {

/// A constraint as JSON: numbers stand for themselves, {"text": "bf16"} for a text, {"factor": 2} for the
/// value of a factor, a list for an operation and its operands ("+", "negate", "<=", "and", "not", …). Fixed
/// settings become their values. Throws std::invalid_argument with the column for what cannot be read, and
/// naming what has no value.
study::OrderedJson constraintTree(const study::Study& study, const std::string& constraint);

} // namespace quadric::exchange
