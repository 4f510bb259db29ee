// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments go to their end, whoever is killed at whatever moment, and no finished run is lost or measured
// twice.
#include "core/run/follower.h"
#include "core/run/launch.h"
#include "core/study/document.h"
#include "core/study/journal.h"
#include "study_fixture.h"

#include <QProcess>
#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <set>

using namespace quadric;
using test::StudyFixture;

namespace {

constexpr int kPatienceMs = 60000;

struct Process {
    int pid = 0;
    std::string program, parentProgram;
};

std::string programOf(const std::string& pid)
{
    std::error_code gone;
    return std::filesystem::read_symlink("/proc/" + pid + "/exe", gone).filename().string();
}

std::vector<Process> processesOf(const QByteArray& token)
{
    std::vector<Process> found;
    for (const int pid : test::processesWith(token.toStdString())) {
        std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
        std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        const std::size_t name = text.rfind(')');
        if (name == text.npos)
            continue;
        const std::string parent = text.substr(name + 4, text.find(' ', name + 4) - name - 4);
        found.push_back({pid, programOf(std::to_string(pid)), programOf(parent)});
    }
    return found;
}

enum class Victim { Runner, Window, Worker, Rank, Guard };

bool is(const Process& process, Victim victim)
{
    const bool isWorkerProgram = process.program == "fake_worker" || process.program == "quadric-trainer";
    switch (victim) {
    case Victim::Runner:
        return process.program == "runner_process";
    case Victim::Window:
        return process.program == "follower_process";
    case Victim::Worker:
        return isWorkerProgram && process.parentProgram == "quadric-guard";
    case Victim::Guard:
        return process.program == "quadric-guard" && process.parentProgram == "runner_process";
    default:
        return isWorkerProgram && process.parentProgram == process.program;
    }
}

/// False when there is none at this moment.
bool kill(const QByteArray& token, Victim victim)
{
    for (const Process& process : processesOf(token)) {
        if (is(process, victim))
            return ::kill(process.pid, SIGKILL) == 0;
    }
    return false;
}

/// What one run is after it was killed at random, until it is done.
class Experiment {
public:
    Experiment(StudyFixture& fixture, QByteArray token)
        : m_fixture(fixture)
        , m_token(std::move(token))
    {
    }
    ~Experiment()
    {
        m_window.kill();
        m_window.waitForFinished();
        run::requestStop(m_fixture.path());
    }

    bool isAlive() const { return study::lockOwner(m_fixture.path()).has_value(); }
    bool isComplete() const
    {
        const study::Study study = m_fixture.load();
        return study::countRuns(study, study::RunStatus::Done) == static_cast<int>(study.runs.size());
    }

    void keepGoing()
    {
        if (!isAlive() && !isComplete())
            QCOMPARE(run::startRunner(m_fixture.path(), {QStringLiteral("--retry-failed")}), QString());
        if (m_window.state() == QProcess::NotRunning)
            m_window.start(QStringLiteral(FOLLOWER_PROCESS),
                           {QString::fromStdString(m_fixture.path().string())});
    }

    /// A finished run is there exactly once and stays as it is; nothing is there that was not measured.
    void check()
    {
        std::set<int> ids;
        for (const study::Run& run : m_fixture.load().runs) {
            QVERIFY2(ids.insert(run.id).second, "a run is there twice");
            const auto known = m_done.find(run.id);
            QVERIFY2(known == m_done.end() || known->second == run,
                     "a finished run was lost or measured twice");
            if (run.status == study::RunStatus::Done)
                m_done[run.id] = run;
        }
        QCOMPARE(ids.size(), m_fixture.study().runs.size());
    }

    /// With the runner dead nothing that it started lives, whatever session it moved to.
    void checkNothingIsLeft()
    {
        QByteArray left;
        const auto isNothingLeft = [this, &left] {
            left = programsLeft();
            return left.isEmpty();
        };
        QVERIFY2(QTest::qWaitFor(isNothingLeft, kPatienceMs), "left: " + left);
    }

    void goToTheEnd()
    {
        for (int attempt = 0; attempt < 10 && !isComplete(); ++attempt) {
            keepGoing();
            QVERIFY2(QTest::qWaitFor([this] { return !isAlive(); }, kPatienceMs), "the runner does not end");
            check();
        }
        QVERIFY(isComplete());
        QVERIFY(!std::filesystem::exists(study::journalPath(m_fixture.path())));
        checkNothingIsLeft();
    }

private:
    QByteArray programsLeft() const
    {
        QByteArray left;
        for (const Process& process : processesOf(m_token)) {
            if (process.program != "follower_process" && process.program != "runner_process")
                left += QByteArray::fromStdString(process.program + " of " + process.parentProgram + ", ");
        }
        return left;
    }

