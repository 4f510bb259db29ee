// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/record.h"
#include "core/study/files/file.h"
#include "core/study/files/journal.h"

#include <QByteArray>
#include <QString>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace quadric::run {

/// A name for this study on this machine, for what cannot lie beside it: "quadric-" and the first 24
/// hexadecimal digits of the SHA-256 of the document's absolute path without links.
QString studyKey(const std::filesystem::path& document);

/// Where programs keep what outlives them: `$XDG_STATE_HOME/quadric`, else `~/.local/state/quadric`.
std::filesystem::path stateFolder();

/// A document, never there itself, beside which study::recoveredPath() lies where nothing can be written
/// beside the study's own: `quadric-HASH/NAME` in stateFolder(), HASH as in studyKey().
std::filesystem::path recoveredElsewhere(const std::filesystem::path& document);

/// The file in which a runner has left what it could not put into this study, here or there.
std::optional<std::filesystem::path> findRecovered(const std::filesystem::path& document);

/// The same, for a message about a document that is not there: "; what … is in FILE", empty where there is
/// none.
std::string hintAtRecovered(const std::filesystem::path& document);

/// Reads on in a companion file while somebody, perhaps on another machine, appends to it. One that is not
/// there, or is none of ours (a link, a pipe), has nothing in it.
class FileTail {
public:
    struct Bounds {
        std::size_t mostAtOnce;  ///< bytes of one reading
        std::int64_t mostBehind; ///< where the end is farther away, what is before that is left out
    };
    /// `ownFolder` as for study::openCompanion().
    FileTail(std::filesystem::path path, std::filesystem::path ownFolder, Bounds bounds);

    struct News {
        QByteArray text;
        bool isStart = false; ///< it replaces what was read: the first reading, or a new file under the name
        bool isFull = false;  ///< there may be more at once
    };
    /// What has come since the last reading. A file that has become shorter was started afresh.
    News read();
    /// The same, whole lines only, each with its end. What fills a reading without an end is no line of ours
    /// and left out.
    News readLines();
    /// The next reading brings what comes from now on.
    void skipToEnd();

private:
    study::FileHandle openAndSeek(News& news);
    News readOn();
    bool isAsRead(const study::FileHandle& file) const;
    void noteRead(const QByteArray& text);

    std::filesystem::path m_path, m_ownFolder;
    Bounds m_bounds;
    study::FileIdentity m_seen;
    std::int64_t m_offset = -1; ///< −1: nothing was read yet
    QByteArray m_lastRead;      ///< the bytes before it
};

/// The folder of the logs, beside the document.
std::filesystem::path logFolder(const std::filesystem::path& document);
std::filesystem::path logPath(const std::filesystem::path& document, int runId);

/// What a worker printed in one run, except the events of the protocol. A new file for each attempt, whatever
/// had its name. Of a long log the first MiB and at least the last are kept, with a line between that says
/// how much is missing; the file is made anew for that, so that its readers notice. A log that cannot be
/// written is not worth a run: problems are ignored.
class RunLog {
public:
    static constexpr std::size_t kMostBytes = std::size_t{4} << 20;
    /// Short lines count more than their bytes, so that whoever shows a log has no more lines than this.
    static constexpr std::size_t kMostLines = kMostBytes / 20;

    explicit RunLog(std::filesystem::path path);
    void write(std::string_view line);

private:
    void shorten();
    void writeAnew();

    std::filesystem::path m_path;
    study::FileHandle m_file;
    std::string m_head, m_tail; ///< whole lines; the tail begins where the head is full
    std::size_t m_headCost = 0, m_tailCost = 0;
    std::size_t m_missingLines = 0, m_missingBytes = 0; ///< between head and tail
};

/// One step that a worker has told.
struct StepSample {
    double seconds = 0.0; ///< since the run was started
    double stepMs = 0.0;
    double items = 0.0; ///< that were worked on in it; 0: not told
};

/// A value of a response that a program has printed while it ran.
struct ResponseSample {
    double seconds = 0.0; ///< since the run was started
    std::string response = {};
    double value = 0.0;
};

/// What was sampled while a run executed, oldest first.
struct RunSamples {
    std::vector<StepSample> steps;
    std::string unit; ///< what an item of a step is ("img"); empty: not told
    std::vector<machine::Reading> machine;
    std::vector<ResponseSample> responses = {};

    bool isEmpty() const { return steps.empty() && machine.empty() && responses.empty(); }
};

/// The file of a run's samples, beside its log: JSON objects, one a line (docs/worker-protocol.md).
std::filesystem::path samplesPath(const std::filesystem::path& document, int runId);

/// A line of that file.
std::string writeResponseSample(const ResponseSample& sample);

/// Takes a line of that file in; one that is none of ours changes nothing.
void addSample(RunSamples& samples, std::string_view line);

/// What a run has left beside the study: its log and its samples, of the attempt in progress or of the last
/// one, whoever executed it.
class RunFiles {
public:
    RunFiles(const std::filesystem::path& document, int runId);

    struct News {
        QString log;
        RunSamples samples;
        bool isNewLog = false, isNewSamples = false; ///< they replace what was read before
        bool isEmpty() const { return log.isEmpty() && samples.isEmpty() && !isNewLog && !isNewSamples; }
    };
    /// What came since the last reading; everything the first time.
    News read();

private:
    FileTail m_log, m_samples;
};

/// A run beside the one whose charts are shown.
struct ComparedRun {
    int run = 0;
    RunSamples samples;
};

/// Lines of more runs in a chart cannot be told apart.
inline constexpr std::size_t kMostComparedRuns = 3;

/// Throws DocumentError where runs of this study cannot be executed: where its path is no UTF-8, so that no
/// program could be told it, and where something else has the name of a file that Quadric keeps beside it.
void checkPlace(const std::filesystem::path& document);

} // namespace quadric::run
