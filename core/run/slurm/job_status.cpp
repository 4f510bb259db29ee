// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/slurm/job_status.h"

#include "core/machine/units_of_measure.h"
#include "core/run/cluster/slurm_call.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <ctime>
#include <utility>
#include <vector>

#include <unistd.h>

namespace quadric::run {

namespace {

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first == text.npos ? std::string_view()
                              : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

bool isNumber(std::string_view text)
{
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

/// The pieces between separators, at most `most`: the last one has the rest.
std::vector<std::string_view> pieces(std::string_view text, char separator, std::size_t most)
{
    std::vector<std::string_view> list;
    while (list.size() + 1 < most) {
        const std::size_t end = text.find(separator);
        if (end == text.npos)
            break;
        list.push_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    list.push_back(text);
    return list;
}

template <typename OnLine> void eachLine(std::string_view text, OnLine onLine)
{
    for (const std::string_view line : pieces(text, '\n', text.npos))
        onLine(trimmed(line));
}

std::string reasonFrom(std::string_view text)
{
    return text == "None" || text == "(null)" ? std::string() : std::string(text);
}

/// The value behind " Key=" up to the next blank; empty where there is none.
std::string_view findRecordField(std::string_view record, const std::string& key)
{
    const std::string start = key + '=';
    for (std::size_t at = record.find(start); at != record.npos; at = record.find(start, at + 1)) {
        if (at > 0 && record[at - 1] != ' ')
            continue;
        const std::string_view rest = record.substr(at + start.size());
        const std::string_view value = rest.substr(0, rest.find(' '));
        return value == "(null)" || value == "N/A" ? std::string_view() : value;
    }
    return {};
}

} // namespace

JobState parseJobState(std::string_view text)
{
    constexpr std::array<std::pair<std::string_view, JobState>, 24> states = {{
        {"PENDING", JobState::Pending},           {"CONFIGURING", JobState::Pending},
        {"REQUEUED", JobState::Pending},          {"REQUEUE_HOLD", JobState::Pending},
        {"REQUEUE_FED", JobState::Pending},       {"RESV_DEL_HOLD", JobState::Pending},
        {"SPECIAL_EXIT", JobState::Pending},      {"RUNNING", JobState::Running},
        {"RESIZING", JobState::Running},          {"SIGNALING", JobState::Running},
        {"COMPLETING", JobState::Ending},         {"STAGE_OUT", JobState::Ending},
        {"STOPPED", JobState::Suspended},         {"SUSPENDED", JobState::Suspended},
        {"COMPLETED", JobState::Completed},       {"FAILED", JobState::Failed},
        {"CANCELLED", JobState::Cancelled},       {"REVOKED", JobState::Cancelled},
        {"TIMEOUT", JobState::TimedOut},          {"DEADLINE", JobState::TimedOut},
        {"NODE_FAIL", JobState::NodeFailed},      {"BOOT_FAIL", JobState::NodeFailed},
        {"OUT_OF_MEMORY", JobState::OutOfMemory}, {"PREEMPTED", JobState::Preempted},
    }};
    const auto isOfWord = [](unsigned char c) { return std::isupper(c) || c == '_'; };
    const auto end = std::find_if_not(text.begin(), text.end(), isOfWord);
    const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    const auto found =
        std::find_if(states.begin(), states.end(), [word](const auto& state) { return state.first == word; });
    return found == states.end() ? JobState::Unknown : found->second;
}

bool isFinal(JobState state)
{
    switch (state) {
    case JobState::Pending:
    case JobState::Running:
    case JobState::Ending:
    case JobState::Suspended:
    case JobState::Unknown:
        return false;
    default:
        return true;
    }
}

std::map<std::string, QueueEntry, std::less<>> parseQueue(std::string_view answer)
{
    constexpr std::size_t kFields = 6;
    std::map<std::string, QueueEntry, std::less<>> queue;
    eachLine(answer, [&queue](std::string_view line) {
        const auto fields = pieces(line, '|', kFields);
        if (fields.size() != kFields || !isNumber(fields[0]))
            return;
        const QueueEntry entry{std::string(fields[0]), parseJobState(fields[2]),
                               parseSlurmDuration(fields[3]), std::string(fields[4]), reasonFrom(fields[5])};
        const auto known = queue.find(fields[1]);
        if (known == queue.end() || isFinal(known->second.state))
            queue.insert_or_assign(std::string(fields[1]), entry);
    });
    return queue;
}

double parseSlurmDuration(std::string_view text)
{
    constexpr double kSecondsPerDay = 86400.0;
    double days = 0.0;
    if (const std::size_t dash = text.find('-'); dash != text.npos) {
        days = numberFrom(text.substr(0, dash));
        text.remove_prefix(dash + 1);
    }
    double seconds = 0.0;
    for (const std::string_view part : pieces(text, ':', 3)) {
        if (!isNumber(part))
            return 0.0;
        seconds = 60.0 * seconds + numberFrom(part);
    }
    return days * kSecondsPerDay + seconds;
}

std::optional<double> parseSlurmTime(std::string_view text)
{
    std::tm moment = {};
    const std::string whole(text);
    const char* const end = strptime(whole.c_str(), "%Y-%m-%dT%H:%M:%S", &moment);
    return end != nullptr && *end == '\0' ? std::optional<double>(timegm(&moment)) : std::nullopt;
}

std::optional<double> parseControllerStart(std::string_view text)
{
    std::optional<double> start;
    eachLine(text, [&start](std::string_view line) {
        const auto words = pieces(line, '=', 2);
        if (words.size() == 2 && trimmed(words[0]) == "BOOT_TIME")
            start = parseSlurmTime(trimmed(words[1]));
    });
    return start;
}

std::optional<JobRecord> parseJobRecord(std::string_view text)
{
    const std::string_view record = trimmed(text.substr(0, text.find('\n')));
    JobRecord job;
    job.id = findRecordField(record, "JobId");
    if (!isNumber(job.id))
        return std::nullopt;
    job.name = findRecordField(record, "JobName");
    job.submitted = parseSlurmTime(findRecordField(record, "SubmitTime"));
    job.ended = parseSlurmTime(findRecordField(record, "EndTime"));
    job.state = parseJobState(findRecordField(record, "JobState"));
    job.reason = reasonFrom(findRecordField(record, "Reason"));
    job.nodes = findRecordField(record, "NodeList");
    job.partition = findRecordField(record, "Partition");
    const auto exit = pieces(findRecordField(record, "ExitCode"), ':', 2);
    job.exitStatus = numberFrom(exit.front());
    job.signal = exit.size() == 2 ? numberFrom(exit.back()) : 0;
    job.restarts = numberFrom(findRecordField(record, "Restarts"));
    job.seconds = parseSlurmDuration(findRecordField(record, "RunTime"));
    return job;
}

std::optional<JobEnd> parseJobEnd(std::string_view text)
{
    JobEnd end;
    bool isWhole = false;
    eachLine(text, [&](std::string_view line) {
        const auto words = pieces(line, ' ', 2);
        const std::string_view value = words.size() == 2 ? words[1] : std::string_view();
        if (words[0] == "job")
            end.id = value;
        else if (words[0] == "status")
            end.status = numberFrom(value);
        else if (words[0] == "restarts")
            end.restarts = numberFrom(value);
        else if (words[0] == "kernel")
            end.kernel = value;
        else if (words[0] == "nodes")
            end.nodes = value;
        isWhole = isWhole || words[0] == "nodes";
    });
    if (!isWhole || !isNumber(end.id))
        return std::nullopt;
    return end;
}

std::string parseJobId(std::string_view answer)
{
    std::string id;
    eachLine(answer, [&id](std::string_view line) {
        const std::string_view word = line.substr(0, line.find(';'));
        if (isNumber(word))
            id = word;
    });
    return id;
}

SlurmQueue::SlurmQueue(double pollSeconds)
{
    m_timer.setInterval(static_cast<int>(machine::kMsPerSecond * pollSeconds));
    connect(&m_timer, &QTimer::timeout, this, &SlurmQueue::look);
}

void SlurmQueue::addWatcher()
{
    if (m_watchers++ == 0)
        m_timer.start();
}

void SlurmQueue::removeWatcher()
{
    if (--m_watchers == 0)
        m_timer.stop();
}

void SlurmQueue::pollQueue()
{
    m_looksAgain = m_isLooking;
    look();
}

void SlurmQueue::look()
{
    if (m_isLooking)
        return;
    m_isLooking = true;
    const SlurmCall call{QStringLiteral("squeue"),
                         {QStringLiteral("--noheader"), QStringLiteral("--states=all"),
                          QStringLiteral("--user=%1").arg(::getuid()),
                          QStringLiteral("--format=%1").arg(QLatin1String(kQueueFormat))}};
    callSlurm(this, call, [this](const SlurmAnswer& answer) { take(answer); });
}

void SlurmQueue::take(const SlurmAnswer& answer)
{
    m_isLooking = false;
    QueueLook look;
    if (answer.isGood())
        look.jobs = parseQueue(answer.output.toStdString());
    else
        look.problem = "squeue: " + answer.problem();
    const bool looksAgain = std::exchange(m_looksAgain, false);
    emit looked(look);
    if (looksAgain)
        pollQueue();
}

} // namespace quadric::run
