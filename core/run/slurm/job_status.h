// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace quadric::run {

/// What Slurm calls the state of a job, as far as it makes a difference here.
enum class JobState {
    Pending,   ///< waits in the queue
    Running,   ///< has its nodes
    Ending,    ///< is being cleaned up (COMPLETING)
    Suspended, ///< has its nodes but is not computing
    Completed, ///< the script ended with status 0
    Failed,    ///< the script ended with another status
    Cancelled,
    TimedOut,   ///< TIMEOUT, DEADLINE
    NodeFailed, ///< NODE_FAIL, BOOT_FAIL
    OutOfMemory,
    Preempted,
    Unknown ///< a state that this version does not know: taken for one that changes again
};

/// Reads "RUNNING", also in the forms "CANCELLED by 1000", "CANCELLED+" and "RUNNING,POWERING_UP_NODE".
JobState parseJobState(std::string_view text);

/// Nothing happens to a job in such a state any more.
bool isFinal(JobState state);

/// One job of `squeue`.
struct QueueEntry {
    std::string id;
    JobState state = JobState::Unknown;
    double seconds = 0.0; ///< since it got its nodes
    std::string nodes;    ///< "n[1-2]"
    std::string reason;   ///< why it waits or ended, in Slurm's words; empty for "None"
};

/// What squeue is asked for; parseQueue() reads the answer.
inline constexpr const char* kQueueFormat = "%i|%j|%T|%M|%N|%r";

/// The jobs in an answer of `squeue --noheader --format=kQueueFormat`, by name. Lines that are none are left
/// out. Of several jobs of a name the first that is not final counts, otherwise the last.
std::map<std::string, QueueEntry, std::less<>> parseQueue(std::string_view answer);

/// Seconds of a duration as Slurm writes it: "59", "2:03", "1:02:03", "4-01:02:03"; 0 for "INVALID".
double parseSlurmDuration(std::string_view text);

/// One job of `scontrol --oneliner show job`.
struct JobRecord {
    std::string id;
    std::string name;
    JobState state = JobState::Unknown;
    std::string reason; ///< empty for "None"
    std::string nodes;
    std::string partition;
    std::optional<double> submitted, ended; ///< seconds, as parseSlurmTime() counts them
    int exitStatus = 0;                     ///< of the script
    int signal = 0;                         ///< that ended the script, 0: none
    int restarts = 0;
    double seconds = 0.0; ///< with its nodes
};

/// Seconds of a moment as Slurm writes it, "2026-11-21T12:21:19"; only differences mean something. Nothing
/// for "Unknown".
std::optional<double> parseSlurmTime(std::string_view text);

/// When the controller was started, from the answer of `scontrol show config`.
std::optional<double> parseControllerStart(std::string_view text);

/// Empty where the text is no record of a job.
std::optional<JobRecord> parseJobRecord(std::string_view text);

/// What a job has written itself when it ended (job_script.h).
struct JobEnd {
    std::string id;
    int status = 0; ///< of the program, or of srun
    int restarts = 0;
    std::string kernel; ///< release of the first node's
    std::string nodes;
};

/// Empty where the text is not whole.
std::optional<JobEnd> parseJobEnd(std::string_view text);

/// The number of the job in an answer of `sbatch --parsable`, "12" or "12;cluster"; empty for anything else.
std::string parseJobId(std::string_view answer);

struct SlurmAnswer;

/// What a look at the queue has shown.
struct QueueLook {
    std::map<std::string, QueueEntry, std::less<>> jobs; ///< by name
    std::string problem; ///< why nothing could be seen; empty: the jobs are all that Slurm knows of this user
};

/// Looks at the user's jobs with one call of squeue for all of them, as long as somebody watches.
class SlurmQueue : public QObject {
    Q_OBJECT

public:
    explicit SlurmQueue(double pollSeconds);

    void addWatcher();
    void removeWatcher();

    /// Looks now instead of at the next time, or once more after the look that is under way.
    void pollQueue();

signals:
    void looked(const quadric::run::QueueLook& look);

private:
    void look();
    void take(const SlurmAnswer& answer);

    QTimer m_timer;
    int m_watchers = 0;
    bool m_isLooking = false;
    bool m_looksAgain = false;
};

} // namespace quadric::run
