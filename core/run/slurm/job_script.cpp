// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/slurm/job_script.h"

#include "core/machine/units_of_measure.h"
#include "core/run/recipe/baseline_needs.h"
#include "core/study/files/file.h"
#include "core/text/numbers.h"

#include <QCryptographicHash>
#include <QRandomGenerator>
#include <QRegularExpression>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>

namespace quadric::run {

namespace {

constexpr double kSecondsPerMinute = 60.0;
constexpr double kMostMemoryMib = 1e9; ///< more than any node has
constexpr std::size_t kLongestComment = 80;
constexpr int kShortDigits = 8;

int dividedUp(int number, int by)
{
    return (number + by - 1) / by;
}

/// What may stand between quotes in a line of options: the rest becomes a blank.
std::string plain(std::string text)
{
    for (char& c : text) {
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_' && c != '.')
            c = ' ';
    }
    return text.substr(0, kLongestComment);
}

constexpr double kMostOutputMib = 1e9;

bool isPlain(unsigned char c)
{
    return std::isalnum(c) ||
           std::string_view("_-./:,+@%").find(static_cast<char>(c)) != std::string_view::npos;
}

bool isControl(unsigned char c)
{
    return c < ' ' || c == 0x7f;
}

std::string inSingleQuotes(const std::string& text)
{
    std::string word = "'";
    for (const char c : text)
        word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

std::string inDollarQuotes(const std::string& text)
{
    std::string word = "$'";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (isControl(byte))
            word += {'\\', static_cast<char>('0' + byte / 64), static_cast<char>('0' + byte / 8 % 8),
                     static_cast<char>('0' + byte % 8)};
        else
            word += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
    }
    return word + "'";
}

bool isVariableName(const std::string& name)
{
    return !name.empty() && !std::isdigit(static_cast<unsigned char>(name.front())) &&
           std::all_of(name.begin(), name.end(),
                       [](unsigned char c) { return c < 0x80 && (std::isalnum(c) || c == '_'); });
}

std::string directives(const JobRequest& request)
{
    std::vector<std::string> lines = {
        "--job-name=" + request.name,
        "--comment=\"" + request.comment + '"',
        "--nodes=" + std::to_string(request.nodes),
        "--ntasks=" + std::to_string(request.ranks),
        "--ntasks-per-node=" + std::to_string(request.ranksPerNode),
        "--cpus-per-task=" + std::to_string(request.cpusPerRank),
    };
    if (request.gpusPerNode > 0)
        lines.push_back("--gres=gpu:" + std::to_string(request.gpusPerNode));
    if (request.memoryMib > 0)
        lines.push_back("--mem=" + std::to_string(request.memoryMib) + "M");
    lines.push_back("--time=" + std::to_string(request.minutes));
    lines.insert(lines.end(), {"--no-requeue", "--open-mode=append", "--output=slurm.log"});
    if (!request.partition.empty())
        lines.push_back("--partition=" + request.partition);
    if (!request.account.empty())
        lines.push_back("--account=" + request.account);
    lines.insert(lines.end(), request.options.begin(), request.options.end());
    std::string text;
    for (const std::string& line : lines)
        text += "#SBATCH " + line + '\n';
    return text;
}

/// One job does the run, once: not a second one, and not the same one after a requeue.
constexpr const char* kClaim = R"sh((set -o noclobber; echo "$SLURM_JOB_ID" >claim) 2>/dev/null
[ "$(cat claim)" = "$SLURM_JOB_ID" ] || exit 0
[ ! -e end ] || exit 0
leave() {
    trap - EXIT
    [ "$BASHPID" = $$ ] || exit "$1" # a child that was ended before it had traps of its own
    [ ! -e "$job/setup" ] || cat "$job/setup-errors" >&3
    printf 'job %s\nstatus %s\nrestarts %s\nkernel %s\nnodes %s\n' "$SLURM_JOB_ID" "$1" \
        "${SLURM_RESTART_COUNT:-0}" "$(uname -r)" "$SLURM_JOB_NODELIST" >"$job/end.part"
    mv "$job/end.part" "$job/end"
    exit "$1"
}
trap 'leave $?' EXIT
trap 'exit 143' TERM
[ "${SLURM_RESTART_COUNT:-0}" = 0 ] || exit 1
)sh";

/// Notes which line of the setup is being executed, however it ends; one that fails ends the job, unless a
/// file that it reads fails inside.
constexpr const char* kBeginSetup = R"sh(echo 0 >"$job/setup"
exec 3>&2 2>"$job/setup-errors"
trap '[ ${#BASH_SOURCE[@]} -gt 1 ] || [ "$LINENO" -le "$before_setup" ] || echo $((LINENO - before_setup)) >"$job/setup"' DEBUG
trap 'failed=$?; [ ${#BASH_SOURCE[@]} -gt 1 ] || exit "$failed"' ERR
)sh";

