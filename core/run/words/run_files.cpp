// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/words/run_files.h"

#include "core/run/words/events.h"
#include "core/study/document/document.h"
#include "core/text/numbers.h"

#include <QCryptographicHash>
#include <QDir>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace quadric::run {

namespace {

/// One path for one study, whichever links lead to it, also while the file itself is missing.
std::filesystem::path canonicalPath(const std::filesystem::path& document)
{
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::absolute(document);
    std::filesystem::path canonical = std::filesystem::weakly_canonical(whole, error);
    return error ? whole.lexically_normal() : canonical;
}

constexpr qsizetype kMostRemembered = 256;

constexpr std::size_t kHeadCost = std::size_t{1} << 20;
constexpr std::size_t kLeastTailCost = std::size_t{1} << 20;
constexpr std::size_t kMarkBytes = 200; ///< room for the line between head and tail

/// Of a line of this length with its end.
std::size_t costOf(std::size_t bytes)
{
    return std::max(bytes, RunLog::kMostBytes / RunLog::kMostLines);
}

struct Step {
    StepSample sample;
    std::string unit;
};

std::optional<Step> parseStep(std::string_view line)
{
    const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
    const auto isNumber = [&json](const char* key) { return json.contains(key) && json[key].is_number(); };
    if (!json.is_object() || !isNumber("seconds") || !isNumber("step_ms"))
        return std::nullopt;
    Step step{{json["seconds"].get<double>(), json["step_ms"].get<double>()}, {}};
    if (isNumber("items"))
        step.sample.items = json["items"].get<double>();
    if (json.contains("unit") && json["unit"].is_string())
        step.unit = json["unit"].get<std::string>();
    return step;
}

std::optional<ResponseSample> parseResponseSample(std::string_view line)
{
    const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("response") || !json["response"].is_string())
        return std::nullopt;
    for (const char* key : {"seconds", "value"}) {
        if (!json.contains(key) || !json[key].is_number())
            return std::nullopt;
    }
    return ResponseSample{json["seconds"].get<double>(), json["response"].get<std::string>(),
                          json["value"].get<double>()};
}

/// Twice what Quadric writes into one of them.
constexpr std::size_t kMostBytesRead = 2 * RunLog::kMostBytes;

FileTail tailOf(const std::filesystem::path& path)
{
    return FileTail(path, path.parent_path(), {kMostBytesRead, kMostBytesRead});
}

} // namespace

QString studyKey(const std::filesystem::path& document)
{
    // Enough to tell studies apart, short enough for the path of a socket (107 bytes).
    constexpr qsizetype kBytes = 12;
    const QByteArray hash = QCryptographicHash::hash(
        QByteArray::fromStdString(canonicalPath(document).string()), QCryptographicHash::Sha256);
    return QStringLiteral("quadric-") + QString::fromLatin1(hash.left(kBytes).toHex());
}

std::filesystem::path stateFolder()
{
    const QString chosen = qEnvironmentVariable("XDG_STATE_HOME");
    const QString state =
        QDir::isAbsolutePath(chosen) ? chosen : QDir::homePath() + QStringLiteral("/.local/state");
    return (state + QStringLiteral("/quadric")).toStdString();
}

std::filesystem::path recoveredElsewhere(const std::filesystem::path& document)
{
    return stateFolder() / studyKey(document).toStdString() / document.filename();
}

std::optional<std::filesystem::path> findRecovered(const std::filesystem::path& document)
{
    for (const auto& path :
         {study::recoveredPath(document), study::recoveredPath(recoveredElsewhere(document))}) {
        if (study::isThere(path))
            return path;
    }
    return std::nullopt;
}

std::string hintAtRecovered(const std::filesystem::path& document)
{
    const auto recovered = findRecovered(document);
    return recovered ? "; what a runner has measured for it is in " + recovered->string() : std::string();
}

FileTail::FileTail(std::filesystem::path path, std::filesystem::path ownFolder, Bounds bounds)
    : m_path(std::move(path))
    , m_ownFolder(std::move(ownFolder))
    , m_bounds(bounds)
{
}

study::FileHandle FileTail::openAndSeek(News& news)
{
    study::FileHandle file;
    try {
        file = study::openCompanion(m_path, study::CompanionUse::Read, m_ownFolder);
    } catch (const study::DocumentError&) {
        file = study::FileHandle(); // none of ours
    }
    const study::FileIdentity now = study::identityOf(file);
    const bool isSame =
        now.inode == m_seen.inode && now.device == m_seen.device && now.size >= m_offset && isAsRead(file);
    news.isStart = m_offset < 0 || !isSame;
    m_seen = now;
    if (news.isStart || now.size - m_bounds.mostBehind > m_offset)
        m_lastRead.clear();
    m_offset = std::max(news.isStart ? 0 : m_offset, now.size - m_bounds.mostBehind);
    return file;
}

/// A new file may have got the inode of the former one.
bool FileTail::isAsRead(const study::FileHandle& file) const
{
    if (m_lastRead.isEmpty())
        return true;
    const auto size = static_cast<std::size_t>(m_lastRead.size());
    try {
        return study::readPart(file, m_offset - m_lastRead.size(), size, m_path) == m_lastRead.toStdString();
    } catch (const study::DocumentError&) {
        return true; // it may be readable the next time
    }
}

void FileTail::noteRead(const QByteArray& text)
{
    m_offset += text.size();
    m_lastRead = text.right(kMostRemembered);
}

