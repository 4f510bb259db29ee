// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/provenance.h"

#include <optional>
#include <string>
#include <string_view>

namespace quadric::exchange {

/// What a cell of results says.
struct ResultCell {
    enum class Kind { Number, Missing, Failed, Unreadable };
    Kind kind = Kind::Missing;
    double value = 0;    ///< Number
    std::string unit;    ///< Number: what stands behind it ("%", "ms")
    std::string failure; ///< Failed: the kind as a study has it ("out-of-memory")

    bool isNumber() const { return kind == Kind::Number; }
};

/// Reads a cell: a number, with its unit; nothing ("", "n/a", "NaN", "-", …); a word for a failure ("OOM",
/// "timed out", "crashed", …); or something else.
ResultCell readResultCell(std::string_view cell, bool decimalComma);

/// The kind of failure that a remark or a state speaks of; empty where it speaks of none.
std::string failureIn(std::string_view words);

/// A failure as one text ("out-of-memory: needs 9 GiB"), and back; a text without a kind is a message.
std::string toText(const study::Failure& failure);
study::Failure failureFrom(const std::string& text);

} // namespace quadric::exchange
