// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/cluster/slurm_call.h"

#include "core/text/numbers.h"

#include <QProcess>
#include <QTimer>

#include <cctype>
#include <csignal>
#include <cstdint>
#include <map>
#include <set>
#include <sstream>

#include <sys/prctl.h>

namespace quadric::run {

namespace {

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
        parts.push_back(part);
    return parts;
}

bool isListed(const std::string& partition, const std::string& list)
{
    return ("," + list + ",").find("," + partition + ",") != std::string::npos;
}

/// The partition that jobs go to which name none; empty where no line marks one.
std::string defaultPartition(const std::vector<ClusterNode>& nodes)
{
    const auto marked = std::ranges::find(nodes, true, &ClusterNode::isInDefault);
    return marked == nodes.end() ? std::string() : marked->partition;
}

std::string inWords(const std::map<int, int>& nodesByGpus)
{
    std::vector<std::string> sizes;
    for (const auto& [gpus, nodes] : nodesByGpus)
        sizes.push_back(text::formatCount(nodes, "node") + " of " + std::to_string(gpus));
    return text::formatList(sizes) + (nodesByGpus.rbegin()->first == 1 ? " GPU" : " GPUs");
}

std::string_view withoutBlanks(std::string_view line)
{
    const std::size_t first = line.find_first_not_of(" \t\r");
    return first == line.npos ? std::string_view()
                              : line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

/// A call that outlives this process could submit a job that nobody knows of.
void endWithParent()
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

void prepare(QProcess& process, const SlurmCall& call)
{
    process.setProgram(call.program);
    process.setArguments(call.arguments);
    process.setWorkingDirectory(call.folder);
    process.setProcessEnvironment(slurmEnvironment(QProcessEnvironment::systemEnvironment()));
    process.setStandardInputFile(QProcess::nullDevice());
    process.setChildProcessModifier(&endWithParent);
}

SlurmAnswer makeSlurmAnswer(QProcess& process, SlurmAnswer::Kind kind)
{
    SlurmAnswer answer{kind, process.exitCode(), process.readAllStandardOutput(),
                       process.readAllStandardError()};
    if (kind == SlurmAnswer::Kind::NotStarted)
        answer.errors = process.errorString().toUtf8();
    else if (kind == SlurmAnswer::Kind::Ended && process.exitStatus() == QProcess::CrashExit)
        answer.status = -1;
    return answer;
}

/// One call under way; deletes itself.
class RunningCall : public QObject {
public:
    RunningCall(QObject* owner, const SlurmCall& call, std::function<void(const SlurmAnswer&)> done)
        : QObject(owner)
        , m_done(std::move(done))
    {
        prepare(m_process, call);
        m_patience.setSingleShot(true);
        connect(&m_patience, &QTimer::timeout, this, [this] { end(SlurmAnswer::Kind::TimedOut); });
        connect(&m_process, &QProcess::finished, this, [this] { end(SlurmAnswer::Kind::Ended); });
        connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart)
                end(SlurmAnswer::Kind::NotStarted);
        });
        m_patience.start(call.patienceMs);
        m_process.start(QIODevice::ReadOnly);
    }

    ~RunningCall() override
    {
        m_process.disconnect(this);
        m_process.kill();
        m_process.waitForFinished();
    }

private:
    void end(SlurmAnswer::Kind kind)
    {
        if (m_hasEnded)
            return;
        m_hasEnded = true;
        m_patience.stop();
        deleteLater();
        m_done(makeSlurmAnswer(m_process, kind));
    }

    QProcess m_process;
    QTimer m_patience;
    std::function<void(const SlurmAnswer&)> m_done;
    bool m_hasEnded = false;
};

} // namespace

