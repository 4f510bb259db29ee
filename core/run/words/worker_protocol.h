// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/run.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace quadric::run {

/// Longest line that is read from a worker, in bytes. The rest of a longer line is thrown away.
inline constexpr std::size_t kMostLineBytes = std::size_t{64} * 1024;

struct Line {
    std::string text; ///< without its end
    bool isCut = false;
};

/// Splits output that arrives in pieces of any size into lines; empty lines are left out.
class LineReader {
public:
    std::vector<Line> feed(std::string_view bytes);

    /// The last line, when the output ended without a line end.
    std::vector<Line> finish();

private:
    void completeLine(std::vector<Line>& lines);

    Line m_line;
};

/// The worker introduces itself. `details` are its other keys (device, versions) as JSON text.
struct Hello {
    int protocol = 0;
    study::Facts details;
};

struct Progress {
    double done = 0.0; ///< 0…1
    std::string phase; ///< "warm-up", "measure" or what the worker calls it
    int samples = 0;
};

/// One measured step, for the live plot.
struct Sample {
    double stepMs = 0.0;
    std::optional<double> items = {};   ///< that were worked on in it, by all ranks together; above 0
    std::string unit = {};              ///< what an item is ("img"); empty: not told
    std::optional<double> seconds = {}; ///< of its end, since the worker began
    bool operator==(const Sample&) const = default;
};

/// The fields of a sample as a JSON object on one line.
std::string writeSample(const Sample& sample);

struct Result {
    std::map<std::string, double, std::less<>> responses;
    std::map<std::string, double, std::less<>> spread;
    study::Facts provenance;             ///< JSON text per key
    std::optional<std::string> run = {}; ///< the run of which it says it is, as it says that
};

/// The worker says itself that the run failed.
struct WorkerFailure {
    study::Failure failure;
};

/// An event of the protocol whose content is wrong: kind "bad-output" or "non-finite".
struct BadMessage {
    study::Failure failure;
};

/// Anything that is not an event of the protocol.
struct LogText {
    std::string text;
};

/// An event whose name this version does not know: ignored.
struct UnknownEvent {
    std::string name;
};

using WorkerMessage =
    std::variant<Hello, Progress, Sample, Result, WorkerFailure, BadMessage, LogText, UnknownEvent>;

/// Turns what a worker prints into messages. Lines are data from an untrusted program: size-limited, checked,
/// finite numbers only.
class WorkerProtocol {
public:
    /// Adds output as it arrives, in pieces of any size; returns the messages of the lines it completes.
    std::vector<WorkerMessage> feed(std::string_view bytes);

    /// The last line, when the worker ended without a line end.
    std::vector<WorkerMessage> finish();

    /// One line without its end.
    static WorkerMessage parseLine(std::string_view line);

private:
    LineReader m_lines;
};

/// The line as log text; says so when it was cut.
LogText asLogText(const Line& line);

/// Text from a worker made fit for a message or a log: control characters and broken UTF-8 replaced, at most
/// `most` bytes.
std::string cleanText(std::string_view text, std::size_t most);

} // namespace quadric::run
