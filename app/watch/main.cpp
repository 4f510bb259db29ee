// SPDX-License-Identifier: GPL-3.0-or-later

// quadric-watch FOLDER [--gpus]: watches one node while a job of Slurm measures a run on it. Writes into
// FOLDER NODE.samples, what the machine did, a JSON object a line as in a telemetry event, and NODE.summary,
// what a run's record is made of (core/machine/record.h), anew each second. Whatever it cannot do, the run
// does not depend on it.

#include "app/shell/lack_of_memory.h"
#include "app/shell/manual.h"
#include "app/shell/visible_output.h"
#include "core/machine/ending_signals.h"
#include "core/machine/record.h"
#include "core/machine/summary.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <iostream>
#include <new>
#include <sstream>
#include <unistd.h>

namespace {

using namespace quadric;

std::string variable(const char* name)
{
    const char* value = std::getenv(name);
    return value ? value : "";
}

std::string nodeName()
{
    char host[256] = {};
    const std::string node = variable("SLURMD_NODENAME");
    return !node.empty() ? node : ::gethostname(host, sizeof host - 1) == 0 ? host : "node";
}

/// Two a second of up to eight nodes; of more no more in all.
double pauseSeconds()
{
    constexpr double kShortest = 0.5;
    constexpr double kNodesAtThat = 8.0;
    const std::string nodes = variable("SLURM_JOB_NUM_NODES");
    return kShortest * std::max(1.0, std::strtod(nodes.c_str(), nullptr) / kNodesAtThat);
}

machine::ReaderOptions readerOptions(bool watchesGpus)
{
    machine::ReaderOptions options;
    options.ownPid = ::getpid();
    options.ownJob = variable("SLURM_JOB_ID");
    std::istringstream devices(variable("CUDA_VISIBLE_DEVICES"));
    for (std::string device; std::getline(devices, device, ',');)
        options.devices.push_back(device);
    if (!watchesGpus)
        options.nvmlLibrary.clear();
    return options;
}

/// A new file, whatever had its name: nothing is written through a link. −1 where it cannot be made.
int makeFile(const std::string& path)
{
    constexpr mode_t kMode = 0666; // less the umask
    ::unlink(path.c_str());
    return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kMode);
}

/// False where not all of it could be written.
bool writeText(int file, const std::string& text)
{
    return ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

/// The files of this node.
class NodeFiles {
public:
    explicit NodeFiles(const std::string& folder)
        : m_node(nodeName())
        , m_summary(folder + '/' + m_node + ".summary")
        , m_samples(makeFile(folder + '/' + m_node + ".samples"))
    {
    }
    ~NodeFiles() { ::close(m_samples); }
    NodeFiles(const NodeFiles&) = delete;
    NodeFiles& operator=(const NodeFiles&) = delete;

    void write(const machine::Sample& now)
    {
        if (!m_written)
            m_written = now;
        if (now.seconds - m_written->seconds < m_pause)
            return;
        writeText(m_samples, machine::sampleText(*m_written, now) + '\n');
        m_written = now;
    }

    /// Whoever reads it meanwhile sees the former one or this one, whole.
    void write(const machine::Summary& summary) const
    {
        const std::string part = m_summary + ".part";
        const int file = makeFile(part);
        const bool isWhole = writeText(file, machine::nodeRecord(m_node, summary) + '\n');
        ::close(file);
        if (isWhole)
            std::rename(part.c_str(), m_summary.c_str());
    }

private:
    std::string m_node, m_summary;
    int m_samples;
    double m_pause = pauseSeconds();
    std::optional<machine::Sample> m_written;
};

struct Options {
    std::string folder;
    bool watchesGpus = false;
};

/// Empty: the command line is to be executed; otherwise it has been answered, with this exit status.
std::optional<int> readCommandLine(int argc, char** argv, Options& options)
{
    CLI::App app("Watches processor and GPUs of a cluster's node while a job measures a run there.",
                 "quadric-watch");
    app.set_version_flag("--version", "quadric-watch " QUADRIC_VERSION);
    app.add_option("folder", options.folder, "Folder for NODE.samples and NODE.summary, anew each second")
        ->required()
        ->type_name("FOLDER");
    app.add_flag("--gpus", options.watchesGpus, "Watch the GPUs of CUDA_VISIBLE_DEVICES too");
    app.footer("quadric run --launcher slurm starts it on each node of a job. It ends on SIGTERM.");
    if (app::isManualRequest(argc, argv)) {
        std::cout << app::formatManual(app);
        return 0;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    return std::nullopt;
}

int watch(int argc, char** argv)
{
    Options options;
    if (const auto status = readCommandLine(argc, argv, options))
        return *status;
    const sigset_t ends = machine::endingSignals();
    sigprocmask(SIG_BLOCK, &ends, nullptr);
    NodeFiles files(options.folder);
    machine::Sampler sampler(
        readerOptions(options.watchesGpus),
        [&files](const machine::Sample&, const machine::Sample& now) { files.write(now); },
        machine::kSamplePeriod, [&files](const machine::Summary& summary) { files.write(summary); });
    int signal = 0;
    sigwait(&ends, &signal);
    sampler.finish();
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    app::endWithoutMemory("quadric-watch");
    app::VisibleOutput output("quadric-watch");
    try {
        return output.finish(watch(argc, argv));
    } catch (const std::bad_alloc&) {
        std::terminate();
    } catch (const std::exception& failure) {
        std::cerr << "quadric-watch: " << failure.what() << '\n';
        return output.finish(1);
    }
}
