// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/experiment.h"

#include "app/gui/session/study_document.h"
#include "app/gui/session/study_editor.h"
#include "core/run/launch/launch.h"
#include "core/run/recipe/recipe.h"
#include "core/study/document/document.h"
#include "core/study/files/journal.h"
#include "core/study/run_records.h"
#include "widgets/base/theme.h"

#include <QRegularExpression>

#include <set>

namespace quadric::app {

using widgets::RunMessage;
using Severity = RunMessage::Severity;
using Remedy = RunMessage::Remedy;

namespace {

/// What a program said on standard error, without its name, the document's path and options of the command
/// line.
QString withoutCommandLine(QString words, const std::filesystem::path& document)
{
    words.remove(QRegularExpression(QStringLiteral("^quadric: "), QRegularExpression::MultilineOption));
    words.remove(QString::fromStdString(document.string()) + QStringLiteral(": "));
    static const QRegularExpression sentenceWithOption(QStringLiteral("[^.;\\n]*\\s--[a-z][^.;\\n]*[.;]?"));
    return words.remove(sentenceWithOption).trimmed();
}

constexpr int kConfirmingRuns = 3;

/// While it goes on by itself failures are results, and nobody is asked about them.
QStringList argumentsFor(double seconds)
{
    if (seconds <= 0.0)
        return {QStringLiteral("--pause-on-failures")};
    return {QStringLiteral("--keep-going"), QStringLiteral("--short-looks"),
            QStringLiteral("--spend"),      QStringLiteral("%1s").arg(seconds, 0, 'f', 0),
            QStringLiteral("--confirm"),    QString::number(kConfirmingRuns)};
}

Severity severityOf(const QString& reason, const study::Study& study)
{
    if (reason == QStringLiteral("died") || reason == QStringLiteral("failed"))
        return Severity::Error;
    if (reason == QStringLiteral("finished"))
        return study::countFailed(study) == 0 ? Severity::Good : Severity::Warning;
    return Severity::News;
}

constexpr int kPauseMs = 500;

} // namespace

Experiment::Experiment(StudyEditor& editor, Autosave& autosave, QObject* parent)
    : QObject(parent)
    , m_editor(editor)
    , m_autosave(autosave)
{
}

Experiment::~Experiment() = default;

void Experiment::attach()
{
    detach();
    if (!m_editor.isOpen() || m_editor.context()->path.empty())
        return;
    m_follower = std::make_unique<run::Follower>(m_editor.context()->path);
    connect(m_follower.get(), &run::Follower::runChanged, this, &Experiment::takeRun);
    connect(m_follower.get(), &run::Follower::runnerStarted, this, &Experiment::handleRunnerStart);
    connect(m_follower.get(), &run::Follower::runnerEnded, this, &Experiment::handleRunnerEnd);
    connect(m_follower.get(), &run::Follower::newsChanged, this, &Experiment::newsChanged);
    connect(m_follower.get(), &run::Follower::problemChanged, this, &Experiment::problemChanged);
    m_follower->start();
    m_editor.setRunning(m_follower->isRunnerAlive());
    emit proposalsChanged(proposals());
}

std::vector<run::ProposalRecord> Experiment::proposals() const
{
    return m_editor.isOpen() ? run::readProposals(m_editor.context()->path)
                             : std::vector<run::ProposalRecord>();
}

/// That the runner is paused, or no longer, stands on the page anyway.
void Experiment::tell(const run::ControlRequest& request, const run::ControlReply& reply)
{
    const bool isShown = reply.isDone && (request.action == run::ControlAction::Pause ||
                                          request.action == run::ControlAction::Resume);
    emit message(isShown ? RunMessage()
                         : RunMessage{reply.message, reply.isDone ? Severity::News : Severity::Warning});
}

void Experiment::detach()
{
    m_follower.reset();
    emit problemChanged({});
    emit message({});
}

void Experiment::start()
{
    m_seconds = 0.0;
    launch();
}

void Experiment::goOn(double seconds)
{
    m_seconds = seconds;
    launch();
}

void Experiment::launch()
{
    if (!m_editor.isOpen() || m_editor.context()->isRunning)
        return;
    const auto& context = *m_editor.context();
    if (!canMeasure())
        return;
    const run::ApprovalRequest request(context.study, context.path);
    if (!request.isApproved()) {
        m_asked = request;
        emit approvalWanted(request.question());
        return;
    }
    if (!m_autosave.saveNow()) {
        emit message({tr("Not started: the study could not be saved."), Severity::Error});
        return;
    }
    const std::filesystem::path path = m_editor.context()->path;
    const QString reason = run::startRunner(path, argumentsFor(m_seconds));
    if (!reason.isEmpty())
        emit message({tr("Not started: %1").arg(withoutCommandLine(reason, path)), Severity::Error});
}

/// What the runner would refuse is said before one is started.
bool Experiment::canMeasure()
{
    try {
        run::checkRecipe(m_editor.context()->study);
        return true;
    } catch (const run::RecipeError& error) {
        emit message({tr("Not started: %1").arg(QString::fromStdString(error.what())), Severity::Error,
                      Remedy::EditMeasurement});
        return false;
    }
}

void Experiment::approveAndStart()
{
    try {
        m_asked->approve();
    } catch (const std::exception& error) {
        emit message({QString::fromStdString(error.what()), Severity::Error});
        return;
    }
    launch();
}

void Experiment::stop()
{
    if (!m_editor.isOpen())
        return;
    const std::filesystem::path& path = m_editor.context()->path;
    if (run::requestStop(path))
        emit message({tr("Stopping. The run in progress becomes pending again; all results are kept.")});
    else if (const auto owner = study::lockOwner(path))
        emit message(
            {tr("Not stopped: the runner is process %1 on %2 and none of yours on this computer. Stop it "
                "where it was started.")
                 .arg(owner->pid)
                 .arg(QString::fromStdString(owner->host)),
             Severity::Warning});
}

void Experiment::ask(const run::ControlRequest& request)
{
    if (m_follower)
        run::ask(m_follower.get(), m_editor.context()->path, request,
                 [this, request](const run::ControlReply& reply) { tell(request, reply); });
}

void Experiment::confirm(const study::Settings& settings, int runs)
{
    if (!m_editor.isOpen())
        return;
    const std::vector repeated(static_cast<std::size_t>(runs), settings);
    const auto after = study::withRuns(m_editor.context()->study, repeated, study::RunKind::Confirmation);
    if (m_editor.change(after, tr("Add %1").arg(widgets::formatCount(runs, "confirmation run"))))
        start();
}

void Experiment::handleRunnerStart()
{
    m_editor.setRunning(true);
    emit message({});
}

/// Without a runner the file changes because the window saves it; that is no news, and may be older than what
/// the user has just typed.
void Experiment::takeRun(const study::Run& run)
{
    if (!m_follower->isRunnerAlive())
        return;
    m_editor.takeRun(run);
    emit proposalsChanged(proposals());
}

void Experiment::handleRunnerEnd(const QString& sentence, const QString& reason)
{
    readBack();
    m_editor.setRunning(false);
    m_autosave.saveNow();
    emit proposalsChanged(proposals());
    const bool isLeft = study::countRuns(m_editor.context()->study, study::RunStatus::Pending) > 0;
    const bool canResume = isLeft && reason == QStringLiteral("died");
    emit message({withoutCommandLine(sentence, m_editor.context()->path),
                  severityOf(reason, m_editor.context()->study), canResume ? Remedy::Start : Remedy::None});
}

/// What the file says now is what was measured, whether the news of it arrived or not. Runs that somebody has
/// added to it are an edit.
void Experiment::readBack()
{
    std::set<int> known;
    for (const study::Run& run : study::allRuns(m_editor.context()->study))
        known.insert(run.id);
    try {
        for (study::Run run : study::allRuns(study::loadStudy(m_editor.context()->path).study)) {
            if (run.status == study::RunStatus::Running)
                run.status = study::RunStatus::Pending; // its runner is gone
            if (known.contains(run.id) || !run.results.empty())
                m_editor.takeRun(run);
        }
        // What a killed runner has left belongs to the study as it is now, not as it will have been edited.
        if (!study::lockOwner(m_editor.context()->path))
            study::foldJournal(m_editor.context()->path);
    } catch (const std::exception& error) {
        emit message({QString::fromStdString(error.what()), Severity::Error});
    }
}

RunWatch::RunWatch(QObject* parent)
    : QObject(parent)
{
    m_timer.setInterval(kPauseMs);
    connect(&m_timer, &QTimer::timeout, this, &RunWatch::read);
}

void RunWatch::setDocument(const std::filesystem::path& document)
{
    if (document == m_document)
        return;
    m_document = document;
    begin();
}

void RunWatch::watch(int run)
{
    m_run = run;
    begin();
}

void RunWatch::compare(const std::vector<int>& runs)
{
    std::vector<run::ComparedRun> compared;
    compared.reserve(runs.size());
    for (const int run : runs)
        compared.push_back({run, run::RunFiles(m_document, run).read().samples});
    emit comparedRead(compared);
}

void RunWatch::begin()
{
    m_files.reset();
    m_timer.stop();
    if (m_document.empty() || m_run < 0)
        return;
    m_files.emplace(m_document, m_run);
    m_timer.start();
    read();
}

void RunWatch::read()
{
    const run::RunFiles::News news = m_files->read();
    if (news.isEmpty())
        return;
    if (news.isNewLog || !news.log.isEmpty())
        emit logRead(m_run, news.log, news.isNewLog);
    if (news.isNewSamples || !news.samples.isEmpty())
        emit samplesRead(m_run, news.samples, news.isNewSamples);
}

} // namespace quadric::app