FileTail::News FileTail::read()
{
    News news = readOn();
    if (!news.text.isEmpty())
        noteRead(news.text);
    return news;
}

FileTail::News FileTail::readOn()
{
    News news;
    const study::FileHandle file = openAndSeek(news);
    if (m_seen.size <= m_offset)
        return news;
    try {
        news.text = QByteArray::fromStdString(study::readPart(file, m_offset, m_bounds.mostAtOnce, m_path));
    } catch (const study::DocumentError&) {
        return news; // it may be readable the next time
    }
    news.isFull = static_cast<std::size_t>(news.text.size()) == m_bounds.mostAtOnce;
    return news;
}

FileTail::News FileTail::readLines()
{
    News news = readOn();
    const qsizetype end = news.text.lastIndexOf('\n') + 1;
    if (end == 0 && news.isFull) {
        m_offset += news.text.size();
        m_lastRead.clear();
    }
    news.text.truncate(end);
    if (end > 0)
        noteRead(news.text);
    return news;
}

void FileTail::skipToEnd()
{
    News ignored;
    openAndSeek(ignored);
    m_offset = m_seen.size;
    m_lastRead.clear();
}

std::filesystem::path logFolder(const std::filesystem::path& document)
{
    std::filesystem::path path = document;
    path += "-logs";
    return path;
}

std::filesystem::path logPath(const std::filesystem::path& document, int runId)
{
    return logFolder(document) / ("run-" + std::to_string(runId) + ".log");
}

RunLog::RunLog(std::filesystem::path path)
    : m_path(std::move(path))
{
    writeAnew();
}

void RunLog::write(std::string_view line)
{
    const std::string text = std::string(line) + '\n';
    const std::size_t cost = costOf(text.size());
    const bool isHead = m_tail.empty() && m_headCost + cost <= kHeadCost;
    (isHead ? m_head : m_tail) += text;
    (isHead ? m_headCost : m_tailCost) += cost;
    if (m_headCost + m_tailCost + kMarkBytes > kMostBytes)
        return shorten();
    // What could not be written before may be possible now.
    [[maybe_unused]] const int ignored = study::writeAll(m_file.get(), text);
}

/// Drops the oldest lines of the tail.
void RunLog::shorten()
{
    std::size_t dropped = 0;
    while (m_tailCost > kLeastTailCost) {
        const std::size_t next = m_tail.find('\n', dropped) + 1;
        m_tailCost -= costOf(next - dropped);
        dropped = next;
        ++m_missingLines;
    }
    m_missingBytes += dropped;
    m_tail.erase(0, dropped);
    writeAnew();
}

void RunLog::writeAnew()
{
    constexpr double kBytesPerMib = 1024.0 * 1024.0;
    try {
        m_file = study::openCompanion(m_path, study::CompanionUse::CreateAnew, m_path.parent_path());
    } catch (const study::DocumentError&) {
        m_file = study::FileHandle(); // without a log
    }
    const std::string mark =
        m_missingLines == 0
            ? std::string()
            : "… " + text::formatCount(static_cast<std::int64_t>(m_missingLines), "line") + " (" +
                  text::formatNumber(static_cast<double>(m_missingBytes) / kBytesPerMib, 0.1) +
                  " MiB) are missing here: of a long log the beginning and the end are kept …\n";
    [[maybe_unused]] const int ignored = study::writeAll(m_file.get(), m_head + mark + m_tail);
}

std::string writeResponseSample(const ResponseSample& sample)
{
    const nlohmann::ordered_json json = {
        {"seconds", sample.seconds}, {"response", sample.response}, {"value", sample.value}};
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::filesystem::path samplesPath(const std::filesystem::path& document, int runId)
{
    return logPath(document, runId).replace_extension(".samples");
}

void addSample(RunSamples& samples, std::string_view line)
{
    if (const auto step = parseStep(line)) {
        samples.steps.push_back(step->sample);
        if (!step->unit.empty())
            samples.unit = step->unit;
    } else if (const auto value = parseResponseSample(line)) {
        samples.responses.push_back(*value);
    } else if (const auto reading = machine::parseReading(line)) {
        samples.machine.push_back(*reading);
    }
}

RunFiles::RunFiles(const std::filesystem::path& document, int runId)
    : m_log(tailOf(logPath(document, runId)))
    , m_samples(tailOf(samplesPath(document, runId)))
{
}

RunFiles::News RunFiles::read()
{
    const FileTail::News log = m_log.readLines();
    const FileTail::News samples = m_samples.readLines();
    News news{.log = QString::fromUtf8(log.text),
              .samples = {},
              .isNewLog = log.isStart,
              .isNewSamples = samples.isStart};
    for (const QByteArray& line : samples.text.split('\n'))
        addSample(news.samples, {line.constData(), static_cast<std::size_t>(line.size())});
    return news;
}

void checkPlace(const std::filesystem::path& document)
{
    const std::string path = std::filesystem::absolute(document).string();
    if (QString::fromStdString(path).toStdString() != path)
        throw study::DocumentError(
            document.string() + ": the folder " + std::filesystem::path(path).parent_path().string() +
            ", expected a path in UTF-8; rename the folder or the file, or move the study");
    study::refuseImpostor(study::journalPath(document), study::CompanionUse::Append);
    study::refuseImpostor(eventsPath(document), study::CompanionUse::CreateAnew);
    study::refuseImpostorOfFolder(logFolder(document));
}

} // namespace quadric::run