    StudyFixture& m_fixture;
    QByteArray m_token;
    QProcess m_window;
    std::map<int, study::Run> m_done;
};

struct Kills {
    int moments = 0;
    int hits = 0; ///< moments at which there was somebody to kill
};

/// Kills at `moments` random moments, fewer where the experiment ends before, at most `longestMs` apart.
Kills killAtRandom(StudyFixture& fixture, const QByteArray& token, QRandomGenerator& random, int moments,
                   int longestMs)
{
    Kills kills;
    Experiment experiment(fixture, token);
    for (; kills.moments < moments && !experiment.isComplete() && !QTest::currentTestFailed();
         ++kills.moments) {
        experiment.keepGoing();
        QTest::qSleep(static_cast<int>(random.bounded(longestMs)));
        const auto victim = static_cast<Victim>(random.bounded(4));
        kills.hits += kill(token, victim) ? 1 : 0;
        if (victim == Victim::Runner)
            experiment.checkNothingIsLeft();
        experiment.check();
    }
    experiment.goToTheEnd();
    return kills;
}

study::Factor wholeNumber(const std::string& name, double low, double high)
{
    study::Factor factor;
    factor.name = name;
    factor.type = study::FactorType::Integer;
    factor.low = low;
    factor.high = high;
    return factor;
}

/// A study of the real trainer: `runs` short measurements of two ranks each.
void makeReal(study::Study& study, int runs)
{
    study.factors = {wholeNumber("ranks", 1, 2), wholeNumber("batch_per_rank", 1, 8)};
    study.responses[0].name = "images_per_sec";
    study.fixed = {{"network", std::string("resnet8")},
                   {"image_size", 16.0},
                   {"max_seconds", 0.6},
                   {"warmup_seconds", 0.05},
                   {"threads_per_rank", 1.0},
                   {"oversubscribe", std::string("on")},
                   {"baseline", std::string("off")}};
    study.benchmark.unknown["retry"] = R"({"crash": 2, "disturbed": 0})";
    study.runs.clear();
    for (int id = 1; id <= runs; ++id) {
        study::Run run;
        run.id = run.order = id;
        run.settings = {{"ranks", 2.0}, {"batch_per_rank", 1.0 * id}};
        study.runs.push_back(run);
    }
}

} // namespace

class KillTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void fakeWorkersAtTwoHundredMoments();
    void realWorkers();
    void guardIsKilled();
    void endsOfChildrenAreIgnored();

private:
    QByteArray m_token;
};

void KillTest::initTestCase()
{
    qputenv("QUADRIC_PROGRAM", RUNNER_PROCESS);
}

void KillTest::init()
{
    m_token = "token-" + QByteArray::number(QCoreApplication::applicationPid()) + "-" +
              QTest::currentTestFunction();
    qputenv("QUADRIC_TEST_TOKEN", m_token);
}

void KillTest::cleanup()
{
    QTRY_COMPARE_WITH_TIMEOUT(processesOf(m_token).size(), std::size_t{0}, kPatienceMs);
}

void KillTest::fakeWorkersAtTwoHundredMoments()
{
    constexpr int kMoments = 200;
    constexpr int kMomentsOfAStudy = 20;
    qputenv("QUADRIC_TRAINER", FAKE_WORKER);
    QRandomGenerator random(20240811);
    Kills all;
    while (all.moments < kMoments && !QTest::currentTestFailed()) {
        StudyFixture fixture(std::vector<std::string>(30, "children"));
        fixture.study().fixed["milliseconds"] = 25.0;
        fixture.save();
        const Kills kills = killAtRandom(fixture, m_token, random, kMomentsOfAStudy, 60);
        all.moments += kills.moments;
        all.hits += kills.hits;
        for (const study::Run& run : fixture.load().runs)
            QVERIFY((run.results == decltype(run.results){{"extra", 7.0}, {"speed", test::trueSpeed(run)}}));
    }
    qInfo("%d moments, somebody was hit at %d", all.moments, all.hits);
    QVERIFY2(all.hits >= kMoments / 2, "too few kills hit somebody");
}

void KillTest::realWorkers()
{
    qputenv("QUADRIC_TRAINER", QUADRIC_TRAINER);
    StudyFixture fixture({"work"});
    makeReal(fixture.study(), 6);
    fixture.save();
    QRandomGenerator random(7);
    const Kills kills = killAtRandom(fixture, m_token, random, 12, 700);
    qInfo("%d moments, somebody was hit at %d", kills.moments, kills.hits);
    QVERIFY2(kills.hits >= 4, "too few kills hit somebody");
    for (const study::Run& run : fixture.load().runs)
        QVERIFY(run.results.contains("images_per_sec"));
}

/// Worker, child and grandchild in a session of its own, deaf to SIGTERM: none outlives the guard.
void KillTest::guardIsKilled()
{
    qputenv("QUADRIC_TRAINER", FAKE_WORKER);
    StudyFixture fixture({"hang with children", "work"});
    fixture.study().benchmark.unknown["retry"] = R"({"crash": 0})";
    fixture.save();
    QCOMPARE(run::startRunner(fixture.path()), QString());
    const auto areAllThere = [this] { return processesOf(m_token).size() == 5; }; // with runner and guard
    QVERIFY(QTest::qWaitFor(areAllThere, kPatienceMs));
    QVERIFY(kill(m_token, Victim::Guard));
    QTRY_VERIFY_WITH_TIMEOUT(!study::lockOwner(fixture.path()), kPatienceMs);
    QCOMPARE(processesOf(m_token).size(), std::size_t{0});
    QCOMPARE(fixture.load().runs[0].failure.value().kind, std::string("crash"));
    QCOMPARE(fixture.load().runs[1].status, study::RunStatus::Done);
}

/// As a program may inherit it from whoever starts it.
void KillTest::endsOfChildrenAreIgnored()
{
    qputenv("QUADRIC_TRAINER", FAKE_WORKER);
    StudyFixture fixture({"children", "exit"});
    QProcess runner;
    runner.setChildProcessModifier([] { std::signal(SIGCHLD, SIG_IGN); });
    runner.start(QStringLiteral(RUNNER_PROCESS),
                 {QStringLiteral("run"), QString::fromStdString(fixture.path().string())});
    QVERIFY(runner.waitForFinished(kPatienceMs));
    QCOMPARE(fixture.load().runs[0].status, study::RunStatus::Done);
    QCOMPARE(fixture.load().runs[1].failure.value().kind, std::string("exit-status"));
}

QTEST_GUILESS_MAIN(KillTest)
#include "kill_test.moc"
