// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments go to their end, whoever is killed at whatever moment, and no finished run is lost or measured
// twice.
#include "core/run/follow/follower.h"
#include "core/run/launch/launch.h"
#include "core/study/document/document.h"
#include "core/study/files/journal.h"
#include "study_fixture.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"
#include "victims.h"

#include <QProcess>
#include <QRandomGenerator>
#include <QTest>

#include <csignal>
#include <set>

using namespace quadric;
using test::kill;
using test::Process;
using test::processesOf;
using test::StudyFixture;
using test::Victim;

namespace {

/// What one run is after it was killed at random, until it is done.
class KilledExperiment {
public:
    KilledExperiment(StudyFixture& fixture, QByteArray token)
        : m_fixture(fixture)
        , m_token(std::move(token))
    {
    }
    ~KilledExperiment()
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

    /// All is measured and in the document: the last runner may have been killed in between.
    bool isFolded() const
    {
        return isComplete() && !std::filesystem::exists(study::journalPath(m_fixture.path()));
    }

    void keepGoing()
    {
        if (!isAlive() && !isFolded()) {
            QCOMPARE(run::startRunner(m_fixture.path(), {QStringLiteral("--retry-failed")}), QString());
            m_mayBeLeft = false;
        }
        if (m_window.state() == QProcess::NotRunning)
            m_window.start(QString::fromUtf8(builtPath("bin/follower_process")),
                           {QString::fromStdString(m_fixture.path().string())});
    }

    /// A finished run is there exactly once and stays as it is; nothing is there that was not measured.
    void check()
    {
        std::set<int> ids;
        for (const study::Run& run : m_fixture.load().runs) {
            QVERIFY2(ids.insert(run.id).second, "a run is there twice");
            const auto known = m_done.find(run.id);
            if (known != m_done.end() && known->second != run)
                QFAIL(("a finished run was lost or measured twice: " + study::writeRun(known->second) +
                       " became " + study::writeRun(run))
                          .c_str());
            if (run.status == study::RunStatus::Done)
                m_done[run.id] = run;
        }
        QCOMPARE(ids.size(), m_fixture.study().runs.size());
    }

    /// Runner and guards are killed, or may be soon: what they leave ends with the next runner.
    void nobodyGuards() { m_mayBeLeft = true; }

    /// With the runner dead nothing that it started lives, whatever session it moved to.
    void checkNothingIsLeft()
    {
        if (m_mayBeLeft)
            return;
        QByteArray left;
        const auto isNothingLeft = [this, &left] {
            left = programsLeft();
            return left.isEmpty();
        };
        QVERIFY2(QTest::qWaitFor(isNothingLeft, kPatienceMs), "left: " + left);
    }

    void goToTheEnd()
    {
        for (int attempt = 0; attempt < 10 && !isFolded(); ++attempt) {
            keepGoing();
            QVERIFY2(QTest::qWaitFor([this] { return !isAlive(); }, kPatienceMs), "the runner does not end");
            check();
        }
        QVERIFY(isFolded());
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
    bool m_mayBeLeft = false;
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
    KilledExperiment experiment(fixture, token);
    for (; kills.moments < moments && !experiment.isComplete() && !QTest::currentTestFailed();
         ++kills.moments) {
        experiment.keepGoing();
        QTest::qSleep(static_cast<int>(random.bounded(longestMs)));
        const auto victim = static_cast<Victim>(random.bounded(test::kVictims));
        const bool isHit = kill(token, victim);
        kills.hits += isHit ? 1 : 0;
        // A guard that is gone, and the runner with the other one a moment later: nobody is left.
        if (isHit && (victim == Victim::Everybody || victim == Victim::Guard))
            experiment.nobodyGuards();
        if (victim == Victim::Runner || victim == Victim::RunnerAndGuard)
            experiment.checkNothingIsLeft();
        experiment.check();
    }
    experiment.goToTheEnd();
    return kills;
}

/// A study of the real trainer: `runs` short measurements of two ranks each.
void makeReal(study::Study& study, int runs)
{
    study.factors = {test::wholeNumber("ranks", 1, 2), test::wholeNumber("batch_per_rank", 1, 8)};
    study.responses[0].name = "images_per_sec";
    study.fixed = {{"network", std::string("resnet8")},
                   {"image_size", 16.0},
                   {"max_seconds", 0.6},
                   {"warmup_seconds", 0.05},
                   {"threads_per_rank", 1.0},
                   {"oversubscribe", std::string("on")},
                   {"baseline", std::string("off")}};
    study.benchmark.retry = {.crash = 2, .disturbed = 0};
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
    void initTestCase() { qputenv("QUADRIC_PROGRAM", builtPath("bin/runner_process")); }

    void init() { m_token = test::markProcesses(); }

    void cleanup() { QTRY_COMPARE_WITH_TIMEOUT(processesOf(m_token).size(), std::size_t{0}, kPatienceMs); }

    void fakeWorkersAtTwoHundredMoments()
    {
        constexpr int kMoments = 200;
        constexpr int kMomentsOfAStudy = 20;
        qputenv("QUADRIC_TRAINER", builtPath("bin/fake_worker"));
        QRandomGenerator random(20240811);
        Kills all;
        while (all.moments < kMoments && !QTest::currentTestFailed()) {
            StudyFixture fixture(std::vector<std::string>(30, "children"));
            fixture.study().fixed["milliseconds"] = 25.0;
            // On a busy machine a run can take long enough to be judged, and would be measured again.
            fixture.study().benchmark.retry = {.disturbed = 0};
            fixture.save();
            const Kills kills = killAtRandom(fixture, m_token, random, kMomentsOfAStudy, 60);
            all.moments += kills.moments;
            all.hits += kills.hits;
            for (const study::Run& run : fixture.load().runs)
                QVERIFY(
                    (run.results == decltype(run.results){{"extra", 7.0}, {"speed", test::trueSpeed(run)}}));
        }
        qInfo("%d moments, somebody was hit at %d", all.moments, all.hits);
        QVERIFY2(all.hits >= kMoments / 2, "too few kills hit somebody");
    }

    /// Two at a time where there are two processors, each with daemons of its own.
    void severalAtOnce()
    {
        qputenv("QUADRIC_TRAINER", builtPath("bin/fake_worker"));
        StudyFixture fixture(std::vector<std::string>(30, "children"));
        fixture.study().fixed["milliseconds"] = 40.0;
        fixture.study().benchmark.parallel = 2;
        fixture.save();
        QRandomGenerator random(2026);
        const Kills kills = killAtRandom(fixture, m_token, random, 30, 60);
        qInfo("%d moments, somebody was hit at %d", kills.moments, kills.hits);
        QVERIFY2(kills.hits >= 10, "too few kills hit somebody");
        for (const study::Run& run : fixture.load().runs)
            QVERIFY((run.results == decltype(run.results){{"extra", 7.0}, {"speed", test::trueSpeed(run)}}));
    }

    void realWorkers()
    {
        qputenv("QUADRIC_TRAINER", builtPath("bin/quadric-trainer"));
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

private:
    QByteArray m_token;
};

QUADRIC_QT_TEST(KillTest)
#include "kill_test.moc"
