// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/launch/printed_number.h"
#include "core/study/study.h"

#include <QStringList>

#include <string>

namespace quadric::run {

/// Tools of which it is known how they print what they have measured.
enum class Tool { MegatronLm, DeepSpeed, HuggingFaceTrainer, Lightning, VllmThroughput, VllmServe };

/// The patterns of all responses that a program has to tell.
study::ParseSpec toolPatterns(Tool tool, const study::Study& study);

/// A number in an output.
struct OutputPlace {
    qsizetype line = 0;
    PrintedNumber number;
    bool operator==(const OutputPlace&) const = default;
};

/// The pattern that reads this number of an output: the words before it, as many as it takes to be the last
/// match in this line or in another one of the same shape; the unit behind it; or a regular expression of the
/// whole line up to it.
std::string proposePattern(const QStringList& lines, const OutputPlace& place);

/// The number that follows the name of a response, in the last line that has both, whatever stands between
/// the words of the name; nothing where no line has.
std::optional<OutputPlace> findNamedNumber(const QStringList& lines, const std::string& response);

} // namespace quadric::run
