// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>

namespace quadric::run {

/// Stands in a pattern where the number is: "throughput: {number} img/s". What stands around it is plain
/// text; blanks in it fit any blanks, also none at the number.
inline constexpr const char* kNumberPlace = "{number}";

/// What is wrong with a pattern, in a sentence without its end; empty: nothing.
std::string findPatternProblem(const std::string& pattern);

/// What a pattern finds in an output: the last match counts.
struct PatternFinding {
    bool isFound = false;
    double value = 0.0;       ///< not finite for "nan" and "inf"
    QString text = {};        ///< as it is printed
    qsizetype line = -1;      ///< of the last match, from 0
    qsizetype start = 0;      ///< of the number, in its line
    std::string problem = {}; ///< why there is a match and no number, a sentence without its end
};

/// As a run's output is read; the pattern must be one. May take long: runs are read by parseOutput(), which
/// bounds it. `gaveUp` becomes true where the search took too many steps.
PatternFinding findLastNumber(const std::string& pattern, const QString& output, bool* gaveUp = nullptr);

/// The lines of an output. Progress bars end theirs with a carriage return.
QStringList outputLines(const QString& output);

} // namespace quadric::run