/// What the setup has changed of the shell is as it was.
constexpr const char* kEndSetup = R"sh(trap - DEBUG ERR
set +euf +o pipefail
rm -f "$job/setup"
exec 2>&3 3>&-
cat "$job/setup-errors" >&2
trap 'leave $?' EXIT
trap 'exit 143' TERM
)sh";

/// Looks once a second at what the program has printed. Of one that is ended five seconds are left to end by
/// itself.
constexpr const char* kWatch = R"sh(
: >"$job/output" 2>"$job/errors"
printed() {
    echo $(($(stat -c %s "$job/output") + $(stat -c %s "$job/errors")))
}
watch() {
    while kill -0 "$1" 2>/dev/null; do
        if [ "$(printed)" -gt "$most" ]; then
            kill "$1"
            sleep 5
            kill -KILL "$1" 2>/dev/null
            return
        fi
        sleep 1
    done
}
)sh";

/// A step beside the program's, which starts first: from this version on steps share what a job has.
constexpr const char* kWatchNodes = R"sh(observe() {
    mkdir -p "$job/telemetry" && sleep 0.3
    version=$(srun --version)
    case "${version##* }" in
    21.08* | 2[2-9].* | [3-9][0-9].*)
        exec srun --overlap --nodes="$SLURM_JOB_NUM_NODES" --ntasks="$SLURM_JOB_NUM_NODES" --ntasks-per-node=1 \
            --cpus-per-task=1 "$1" "$job/telemetry" $2 </dev/null >/dev/null 2>"$job/telemetry/errors"
        ;;
    esac
}
)sh";

constexpr const char* kWaitForEnd = R"sh(watch "$worker" &
watcher=$!
wait "$worker"
status=$?
kill "$watcher" $observer 2>/dev/null
[ "$(printed)" -le "$most" ] || : >"$job/too-much"
exit "$status"
)sh";

/// The variables that the recipe sets beside what the program inherits, less those that tell which devices
/// are free: on a cluster Slurm says so.
std::map<std::string, std::string> recipeVariables(const Launch& launch)
{
    const QProcessEnvironment inherited = QProcessEnvironment::systemEnvironment();
    std::map<std::string, std::string> variables;
    for (const QString& name : launch.environment.keys()) {
        const QString value = launch.environment.value(name);
        const bool isInherited = inherited.contains(name) && inherited.value(name) == value;
        if (!isInherited && name != QLatin1String("CUDA_VISIBLE_DEVICES"))
            variables.emplace(name.toStdString(), value.toStdString());
    }
    return variables;
}

std::string exports(const Launch& launch, const std::filesystem::path& folder)
{
    std::string text = "export QUADRIC_RENDEZVOUS=" + shellWord(folder.string()) + '\n';
    for (const auto& [name, value] : recipeVariables(launch)) {
        if (!isVariableName(name))
            throw RecipeError("benchmark.env." + name +
                              ": expected a name of letters, digits and _, as a batch script can set");
        text += "export " + name + '=' + shellWord(value) + '\n';
    }
    return text;
}

/// `before`: what stands before them in the script.
std::string setupLines(const JobRequest& request, const std::string& before)
{
    if (request.setup.empty())
        return {};
    const std::string_view begin = kBeginSetup;
    const auto linesBefore = std::ranges::count(before, '\n') + 1 + std::ranges::count(begin, '\n');
    std::string text = "readonly before_setup=" + std::to_string(linesBefore) + '\n' + kBeginSetup;
    for (const std::string& line : request.setup)
        text += line + '\n';
    return text + kEndSetup;
}

