// SPDX-License-Identifier: GPL-3.0-or-later
// Several runs at once on one machine: none sees a device of another.
#include "core/machine/processor.h"
#include "core/run/follow/runner_news.h"
#include "core/run/runner/runner.h"
#include "study_fixture.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"

#include <nlohmann/json.hpp>

#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace quadric;
using nlohmann::json;
using test::StudyFixture;

namespace {

/// What the worker of a run has seen.
struct Seen {
    int run = 0;
    std::string cpus, gpus;
    double from = 0.0, until = 0.0;
    bool overlaps(const Seen& other) const { return from < other.until && other.from < until; }
};

/// A runner in this process, and what its events tell.
class ParallelExecution {
public:
    ParallelExecution(const StudyFixture& fixture, int mostRuns, devices::Inventory inventory)
        : m_runner(fixture.path(), optionsWith(mostRuns, std::move(inventory)))
        , m_ended(&m_runner, &run::Runner::ended)
    {
        QObject::connect(&m_runner, &run::Runner::eventWritten,
                         [this](const QByteArray& event) { take(event.toStdString()); });
        m_runner.start();
    }

    bool waitForEnd() { return m_ended.count() > 0 || m_ended.wait(kPatienceMs); }
    void ask(run::ControlAction action, int run = 0) { QVERIFY(m_runner.handle({action, run}).isDone); }
    /// Waits until exactly these runs are in progress.
    bool waitFor(const std::set<int>& active)
    {
        return QTest::qWaitFor([&] { return activeRuns() == active; }, kPatienceMs);
    }

    run::RunnerNews news;
    std::vector<int> started; ///< in order
    std::size_t mostActive = 0;

private:
    static run::RunnerOptions optionsWith(int mostRuns, devices::Inventory inventory)
    {
        run::RunnerOptions options;
        options.launcher = run::makeParallelLauncher(mostRuns, std::move(inventory));
        return options;
    }

    void take(const std::string& event)
    {
        news.take(event);
        const json parsed = json::parse(event);
        if (parsed["event"] == "run-started")
            started.push_back(parsed["run"]["id"]);
        mostActive = std::max(mostActive, news.active.size());
    }

    std::set<int> activeRuns() const
    {
        std::set<int> ids;
        for (const auto& [id, each] : news.active)
            ids.insert(id);
        return ids;
    }

    run::Runner m_runner;
    QSignalSpy m_ended;
};

std::vector<Seen> seenBy(const study::Study& study)
{
    std::vector<Seen> all;
    for (const study::Run& run : study.runs) {
        const json seen = json::parse(run.provenance.unknown.at("seen"));
        all.push_back({run.id, seen["cpus"], seen["gpus"], seen["from"], seen["until"]});
    }
    return all;
}

/// The processors of this test, each taken for a core, and GPUs in two islands of NVLink.
devices::Inventory thisMachineWith(int gpus)
{
    devices::Inventory inventory;
    for (const int cpu : machine::allowedCpus())
        inventory.cores.push_back({{cpu}});
    for (int i = 0; i < gpus; ++i) {
        inventory.gpus.push_back({i, "GPU-" + std::to_string(i), "H100"});
        auto& links = inventory.links.emplace_back();
        for (int j = 0; j < gpus; ++j)
            links.push_back(i * 2 / gpus == j * 2 / gpus ? devices::GpuLink::NvLink
                                                         : devices::GpuLink::System);
    }
    return inventory;
}

bool areDisjoint(const std::vector<int>& a, const std::vector<int>& b)
{
    return std::ranges::none_of(a, [&b](int each) { return std::ranges::find(b, each) != b.end(); });
}

/// One run per entry, which needs that many ranks.
void giveRanks(StudyFixture& fixture, const std::vector<double>& ranks)
{
    fixture.study().factors.push_back(
        {.name = "ranks", .type = study::FactorType::Integer, .low = 1, .high = 8, .binds = "ranks"});
    for (std::size_t i = 0; i < ranks.size(); ++i)
        fixture.study().runs[i].settings["ranks"] = ranks[i];
}

} // namespace

class ParallelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        qputenv("QUADRIC_TRAINER", builtPath("bin/fake_worker"));
        qunsetenv("CUDA_VISIBLE_DEVICES");
    }

    void workersSeeTheirOwnCoresOnly()
    {
        if (machine::allowedCpus().size() < 2)
            QSKIP("this machine has one processor");
        StudyFixture fixture(std::vector<std::string>(8, "tell devices"));
        fixture.study().fixed["milliseconds"] = 150.0;
        fixture.save();
        ParallelExecution execution(fixture, 2, thisMachineWith(0));
        QVERIFY(execution.waitForEnd());
        QCOMPARE(execution.mostActive, std::size_t{2});
        const std::vector<Seen> seen = seenBy(fixture.load());
        int together = 0;
        for (const Seen& one : seen) {
            QCOMPARE(machine::parseCpuList(one.cpus).size(), std::size_t{1});
            const study::Study study = fixture.load();
            QCOMPARE(run::readRunDevices(study::findRun(study, one.run)->provenance).cpus, one.cpus);
            for (const Seen& other : seen) {
                const bool isTogether = one.run < other.run && one.overlaps(other);
                together += isTogether ? 1 : 0;
                QVERIFY(!isTogether ||
                        areDisjoint(machine::parseCpuList(one.cpus), machine::parseCpuList(other.cpus)));
            }
        }
        QVERIFY2(together > 0, "no two runs were executed at the same time");
    }

    /// Also: the fifth needs the whole machine, and smaller ones behind it would fit before it.
    void gpusAreHandedOverInTheOrderOfTheQueue()
    {
        const std::vector<double> ranks = {4, 2, 4, 1, 8, 1, 2, 4, 1};
        StudyFixture fixture(std::vector<std::string>(ranks.size(), "tell devices"));
        giveRanks(fixture, ranks);
        fixture.study().benchmark.engine = "cuda";
        fixture.study().fixed["milliseconds"] = 150.0;
        fixture.save();
        ParallelExecution execution(fixture, 4, thisMachineWith(8));
        QVERIFY(execution.waitForEnd());
        QCOMPARE(execution.started, (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
        const study::Study study = fixture.load();
        const std::vector<Seen> seen = seenBy(study);
        const auto gpusOf = [&study](const Seen& each) {
            return run::readRunDevices(study::findRun(study, each.run)->provenance).gpus;
        };
        for (const Seen& one : seen) {
            const std::vector<int> gpus = gpusOf(one);
            QCOMPARE(gpus.size(), static_cast<std::size_t>(ranks[static_cast<std::size_t>(one.run) - 1]));
            for (const Seen& other : seen)
                QVERIFY(one.run == other.run || !one.overlaps(other) || areDisjoint(gpus, gpusOf(other)));
        }
        QCOMPARE(seen[0].gpus, std::string("GPU-0,GPU-1,GPU-2,GPU-3"));
        QCOMPARE(seen[1].gpus, std::string("GPU-4,GPU-5"));
        QCOMPARE(seen[4].gpus, std::string()); // alone with everything: nothing is hidden from it
        QVERIFY(seen[5].from >= seen[4].until);
    }

    void oneOfSeveralIsCancelledAndTheOthersGoOn()
    {
        StudyFixture fixture({"hang", "hang", "hang", "tell devices"});
        giveRanks(fixture, {4, 4, 4, 4});
        fixture.study().benchmark.engine = "cuda";
        fixture.save();
        ParallelExecution execution(fixture, 2, thisMachineWith(8));
        QVERIFY(execution.waitFor({1, 2}));
        QCOMPARE(execution.news.active.at(1).devices.gpus, (std::vector<int>{0, 1, 2, 3}));
        QCOMPARE(execution.news.active.at(2).devices.gpus, (std::vector<int>{4, 5, 6, 7}));
        execution.ask(run::ControlAction::Cancel, 1);
        QVERIFY(execution.waitFor({2, 3})); // the next one gets what has become free
        QCOMPARE(execution.news.active.at(3).devices.gpus, (std::vector<int>{0, 1, 2, 3}));
        execution.ask(run::ControlAction::Pause);
        execution.ask(run::ControlAction::Skip, 2);
        QVERIFY(execution.waitFor({3}));
        QVERIFY(execution.news.queue == std::vector<int>{4}); // paused: nothing follows
        execution.ask(run::ControlAction::Resume);
        QTRY_COMPARE_WITH_TIMEOUT(fixture.load().runs[3].status, study::RunStatus::Done, kPatienceMs);
        execution.ask(run::ControlAction::Stop);
        QVERIFY(execution.waitForEnd());
        const study::Study study = fixture.load();
        QCOMPARE(study.runs[0].failure.value().kind, std::string("cancelled"));
        QCOMPARE(study.runs[1].status, study::RunStatus::Pending);
        QCOMPARE(study.runs[2].status, study::RunStatus::Pending);
        QVERIFY(study.runs[2].provenance.devices.empty()); // of a run that is over only
        QCOMPARE(seenBy({.runs = {study.runs[3]}})[0].gpus, std::string("GPU-4,GPU-5,GPU-6,GPU-7"));
    }

    void aNeedThatIsNoNumberIsRefusedBeforeTheFirstRun()
    {
        StudyFixture fixture({"work", "work"});
        giveRanks(fixture, {1, 2});
        fixture.study().runs[1].settings["ranks"] = 1.5;
        fixture.save();
        QVERIFY_EXCEPTION_THROWN(ParallelExecution(fixture, 2, thisMachineWith(8)), run::RecipeError);
    }
};

QUADRIC_QT_TEST(ParallelTest)
#include "parallel_test.moc"
