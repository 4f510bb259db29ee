// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/shell/output_channel.h"

#include <array>
#include <memory>
#include <streambuf>
#include <string>
#include <string_view>

namespace quadric::app {

class VisibleBuffer;

/// Everything that a program says passes through here for as long as this lives: std::cout and std::cerr show
/// what a terminal would obey, or a reader not see, as escapes (core/text/visible_text.h), wherever it came
/// from; line breaks and tabs stay. The program's main function makes the one that there is.
class VisibleOutput {
public:
    explicit VisibleOutput(std::string program);
    ~VisibleOutput();
    VisibleOutput(const VisibleOutput&) = delete;
    VisibleOutput& operator=(const VisibleOutput&) = delete;

    /// Writes what is left. The exit status: `status`, or 1 in the place of 0 where a part of the standard
    /// output is lost; standard error says why, unless its reader is gone.
    int finish(int status);

private:
    std::string m_program;
    std::array<std::unique_ptr<VisibleBuffer>, 2> m_buffers; ///< of std::cout and std::cerr
    std::array<std::streambuf*, 2> m_before;
};

/// Writes data for programs (JSON, tables) to standard output as they are; to a terminal as text.
void printData(std::string_view data);

/// Writes what a terminal is to obey, of our own making.
void printControl(std::string_view control);

/// Whether standard output is a terminal.
bool printsToTerminal();

/// "… 12 lines are missing here: not read in time", as a line.
std::string missingLinesText(std::size_t count);

/// For a program that has more to do than to be read: from now on it does not wait for a reader, and one that
/// is gone is no failure. What is missing on standard output is said by `missing`, see OutputChannel.
void printInBackground(const MissingLines& missing = missingLinesText);

/// What is said from now on is said, whoever reads or not; the program waits for that reader when it ends,
/// at most for `patience`, without it until a signal ends it.
void printLastWords(std::optional<std::chrono::milliseconds> patience);

} // namespace quadric::app