std::string command(const JobRequest& request, const Launch& launch)
{
    std::string text;
    if (request.startsRanks)
        text = "srun --kill-on-bad-exit=1 --cpus-per-task=" + std::to_string(request.cpusPerRank) + ' ';
    text += shellWord(launch.program.toStdString());
    for (const QString& argument : launch.arguments)
        text += ' ' + shellWord(argument.toStdString());
    return text + " >\"$job/output\" 2>\"$job/errors\" &\nworker=$!\n";
}

/// A run does not depend on it.
std::string observation(const JobRequest& request)
{
    if (request.watch.empty())
        return {};
    const std::string program = shellWord(request.watch);
    return "[ ! -x " + program + " ] || observe " + program + (request.watchesGpus ? " --gpus" : "") +
           " &\nobserver=$!\n";
}

} // namespace

std::string JobRequest::inWords() const
{
    std::string text = text::formatCount(ranks, "rank") + " on " + text::formatCount(nodes, "node");
    if (gpusPerNode > 0)
        text += " with " + text::formatCount(gpusPerNode, "GPU") + (nodes == 1 ? "" : " each");
    return text;
}

JobRequest jobRequest(const study::Study& study, const study::Run& run, const study::SlurmOptions& options,
                      const std::string& name)
{
    JobRequest request;
    request.name = name;
    request.comment = plain("Quadric run " + std::to_string(run.id) + " of " + study.name);
    request.partition = options.partition;
    request.account = options.account;
    request.ranks = readRankCount(study, run).value_or(1);
    request.nodes = dividedUp(request.ranks, options.ranksPerNode);
    request.ranksPerNode = dividedUp(request.ranks, request.nodes);
    request.gpusPerNode = request.ranksPerNode * gpusPerRank(study, options);
    request.cpusPerRank = options.cpusPerRank;
    request.minutes = static_cast<int>(std::ceil(study.benchmark.timeoutSeconds / kSecondsPerMinute)) + 1;
    request.memoryMib = static_cast<int>(std::ceil(std::min(study.benchmark.memoryMib, kMostMemoryMib)));
    request.startsRanks = options.start == study::SlurmOptions::Start::Ranks;
    request.options = options.options;
    request.setup = options.setup;
    return request;
}

std::string newJobName(const std::filesystem::path& document, int runId)
{
    const QByteArray path = QByteArray::fromStdString(document.string());
    const QByteArray key = QCryptographicHash::hash(path, QCryptographicHash::Sha256).toHex();
    const QByteArray random = QByteArray::number(QRandomGenerator::system()->generate(), 16);
    return ("quadric-" + key.left(kShortDigits) + "-" + QByteArray::number(runId) + "-" +
            random.rightJustified(kShortDigits, '0'))
        .toStdString();
}

bool isJobName(const std::string& name, int runId)
{
    static const QRegularExpression pattern(QStringLiteral("^quadric-[0-9a-f]{8}-(\\d{1,9})-[0-9a-f]{8}\\z"));
    const auto match = pattern.match(QString::fromStdString(name));
    return match.hasMatch() && match.captured(1).toInt() == runId;
}

std::string shellWord(const std::string& text)
{
    if (!text.empty() && std::all_of(text.begin(), text.end(), isPlain))
        return text;
    return std::any_of(text.begin(), text.end(), isControl) ? inDollarQuotes(text) : inSingleQuotes(text);
}

std::string jobScript(const JobRequest& request, const Launch& launch, const std::filesystem::path& folder,
                      double outputMib)
{
    std::string text = "#!/bin/bash\n# " + request.comment + ": " + request.inWords() +
                       ". Written by Quadric, which submits it with sbatch.\n" + directives(request);
    text += "\njob=" + shellWord(folder.string()) + "\nreadonly job\ncd \"$job\" || exit 1\n" + kClaim + '\n';
    text += exports(launch, folder);
    text += "cd " + shellWord(launch.folder.toStdString()) + " || exit 127\n"; // as of what is not found
    text += setupLines(request, text);
    const auto mostBytes =
        static_cast<std::int64_t>(std::min(outputMib, kMostOutputMib) * machine::kBytesPerMib);
    return text + "most=" + std::to_string(mostBytes) + kWatch + (request.watch.empty() ? "" : kWatchNodes) +
           command(request, launch) + observation(request) + kWaitForEnd;
}

} // namespace quadric::run