int parseGpuCount(std::string_view resources)
{
    constexpr std::int64_t kMost = 1'000'000;
    std::int64_t count = 0;
    for (const std::string& resource : split(std::string(resources), ',')) {
        const std::string bare = resource.substr(0, resource.find('('));
        std::string name = bare.substr(0, bare.find(':'));
        std::ranges::transform(name, name.begin(),
                               [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        if (name != "gpu")
            continue;
        const std::size_t colon = bare.rfind(':');
        count += colon == bare.npos ? 1 : numberFrom(std::string_view(bare).substr(colon + 1));
    }
    return static_cast<int>(std::min(count, kMost));
}

std::vector<ClusterNode> parseClusterNodes(std::string_view answer)
{
    constexpr std::size_t kFewest = 4, kMost = 5;
    std::vector<ClusterNode> nodes;
    for (const std::string& line : split(std::string(answer), '\n')) {
        std::vector<std::string> fields = split(line, '|');
        if (fields.size() < kFewest || fields.size() > kMost)
            continue;
        fields.resize(kMost);
        const bool isInDefault = fields[3].ends_with('*');
        if (isInDefault)
            fields[3].pop_back();
        nodes.push_back(
            {fields[0], numberFrom(fields[1]), parseGpuCount(fields[2]), fields[3], fields[4], isInDefault});
    }
    return nodes;
}

std::vector<ClusterNode> filterByPartition(const std::vector<ClusterNode>& nodes,
                                           const std::string& partition)
{
    std::set<std::string> seen;
    std::vector<ClusterNode> chosen;
    for (const ClusterNode& node : nodes) {
        const bool isAsked = partition.empty() || isListed(node.partition, partition);
        if (isAsked && seen.insert(node.name).second)
            chosen.push_back(node);
    }
    return chosen;
}

std::optional<NodeGpus> summarizeNodeGpus(const std::vector<ClusterNode>& nodes, std::string partition)
{
    if (partition.empty())
        partition = defaultPartition(nodes);
    std::map<int, int> nodesByGpus;
    for (const ClusterNode& node : filterByPartition(nodes, partition)) {
        if (node.gpus > 0)
            ++nodesByGpus[node.gpus];
    }
    if (nodesByGpus.empty())
        return std::nullopt;
    const auto most = std::ranges::max_element(nodesByGpus, {}, &std::pair<const int, int>::second);
    return NodeGpus{most->first, "sinfo: " + (partition.empty() ? "the cluster" : "partition " + partition) +
                                     " has " + inWords(nodesByGpus)};
}

std::string lastLines(std::string_view standardError)
{
    constexpr std::size_t kMostLines = 3;
    std::vector<std::string> lines;
    for (const std::string& line : split(std::string(standardError), '\n')) {
        if (const std::string_view words = withoutBlanks(line); !words.empty())
            lines.emplace_back(words);
    }
    if (lines.size() > kMostLines)
        lines.erase(lines.begin(), lines.end() - kMostLines);
    std::string joined;
    for (const std::string& line : lines)
        joined += (joined.empty() ? "" : "; ") + line;
    return joined.empty() ? "no reason given" : joined;
}

std::string SlurmAnswer::problem() const
{
    if (kind == Kind::TimedOut)
        return "no answer in time";
    const QByteArray words = errors.trimmed().isEmpty() ? output.trimmed() : errors.trimmed();
    if (!words.isEmpty())
        return lastLines(words.toStdString());
    return "exit status " + std::to_string(status);
}

void callSlurm(QObject* owner, const SlurmCall& call, std::function<void(const SlurmAnswer&)> done)
{
    new RunningCall(owner, call, std::move(done));
}

SlurmAnswer askSlurm(const SlurmCall& call)
{
    QProcess process;
    prepare(process, call);
    process.start(QIODevice::ReadOnly);
    if (!process.waitForStarted(call.patienceMs))
        return makeSlurmAnswer(process, SlurmAnswer::Kind::NotStarted);
    const bool isInTime = process.waitForFinished(call.patienceMs);
    if (!isInTime) {
        process.kill();
        process.waitForFinished();
    }
    return makeSlurmAnswer(process, isInTime ? SlurmAnswer::Kind::Ended : SlurmAnswer::Kind::TimedOut);
}

QProcessEnvironment slurmEnvironment(const QProcessEnvironment& environment)
{
    static const QStringList starts = {QStringLiteral("SLURM_"),  QStringLiteral("SLURMD_"),
                                       QStringLiteral("SBATCH_"), QStringLiteral("SRUN_"),
                                       QStringLiteral("SALLOC_"), QStringLiteral("SQUEUE_"),
                                       QStringLiteral("SINFO_"),  QStringLiteral("SCANCEL_")};
    QProcessEnvironment clean = environment;
    clean.remove(QStringLiteral("CUDA_VISIBLE_DEVICES"));
    for (const QString& name : environment.keys()) {
        const bool isOfSlurm = std::any_of(starts.begin(), starts.end(),
                                           [&name](const QString& start) { return name.startsWith(start); });
        if (isOfSlurm && name != QLatin1String("SLURM_CONF"))
            clean.remove(name);
    }
    return clean;
}

void queryClusterNodes(QObject* owner, std::function<void(const std::vector<ClusterNode>&)> done,
                       int patienceMs)
{
    const SlurmCall call{.program = QStringLiteral("sinfo"),
                         .arguments = {QStringLiteral("--noheader"), QStringLiteral("--Node"),
                                       QStringLiteral("--format=%1").arg(QLatin1String(kNodeFormat))},
                         .patienceMs = patienceMs};
    callSlurm(owner, call, [done = std::move(done)](const SlurmAnswer& answer) {
        done(answer.isGood() ? parseClusterNodes(answer.output.toStdString()) : std::vector<ClusterNode>());
    });
}

} // namespace quadric::run
