// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run/run_progress.h"

#include "app/cli/output/study_output.h"
#include "app/shell/visible_output.h"
#include "core/machine/json_text.h"
#include "core/report/table.h"
#include "core/report/tables/study_tables.h"
#include "core/run/recipe/approval.h"
#include "core/run/recipe/baseline_needs.h"
#include "core/run/words/events.h"
#include "core/run/worker/active_run.h"
#include "core/run/worker/run_policy.h"
#include "core/run/worker/worker_process.h"
#include "core/study/document/document.h"
#include "core/study/document/document_json.h"
#include "core/study/files/journal.h"
#include "core/study/run.h"
#include "core/study/run_records.h"
#include "core/text/numbers.h"
#include "core/text/visible_text.h"

#include <QCoreApplication>
#include <QDateTime>

#include <algorithm>
#include <chrono>
#include <clocale>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <thread>

#include <sys/ioctl.h>
#include <unistd.h>

namespace quadric::app {

namespace {

/// "speed 12.5 ± 0.3 img/s, …": the results of a run, with the digits that the study's tables have, this run
/// of it included.
std::string resultsText(const study::Study& study, const study::Run& run)
{
    std::string text;
    for (const study::Response& response : study.responses) {
        if (!run.results.contains(response.name))
            continue;
        const double uncertainty = report::commonUncertainty(study, response.name);
        text += (text.empty() ? "" : ", ") + response.name + " " +
                formatCell(report::makeResultCell(run, response.name, uncertainty)) +
                (response.unit.empty() ? "" : " " + response.unit);
    }
    return text::makeVisible(text);
}

void print(const study::Study& study, const run::Trial& trial, const run::TrialReport& report, bool asJson)
{
    if (asJson) {
        printJson({{"run", Json::parse(study::writeRun(report.run))}, {"output", report.output}});
        return;
    }
    std::cout << settingsText(study, trial.settings()) << '\n';
    study::Study tried = study;
    tried.runs = {report.run};
    if (report.run.failure)
        std::cout << failureText(*report.run.failure) << '\n';
    else
        std::cout << "read: " << resultsText(tried, report.run) << '\n';
    std::cout << "\nThe program printed:\n" << (report.output.empty() ? "nothing\n" : report.output);
}

constexpr std::size_t kUsualWidth = 80;
constexpr std::string_view kEraseRow = "\r\x1b[K";

bool canErase()
{
    const char* terminal = std::getenv("TERM");
    return terminal && *terminal != '\0' && std::string_view(terminal) != "dumb";
}

std::size_t terminalWidth()
{
    winsize size = {};
    const bool isKnown = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return isKnown ? size.ws_col : kUsualWidth;
}

/// The first so many code points of UTF-8.
std::string cut(const std::string& text, std::size_t length)
{
    std::size_t end = 0, points = 0;
    for (; end < text.size(); ++end) {
        const bool begins = (static_cast<unsigned char>(text[end]) & 0xC0U) != 0x80U;
        if (begins && points++ == length)
            break;
    }
    return text.substr(0, end);
}

using study::RunStatus;

constexpr const char* kIndent = "      ";

std::string disturbanceText(const study::Run& run)
{
    const std::string why = study::disturbanceOf(run);
    return "disturbed" + (why.empty() ? "" : " (" + why + ")");
}

} // namespace

std::string approveAndShow(const std::string& path)
{
    const run::ApprovalRequest request(readStudy(path), path);
    if (request.isApproved())
        return {};
    std::cerr << "quadric: approved. " << request.question().toStdString();
    try {
        request.approve();
    } catch (const run::ApprovalError& error) {
        std::cerr << "quadric: approved for this start only: " << error.what() << '\n';
    }
    return request.text();
}

int executeTrial(CommandLine& line, const TrialOptions& options)
{
    QCoreApplication application(line.argc, line.argv);
    std::setlocale(LC_NUMERIC, "C");
    const study::Study study = readStudy(options.path);
    const std::string approvedNow = options.approve ? approveAndShow(options.path) : std::string();
    if (const auto owner = study::lockOwner(options.path))
        std::cerr << "quadric: process " << owner->pid << " on " << owner->host
                  << " is executing runs of this study; this test disturbs their measurement\n";
    auto termination = std::make_unique<run::Termination>();
    run::Trial trial(study, options.run, options.path, approvedNow);
    run::TrialReport result;
    QObject::connect(termination.get(), &run::Termination::requested, &trial, &run::Trial::stop);
    QObject::connect(&trial, &run::Trial::ended, &application, [&result](const run::TrialReport& report) {
        result = report;
        QCoreApplication::quit();
    });
    trial.start();
    QCoreApplication::exec();
    termination.reset(); // from here on a signal ends a program that nobody reads
    print(study, trial, result, options.json);
    return result.run.status == study::RunStatus::Done ? kDone : kWorkFailed;
}

namespace {

/// The record that an event tells; nothing where it tells none.
std::optional<study::Run> recordIn(const study::Json& event)
{
    if (!event.is_object() || !event.contains("run"))
        return std::nullopt;
    study::ReadContext context;
    return study::readRun(study::JsonReader(event["run"], {}, context));
}

/// As it was before the runs that these events tell of.
study::Study beforeThese(study::Study study, const QByteArray& events)
{
    for (const QByteArray& line : events.split('\n')) {
        const auto told = recordIn(study::Json::parse(line.toStdString(), nullptr, false));
        if (study::Run* run = told ? study::findRun(study, told->id) : nullptr)
            *run = run::resetToPending(*run);
    }
    return study;
}

} // namespace

int followRunner(const std::string& path)
{
    constexpr std::chrono::milliseconds kPause{500};
    const study::Study study = readStudy(path);
    run::FileTail tail = run::openEventTail(path);
    run::FileTail::News news = tail.readLines();
    std::optional<RunProgress> progress;
    for (;;) {
        const bool isAlive =
            study::lockOwner(path).has_value(); // first: what it wrote before it ended is there
        for (const QByteArray& line : news.text.split('\n')) {
            const auto event = study::Json::parse(line.toStdString(), nullptr, false);
            const std::string name = machine::stringIn(event, "event");
            if (name == "started")
                progress.emplace(beforeThese(study, news.text), event.value("pending", 0), 0);
            if (!progress || name.empty())
                continue;
            if (const auto run = recordIn(event); run && name != "run-kept")
                progress->showRecord(*run);
            progress->takeEvent(line.toStdString());
            if (name != "ended")
                continue;
            progress->finish();
            std::cout << text::makeVisible(machine::stringIn(event, "message")) << '\n';
            return machine::stringIn(event, "reason") == "finished" ? kDone : kWorkFailed;
        }
        if (!isAlive)
            throw WorkError(path +
                            (progress ? ": the runner stopped unexpectedly (killed); finished runs are saved"
                                      : ": no runner executes this study; quadric run starts one"));
        if (progress)
            progress->tick();
        std::this_thread::sleep_for(kPause);
        news = tail.readLines();
    }
}

StatusRow::StatusRow()
    : m_isShown(printsToTerminal() && canErase())
{
}

void StatusRow::draw(const std::string& text)
{
    if (!m_isShown)
        return;
    // The last column stays free: a terminal that is written full to it goes to the next row.
    printControl(std::string(kEraseRow) + cut(text::makeVisible(text), terminalWidth() - 1));
    m_isDrawn = true;
}

void StatusRow::erase()
{
    if (m_isDrawn)
        printControl(kEraseRow);
    m_isDrawn = false;
}

RunProgress::RunProgress(study::Study study, int plannedRuns, int plannedBaselines)
    : m_study(std::move(study))
    , m_runs(std::size_t(plannedRuns))
    , m_planned(plannedRuns)
    , m_plannedBaselines(plannedBaselines)
{
    for (const study::Run& run : study::allRuns(m_study))
        if (run.status == RunStatus::Done)
            m_withResult.insert(run.id);
}

void RunProgress::showRecord(const study::Run& run)
{
    if (run.status != RunStatus::Running)
        return printEnd(run);
    if (m_active.insert(run.id).second)
        printStart(run); // otherwise more is known about it
}

void RunProgress::takeEvent(std::string_view event)
{
    m_news.take(event);
    const Json json = Json::parse(event);
    const std::string name = json.at("event");
    if (name == "problem")
        print(m_news.problem.empty() ? "The study can be written again." : "Waiting: " + m_news.problem);
    if (name == "remaining")
        printRemaining();
    if (name != "run-started" && name != "run-kept")
        return;
    // A run that has a result keeps its record until there is a better one.
    const int id = json.at("run").at("id");
    const study::Run* known = study::findRun(m_study, id);
    if (!known || !m_withResult.contains(id))
        return;
    if (name == "run-started" && m_active.insert(id).second)
        printStart(*known);
    if (name == "run-kept") {
        m_active.erase(id);
        print(kIndent + ("run " + std::to_string(id)) + ": the first result stays");
    }
}

/// What is measured again comes beyond the plan: a run that was disturbed or has crashed, a baseline that has
/// become too old.
void RunProgress::printStart(const study::Run& run)
{
    if (run.kind == study::RunKind::Baseline) {
        m_plannedBaselines = std::max(m_plannedBaselines, ++m_startedBaselines);
        return print("baseline " + std::to_string(m_startedBaselines) + " of " +
                     std::to_string(m_plannedBaselines) + " (run " + std::to_string(run.id) +
                     "): one rank, " + baselineText(m_study, run));
    }
    const bool isAgain = !m_everStarted.insert(run.id).second;
    m_planned = std::max(m_planned + (isAgain ? 1 : 0), ++m_started);
    print("[" + std::to_string(m_started) + "/" + std::to_string(m_planned) + "] run " +
          std::to_string(run.id) + (isAgain || m_withResult.contains(run.id) ? " again: " : ": ") +
          settingsText(m_study, run.settings));
}

void RunProgress::printEnd(const study::Run& run)
{
    const bool wasActive = m_active.erase(run.id) > 0;
    const std::string name = kIndent + ("run " + std::to_string(run.id));
    if (run.status == RunStatus::Done && wasActive)
        printRunResult(run);
    else if (run.failure)
        print(name + ' ' + failureText(*run.failure));
    else if (wasActive && run.provenance.earlierFailure)
        print(name + " failed and will be measured again: " + run.provenance.earlierFailure->message);
    const bool hasEnded =
        (run.status == RunStatus::Done && !run::needsRepetition(run)) || run.status == RunStatus::Failed;
    if (hasEnded && run.kind != study::RunKind::Baseline)
        m_ended.insert(run.id);
    m_isRemainingOwed = m_isRemainingOwed || hasEnded;
}

void RunProgress::printRunResult(const study::Run& run)
{
    const std::string name = kIndent + ("run " + std::to_string(run.id));
    const bool isDisturbed = study::isDisturbed(run);
    if (study::Run* known = study::findRun(m_study, run.id))
        *known = run;
    print(name + ": " + formatResults(run) + (isDisturbed ? ", " + disturbanceText(run) : ""));
    if (run::needsRepetition(run))
        print(name + " will be measured again");
    m_withResult.insert(run.id);
    m_disturbed.erase(run.id);
    if (isDisturbed && run.kind != study::RunKind::Baseline)
        m_disturbed.insert(run.id);
}

void RunProgress::print(const std::string& line)
{
    m_row.erase();
    std::cout << text::makeVisible(line) << std::endl;
    tick();
}

/// Where no row shows it: once behind each run that has ended, as long as others follow.
void RunProgress::printRemaining()
{
    const bool isOver = m_news.active.empty() && m_news.queue.empty();
    if (!m_row.isShown() && m_isRemainingOwed && !isOver)
        print(kIndent + endedText() + ", " + timeLeftText(*m_news.remaining));
    m_isRemainingOwed = false;
    tick();
}

/// "3 of 15 runs finished".
std::string RunProgress::endedText() const
{
    return std::to_string(m_ended.size()) + " of " +
           text::formatCount(std::max(m_runs, m_ended.size()), "run") + " finished";
}

/// "run 7 40 % for 12 s"; several are told apart by commas.
std::string RunProgress::activeText() const
{
    std::string text;
    for (const int id : m_active) {
        text += (text.empty() ? "run " : ", run ") + std::to_string(id);
        const auto found = m_news.active.find(id);
        if (found == m_news.active.end())
            continue;
        const run::ActiveNews& news = found->second;
        if (!news.waitsFor.empty())
            text += " " + news.waitsFor;
        else if (news.done > 0.0)
            text += " " + text::formatPercent(news.done, 0);
        const auto started = QDateTime::fromString(QString::fromStdString(news.started), Qt::ISODate);
        if (started.isValid())
            text += " for " + text::formatRoughDuration(
                                  static_cast<double>(started.secsTo(QDateTime::currentDateTimeUtc())));
    }
    return text;
}

void RunProgress::tick()
{
    if (!m_row.isShown() || m_active.empty())
        return;
    const std::string paused = m_news.isPaused ? "paused · " : "";
    const std::string left = m_news.remaining ? " · " + timeLeftText(*m_news.remaining) : "";
    m_row.draw(paused + endedText() + " · " + activeText() + left);
}

void RunProgress::finish()
{
    m_row.erase();
    m_active.clear();
    if (m_disturbed.empty())
        return;
    const std::vector<int> runs(m_disturbed.begin(), m_disturbed.end());
    std::cout << "Disturbed: " << text::formatRuns(runs)
              << ". Rerun them when nothing else uses the machine.\n";
}

std::string RunProgress::formatResults(const study::Run& run) const
{
    if (run.kind != study::RunKind::Baseline)
        return resultsText(m_study, run);
    const std::string speed = run::baselineSpeed(m_study);
    return speed == run::kBaselineSpeed ? text::formatNumber(run.results.at(speed)) + " images per second"
                                        : speed + ' ' + text::formatNumber(run.results.at(speed));
}

} // namespace quadric::app
