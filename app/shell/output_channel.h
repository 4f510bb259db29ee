// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace quadric::app {

/// What stands in the place of so many lines that were left out.
using MissingLines = std::function<std::string(std::size_t count)>;

/// A descriptor for lines: everything that is written arrives, or the reason is kept. Not for several
/// threads.
class OutputChannel {
public:
    explicit OutputChannel(int descriptor);
    ~OutputChannel();
    OutputChannel(const OutputChannel&) = delete;
    OutputChannel& operator=(const OutputChannel&) = delete;

    void write(std::string_view lines);

    /// From now on a thread of its own writes, so that a reader who does not read stops nobody here. Whole
    /// writes are left out while more than kMostWaiting bytes wait for that reader.
    void writeInBackground(MissingLines missing);

    /// From now on nothing is left out.
    void keepEverything();

    /// Waits until nothing waits for the reader any more, at most for `patience`; without it, for ever.
    void finish(std::optional<std::chrono::milliseconds> patience);

    /// The errno of what could not be written; 0: everything was. ETIMEDOUT: its reader did not read it.
    int error() const;

    static constexpr std::size_t kMostWaiting = std::size_t{1} << 20;

private:
    struct Mailbox;

    int m_descriptor;
    int m_error = 0;
    std::shared_ptr<Mailbox> m_mailbox; ///< shared with the thread, which may never come back from its write
};

} // namespace quadric::app
