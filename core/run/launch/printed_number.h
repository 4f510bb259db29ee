// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringView>

#include <string>
#include <vector>

namespace quadric::run {

/// A number as a program prints it, of any spelling: with sign, exponent, decimal point or comma, thousands
/// separators ("1,234.5", "1 234.5", "1_234", "1'234"), "nan" and "inf". A percent sign is a unit.
struct PrintedNumber {
    qsizetype start = 0; ///< in its line, in UTF-16 units
    qsizetype length = 0;
    double value = 0.0;     ///< not finite for "nan" and "inf"
    std::string doubt = {}; ///< why it may be another number ("may be one number or two"); empty: it is sure
    bool isInWord = false;  ///< a letter stands directly before it, as in "gpu0"

    qsizetype end() const { return start + length; }
    bool operator==(const PrintedNumber&) const = default;
};

/// The numbers of a line, from left to right.
std::vector<PrintedNumber> findPrintedNumbers(QStringView line);

/// Part of a line: what a pattern has captured, and what all of it has matched.
struct Captured {
    qsizetype start = 0, end = 0;
    qsizetype matchStart = 0, matchEnd = 0;
};

/// What a captured text says. Its number goes on where the pattern stopped in its midst: "1.2" of "1.2e3" is
/// 1200. Where the pattern itself matches the rest of it, or the spelling is doubtful, there is a problem in
/// place of a value.
struct NumberReading {
    double value = 0.0;
    QString text = {};        ///< as it is printed
    std::string problem = {}; ///< a sentence without its end; empty: the value counts
};
NumberReading readCaptured(const QString& line, const Captured& captured);

/// Why the number before this text is none by itself in the place of {number}: "/10", "-01-02", "k"; empty
/// where it is.
std::string findTailDoubt(QStringView number, QStringView tail);

} // namespace quadric::run
