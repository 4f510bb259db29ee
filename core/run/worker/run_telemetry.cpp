// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/run_telemetry.h"

#include "core/machine/units_of_measure.h"
#include "core/run/recipe/result_pattern.h"
#include "core/run/words/events.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <unistd.h>

namespace quadric::run {

namespace {

constexpr std::size_t kLongestReadLine = 2000; ///< bytes
constexpr qint64 kFreeNs = 100'000'000;        ///< of time for reading, before it is compared
constexpr qint64 kShareOfTime = 20;            ///< and then one part in so many
constexpr std::size_t kMostNames = 100;        ///< of responses

using Json = nlohmann::json;

constexpr double kNewsPauseSeconds = 0.5;

/// The engine that the worker is told to use; empty when it may choose.
std::string engineOf(const Launch& launch)
{
    const std::string text = launch.environment.value(QStringLiteral("QUADRIC_SETTINGS")).toStdString();
    const Json settings = Json::parse(text, nullptr, false);
    const auto found = settings.is_object() ? settings.find("engine") : settings.end();
    return found != settings.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Adds a reason to those that the worker gives itself.
void addDisturbance(study::Provenance& provenance, const std::string& reason)
{
    std::string& because = provenance.disturbedBecause;
    because = because.empty() ? reason : because + "; " + reason;
    provenance.disturbed = true;
}

/// What workers fail with when their GPU is gone: they end or hang, or their ranks lose each other.
void blameDevice(study::Failure& failure, const std::string& loss)
{
    constexpr auto kConsequences =
        std::to_array<std::string_view>({"crash", "exit-status", "missing-result", "timeout", "time-out",
                                         "rank-lost", "communication", "internal"});
    if (std::ranges::find(kConsequences, failure.kind) == kConsequences.end())
        return;
    failure.kind = "device-lost";
    failure.message = loss + "; " + failure.message;
}

} // namespace

LiveValues::LiveValues(study::ParseSpec spec)
    : m_spec(std::move(spec))
{
}

bool LiveValues::hasTime() const
{
    return m_spentNs < kFreeNs + m_clock.nsecsElapsed() / kShareOfTime;
}

std::vector<std::pair<std::string, double>> LiveValues::read(const std::string& line)
{
    using Kind = study::ParseSpec::Kind;
    if (!m_clock.isValid())
        m_clock.start();
    if (line.size() > kLongestReadLine || !hasTime())
        return {};
    QElapsedTimer effort;
    effort.start();
    Found found;
    if (m_spec.kind == Kind::Regex)
        found = findByPatterns(line);
    else if (m_spec.kind == Kind::LastJson)
        found = findInObject(line);
    m_spentNs += effort.nsecsElapsed();
    std::erase_if(found, [this](const auto& each) {
        const bool isRoom = m_pauses.size() < kMostNames || m_pauses.contains(each.first);
        return !std::isfinite(each.second) || !isRoom || !m_pauses[each.first].lets();
    });
    return found;
}

/// A pattern that gives up on a line is not tried again.
LiveValues::Found LiveValues::findByPatterns(const std::string& line)
{
    Found found;
    const QString text = QString::fromStdString(line);
    std::erase_if(m_spec.patterns, [&](const auto& each) {
        bool gaveUp = false;
        const PatternFinding finding = findLastNumber(each.second, text, &gaveUp);
        if (!gaveUp && finding.isFound && finding.problem.empty())
            found.emplace_back(each.first, finding.value);
        return gaveUp;
    });
    return found;
}

LiveValues::Found LiveValues::findInObject(const std::string& line)
{
    Found found;
    if (!line.starts_with('{'))
        return found;
    const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
    const auto responses = json.is_object() ? json.find("responses") : json.end();
    const bool isNested = json.is_object() && responses != json.end() && responses->is_object();
    const nlohmann::json& numbers = isNested ? *responses : json;
    if (!numbers.is_object())
        return found;
    for (const auto& [name, value] : numbers.items()) {
        if (value.is_number())
            found.emplace_back(name, value.get<double>());
    }
    return found;
}

bool isWorthWatching(const Launch& launch)
{
    return engineOf(launch) != "simulated";
}

bool canUseGpus(const Launch& launch)
{
    return isWorthWatching(launch) && engineOf(launch) != "cpu";
}

machine::ReaderOptions makeReaderOptions(const Launch& launch, qint64 guard)
{
    machine::ReaderOptions options;
    options.cpus = launch.cpus;
    options.ownPid = launch.cpus.empty() ? ::getpid() : static_cast<int>(guard);
    const QString devices = launch.environment.value(QStringLiteral("CUDA_VISIBLE_DEVICES"));
    for (const QString& device : devices.split(QLatin1Char(','), Qt::SkipEmptyParts))
        options.devices.push_back(device.trimmed().toStdString());
    if (!canUseGpus(launch))
        options.nvmlLibrary.clear();
    return options;
}

void addFindings(study::Run& run, const machine::Findings& findings)
{
    study::setProvenanceFacts(run.provenance, findings.entries);
    const bool workerJudgesLoad = run.provenance.disturbed.has_value();
    std::string reason = findings.disturbance;
    if (!workerJudgesLoad)
        machine::addReason(reason, findings.foreignLoad);
    if (!reason.empty())
        addDisturbance(run.provenance, reason);
    if (!findings.loss.empty() && run.failure)
        blameDevice(*run.failure, findings.loss);
}

RunTelemetry::RunTelemetry(int runId, const std::filesystem::path& document, machine::ReaderOptions watched)
    : m_runId(runId)
    , m_file(samplesPath(document, runId))
    , m_sampler(std::move(watched), [this](const machine::Sample&, const machine::Sample& now) { pass(now); })
{
    m_clock.start();
}

RunTelemetry::~RunTelemetry()
{
    m_sampler.finish();
}

/// In the sampler's thread.
void RunTelemetry::pass(const machine::Sample& now)
{
    if (!m_passed)
        m_passed = now;
    if (now.seconds - m_passed->seconds < kNewsPauseSeconds)
        return;
    const std::string fields = machine::sampleText(*m_passed, now);
    m_passed = now;
    QMetaObject::invokeMethod(
        this, [this, fields] { take(fields); }, Qt::QueuedConnection);
}

void RunTelemetry::take(const std::string& fields)
{
    m_file.write(fields);
    emit news(telemetryEvent(m_runId, fields));
}

void RunTelemetry::keepStep(Sample step)
{
    if (!step.seconds)
        step.seconds = elapsedSeconds();
    m_file.write(writeSample(step));
}

double RunTelemetry::elapsedSeconds() const
{
    return static_cast<double>(m_clock.elapsed()) / machine::kMsPerSecond;
}

} // namespace quadric::run
