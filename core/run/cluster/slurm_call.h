// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quadric::run {

/// One node of the cluster, in one partition.
struct ClusterNode {
    std::string name;
    int cpus = 0;
    int gpus = 0;
    std::string partition;  ///< without the mark of the default partition
    std::string state = {}; ///< "idle", "down*"; empty: not told
    bool isInDefault = false;
};

/// What sinfo is asked for, one node a line; parseClusterNodes() reads the answer.
inline constexpr const char* kNodeFormat = "%N|%c|%G|%P|%T";

std::vector<ClusterNode> parseClusterNodes(std::string_view answer);

/// GPUs in Slurm's text of generic resources: "gpu:a100:4(S:0-1),gpu:2" has 6.
int parseGpuCount(std::string_view resources);

/// The nodes of a partition, or of several ("a,b"), each once; all nodes where none is named.
std::vector<ClusterNode> filterByPartition(const std::vector<ClusterNode>& nodes,
                                           const std::string& partition);

/// GPUs of a node of a partition.
struct NodeGpus {
    int gpus = 0;      ///< that most of its nodes with GPUs have; the fewer, where as many have more
    std::string words; ///< "sinfo: partition gpu has 12 nodes of 8 and 2 nodes of 4 GPUs"
};

/// Of the default partition, where none is named; empty where the partition has no GPUs.
std::optional<NodeGpus> summarizeNodeGpus(const std::vector<ClusterNode>& nodes, std::string partition);

/// The count that a text of Slurm's begins with; 0 where it begins with none or with one below.
inline int numberFrom(std::string_view text)
{
    int number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return std::max(number, 0);
}

/// What a program of Slurm, or a line of shell, has said at last on its standard error: three lines at most,
/// as they stand, joined by "; ".
std::string lastLines(std::string_view standardError);

/// How a call of a program of Slurm ended.
struct SlurmAnswer {
    enum class Kind { Ended, TimedOut, NotStarted };
    Kind kind = Kind::NotStarted;
    int status = 0; ///< exit status
    QByteArray output, errors;

    bool isGood() const { return kind == Kind::Ended && status == 0; }
    /// Why it is not good, in words, for "squeue: …".
    std::string problem() const;
};

struct SlurmCall {
    QString program; ///< "sbatch"
    QStringList arguments;
    QString folder = {};     ///< empty: the current one
    int patienceMs = 20'000; ///< after that it is killed
};

/// Calls a program of Slurm; `done` gets the answer later, once, unless `owner` is gone by then. The call
/// ends with the owner and with this process.
void callSlurm(QObject* owner, const SlurmCall& call, std::function<void(const SlurmAnswer&)> done);

/// The same, waiting for the answer.
SlurmAnswer askSlurm(const SlurmCall& call);

/// What Slurm's programs inherit: everything but the options that an allocation, in which Quadric itself may
/// run, has left in variables (SLURM_…, SBATCH_… and the like; SLURM_CONF stays), and the devices of this
/// machine.
QProcessEnvironment slurmEnvironment(const QProcessEnvironment& environment);

/// Asks sinfo for the nodes of the cluster, in the background. `done` gets them later, once, unless `owner`
/// is gone by then: none where there is no sinfo, no cluster, or no answer in time.
void queryClusterNodes(QObject* owner, std::function<void(const std::vector<ClusterNode>&)> done,
                       int patienceMs = 20'000);

} // namespace quadric::run
