// SPDX-License-Identifier: GPL-3.0-or-later
// Baselines of the scaling efficiency, with the real trainer that simulates, or a script in front of it that
// lets the runs of one rank go wrong.
#include "core/model/fit/fit.h"
#include "core/report/findings/measurement_findings.h"
#include "core/run/runner/runner.h"
#include "core/run/worker/launcher.h"
#include "core/study/document/document.h"
#include "core/study/run.h"
#include "core/study/run_records.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <cmath>
#include <csignal>
#include <set>

using namespace quadric;
using study::RunKind;
using study::RunStatus;

namespace {

constexpr const char* kEfficiency = "scaling_efficiency";

/// What happens to baselines, and to other runs, before the trainer gets them. Baselines say nothing of
/// compression.
constexpr const char* kScript = R"(#!/bin/sh
case "$QUADRIC_SETTINGS" in
*gradient_compression*) [ "$OTHERS" = hang ] && exec sleep 1000 ;;
*)
    case "$BASELINE" in
    fails) echo "no such device" >&2; exit 3 ;;
    hangs) exec sleep 1000 ;;
    crashes-once) [ -e "$MARK" ] || { : >"$MARK"; kill -SEGV $$; } ;;
    esac ;;
esac
exec "%1" "$@"
)";

/// A Box-Behnken design of ranks × batch × compression with three center runs.
study::Study boxBehnken()
{
    study::Study study;
    study.name = "baselines";
    study::Factor ranks = test::wholeNumber("gpus", 1, 9);
    ranks.binds = "ranks";
    study::Factor compression = test::wholeNumber("gradient_compression", 0, 90);
    study.factors = {ranks, test::wholeNumber("batch_per_rank", 16, 64), compression};
    study.responses = {{.name = "images_per_sec"}, {.name = kEfficiency}};
    study.design.type = "custom";
    study.benchmark.engine = "simulated";
    study.benchmark.options = {
        {"network", std::string("resnet18")}, {"image_size", 64.0}, {"noise_pct", 1.0}, {"max_seconds", 5.0}};
    const auto add = [&study](double a, double b, double c, RunKind kind = RunKind::Design) {
        study = study::withRuns(
            study,
            {{{"gpus", 5 + 4 * a}, {"batch_per_rank", 40 + 24 * b}, {"gradient_compression", 45 + 45 * c}}},
            kind);
    };
    for (const double first : {-1.0, 1.0}) {
        for (const double second : {-1.0, 1.0}) {
            add(first, second, 0);
            add(first, 0, second);
            add(0, first, second);
        }
    }
    for (int i = 0; i < 3; ++i)
        add(0, 0, 0, RunKind::Center);
    return study;
}

/// Several runs at once, as on a cluster or on devices of their own.
class SeveralAtOnce : public run::Launcher {
public:
    std::string name() const override { return "local"; }
    int mostRuns() const override { return 4; }
    void check(const study::Study&, const std::filesystem::path&) const override {}
    std::unique_ptr<run::RunProcess> makeProcess(const study::Study& study, const study::Run& run) override
    {
        return m_local->makeProcess(study, run);
    }
    std::unique_ptr<run::RunProcess> reattach(const study::Study&, const study::Run&) override
    {
        return nullptr;
    }

private:
    std::unique_ptr<run::Launcher> m_local = run::makeLocalLauncher();
};

class Fixture {
public:
    explicit Fixture(study::Study study = boxBehnken())
        : m_path(std::filesystem::path(m_folder.path().toStdString()) / "study.quadric")
    {
        QFile script(m_folder.filePath(QStringLiteral("trainer")));
        if (script.open(QIODevice::WriteOnly))
            script.write(
                QString::fromUtf8(kScript).arg(QString::fromUtf8(builtPath("bin/quadric-trainer"))).toUtf8());
        script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("QUADRIC_TRAINER", script.fileName().toUtf8());
        qputenv("MARK", m_folder.filePath(QStringLiteral("mark")).toUtf8());
        save(study);
    }

    const std::filesystem::path& path() const { return m_path; }
    void save(const study::Study& study) const { study::saveStudy(study, m_path); }
    study::Study load() const { return study::loadStudy(m_path).study; }
    std::vector<study::Run> baselines() const { return load().baselines; }

    /// Executes what is pending in this process; ids of runs in the order in which they started (id) and
    /// ended (−id).
    run::RunnerSummary execute(const run::RunnerOptions& options = {})
    {
        run::Runner runner(m_path, options);
        std::optional<run::RunnerSummary> summary;
        steps.clear();
        QObject::connect(&runner, &run::Runner::ended, [&](const run::RunnerSummary& end) { summary = end; });
        QObject::connect(&runner, &run::Runner::runRecorded, [&](const study::Run& run) {
            const int step = run.status == RunStatus::Running ? run.id : -run.id;
            if (steps.empty() || steps.back() != step)
                steps.push_back(step);
        });
        planned = runner.plannedRuns();
        plannedBaselines = runner.plannedBaselines();
        runner.start();
        if (!QTest::qWaitFor([&] { return summary.has_value(); }, kPatienceMs))
            throw std::runtime_error("the runner did not end");
        return *summary;
    }

    /// All runs are to be measured again; baselines stay.
    void makePending() const
    {
        study::Study study = load();
        for (study::Run& run : study.runs) {
            run.status = RunStatus::Pending;
            run.results.clear();
            run.spread.clear();
            run.provenance = {};
        }
        save(study);
    }

    std::vector<int> steps;
    int planned = 0;
    int plannedBaselines = 0;

private:
    QTemporaryDir m_folder;
    std::filesystem::path m_path;
};

double setting(const study::Run& run, const std::string& name)
{
    return study::numberOf(run.settings.at(name));
}

std::string detail(const study::Run& run, const std::string& key)
{
    const auto facts = study::factsInWords(run.provenance);
    const auto found = facts.find(key);
    return found == facts.end() ? std::string() : found->second;
}

const study::Run* baselineWith(const std::vector<study::Run>& baselines, double batch)
{
    const auto found = std::ranges::find_if(
        baselines, [&](const study::Run& run) { return setting(run, "batch_per_rank") == batch; });
    return found == baselines.end() ? nullptr : &*found;
}

/// The efficiency of each run from its own speed and that of the baseline, by hand.
void verifyEfficiencies(const study::Study& study)
{
    const std::vector<study::Run> baselines = study.baselines;
    for (const study::Run& run : study.runs) {
        QCOMPARE(run.status, RunStatus::Done);
        const double ranks = setting(run, "gpus");
        if (ranks == 1.0) {
            QCOMPARE(run.results.at(kEfficiency), 100.0);
            QCOMPARE(detail(run, "baseline_run"), std::string());
            continue;
        }
        const study::Run* baseline = baselineWith(baselines, setting(run, "batch_per_rank"));
        QVERIFY(baseline != nullptr);
        QCOMPARE(detail(run, "baseline_run"), std::to_string(baseline->id));
        const double together = run.results.at("images_per_sec");
        const double alone = baseline->results.at("images_per_sec");
        QVERIFY(std::abs(run.results.at(kEfficiency) - 100.0 * together / (ranks * alone)) < 1e-9);
        const double spread =
            run.results.at(kEfficiency) * std::hypot(run.spread.at("images_per_sec") / together,
                                                     baseline->spread.at("images_per_sec") / alone);
        QVERIFY(std::abs(run.spread.at(kEfficiency) - spread) < 1e-9);
    }
}

/// A runner in a process of its own, for tests that kill it.
class Background {
public:
    explicit Background(const Fixture& fixture)
    {
        m_process.start(QString::fromUtf8(builtPath("bin/runner_process")),
                        {QStringLiteral("run"), QString::fromStdString(fixture.path().string()),
                         QStringLiteral("--events")});
    }
    ~Background() { kill(); }
    void kill()
    {
        m_process.kill();
        m_process.waitForFinished();
    }

private:
    QProcess m_process;
};

bool isRunning(const Fixture& fixture, RunKind kind)
{
    const std::vector<study::Run> all = study::allRuns(fixture.load());
    return std::ranges::any_of(all, [kind](const study::Run& run) {
        return (run.kind == RunKind::Baseline) == (kind == RunKind::Baseline) &&
               run.status == RunStatus::Running;
    });
}

} // namespace

class BaselinesTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        for (const char* name : {"BASELINE", "OTHERS"})
            qunsetenv(name);
    }

    /// By brute force: as many as there are batches among the runs with more than one rank.
    void eachIsMeasuredOnceBeforeTheRunsThatNeedIt()
    {
        Fixture fixture;
        const run::RunnerSummary summary = fixture.execute();
        std::set<double> batches;
        for (const study::Run& run : boxBehnken().runs) {
            if (setting(run, "gpus") > 1.0)
                batches.insert(setting(run, "batch_per_rank"));
        }
        QCOMPARE(batches.size(), std::size_t{3});
        QCOMPARE(fixture.planned, 15);
        QCOMPARE(fixture.plannedBaselines, 3);
        QCOMPARE(summary.done, 15);
        QCOMPARE(summary.baselines, 3);
        QCOMPARE(QString::fromStdString(summary.inWords()),
                 QStringLiteral("Finished: 15 runs done, 3 baselines"));
        const std::vector<study::Run> baselines = fixture.baselines();
        QCOMPARE(baselines.size(), batches.size());
        for (const study::Run& baseline : baselines) {
            QVERIFY(baseline.id > 15);
            QVERIFY(batches.contains(setting(baseline, "batch_per_rank")));
            QCOMPARE(baseline.status, RunStatus::Done);
            QCOMPARE(baseline.provenance.source, study::Source::Simulated);
        }
        verifyEfficiencies(fixture.load());
    }

    void aRunAloneMeasuresItsOwn()
    {
        const study::Settings settings = {
            {"gpus", 9.0}, {"batch_per_rank", 20.0}, {"gradient_compression", 45.0}};
        Fixture fixture(study::withRuns(boxBehnken(), {settings}, RunKind::Design));
        QCOMPARE(fixture.execute().baselines, 3);
        const study::Run alone = fixture.load().runs.back();
        QCOMPARE(detail(alone, "baseline_run"), std::string());
        QCOMPARE(detail(alone, "no_shared_baseline_because"), std::string("no other run needs the same"));
        QVERIFY(alone.results.contains(kEfficiency));
    }

    void severalRunsAtOnceWaitForTheirs()
    {
        Fixture fixture;
        run::RunnerOptions options;
        options.launcher = std::make_shared<SeveralAtOnce>();
        QCOMPARE(fixture.execute(options).done, 15);
        const study::Study study = fixture.load();
        verifyEfficiencies(study);
        QCOMPARE(fixture.baselines().size(), std::size_t{3});
        for (const study::Run& run : study.runs) {
            if (setting(run, "gpus") == 1.0)
                continue;
            const auto ended = std::ranges::find(fixture.steps, -std::stoi(detail(run, "baseline_run")));
            const auto started = std::ranges::find(fixture.steps, run.id);
            QVERIFY(ended != fixture.steps.end());
            QVERIFY(ended < started);
        }
    }

    /// One rank computes the micro-batches of all, one after the other: 2 × 32, 3 × 21 and 4 × 16 images.
    void strongScalingNeedsTheWorkOfAllRanks()
    {
        study::Study study = boxBehnken();
        study.factors = {study.factors.front(), test::wholeNumber("bucket_mib", 1, 16)};
        study.runs.clear();
        study.benchmark.options["scaling"] = std::string("strong");
        study.benchmark.options["global_batch"] = 64.0;
        for (const double ranks : {1.0, 2.0, 3.0, 4.0})
            study = study::withRuns(
                study, {{{"gpus", ranks}, {"bucket_mib", 1.0}}, {{"gpus", ranks}, {"bucket_mib", 16.0}}},
                RunKind::Design);
        Fixture fixture(study);
        fixture.execute();
        const std::vector<study::Run> baselines = fixture.baselines();
        QCOMPARE(baselines.size(), std::size_t{3});
        for (const double ranks : {2.0, 3.0, 4.0}) {
            const study::Run* baseline = baselineWith(baselines, std::floor(64.0 / ranks));
            QVERIFY(baseline != nullptr);
            QCOMPARE(setting(*baseline, "aggregation"), ranks);
        }
        for (const study::Run& run : fixture.load().runs) {
            const double ranks = setting(run, "gpus");
            const std::string expected =
                ranks == 1.0 ? "" : std::to_string(baselineWith(baselines, std::floor(64.0 / ranks))->id);
            QCOMPARE(detail(run, "baseline_run"), expected);
        }
    }

    void nothingIsSharedWhereItIsNotWanted()
    {
        study::Study own = boxBehnken();
        own.benchmark.baseline = study::BaselineMode::Own;
        study::Study without = boxBehnken();
        without.responses.pop_back();
        study::Study off = without;
        off.benchmark.baseline = study::BaselineMode::Off;
        for (const study::Study& study : {own, without, off}) {
            Fixture fixture(study);
            QCOMPARE(fixture.execute().baselines, 0);
            QVERIFY(fixture.baselines().empty());
            for (const study::Run& run : fixture.load().runs) {
                QCOMPARE(run.status, RunStatus::Done);
                const bool isOff = study.benchmark == off.benchmark;
                if (setting(run, "gpus") > 1.0)
                    QVERIFY(detail(run, "baseline").find(isOff ? "switched off" : "this run") !=
                            std::string::npos);
            }
        }
    }

    void aFailedOneLosesNoRun()
    {
        qputenv("BASELINE", "fails");
        Fixture fixture;
        study::Study study = fixture.load();
        study.runs.erase(study.runs.begin() + 2, study.runs.end());
        study.runs[0].settings["gpus"] = 5.0;
        study.runs[1].settings["gpus"] = 5.0;
        study.runs[1].settings["batch_per_rank"] = study.runs[0].settings["batch_per_rank"];
        fixture.save(study);
        const run::RunnerSummary summary = fixture.execute();
        QCOMPARE(summary.done, 2);
        QCOMPARE(summary.failed, 0);
        QCOMPARE(fixture.baselines().size(), std::size_t{1});
        for (const study::Run& baseline : fixture.baselines()) {
            QCOMPARE(baseline.status, RunStatus::Failed);
            QCOMPARE(baseline.failure->kind, std::string("exit-status"));
        }
        for (const study::Run& run : fixture.load().runs) {
            QVERIFY(run.results.contains(kEfficiency));
            QVERIFY(detail(run, "baseline").find("this run") != std::string::npos);
            QVERIFY(detail(run, "no_shared_baseline_because").find("failed (exit-status)") !=
                    std::string::npos);
        }
        // As with failed runs: another runner tries it again only where that is asked for.
        qunsetenv("BASELINE");
        fixture.makePending();
        QCOMPARE(fixture.execute().baselines, 0);
        fixture.makePending();
        run::RunnerOptions retry;
        retry.retryFailed = true;
        QCOMPARE(fixture.execute(retry).baselines, static_cast<int>(fixture.baselines().size()));
        verifyEfficiencies(fixture.load());
    }

    void aCrashedOneIsRepeatedFirst()
    {
        qputenv("BASELINE", "crashes-once");
        Fixture fixture;
        QCOMPARE(fixture.execute().baselines, 3);
        const std::vector<study::Run> baselines = fixture.baselines();
        QCOMPARE(baselines.size(), std::size_t{3});
        QCOMPARE(std::ranges::count_if(
                     baselines, [](const auto& run) { return !detail(run, "earlier_failure").empty(); }),
                 1);
        verifyEfficiencies(fixture.load());
    }

    void aSkippedOneLosesNoRun()
    {
        Fixture fixture;
        run::Runner runner(fixture.path(), {});
        bool hasEnded = false;
        QObject::connect(&runner, &run::Runner::ended, [&](const run::RunnerSummary&) { hasEnded = true; });
        QVERIFY(runner.handle({run::ControlAction::Skip, 16}).isDone);
        QVERIFY(runner.handle({run::ControlAction::First, 13}).isDone);
        runner.start();
        QTRY_VERIFY_WITH_TIMEOUT(hasEnded, kPatienceMs);
        const study::Study study = fixture.load();
        QCOMPARE(study::countRuns(study, RunStatus::Done), 15);
        QCOMPARE(fixture.baselines().size(), std::size_t{2});
        QCOMPARE(std::ranges::count_if(
                     study.runs,
                     [](const auto& run) {
                         return detail(run, "no_shared_baseline_because").find("was not measured") !=
                                std::string::npos;
                     }) > 0,
                 true);
    }

    void aRunnerKilledWithOneInHandMeasuresItOnce()
    {
        qputenv("BASELINE", "hangs");
        Fixture fixture;
        {
            Background runner(fixture);
            QTRY_VERIFY_WITH_TIMEOUT(isRunning(fixture, RunKind::Baseline), kPatienceMs);
            runner.kill();
        }
        qunsetenv("BASELINE");
        const std::vector<study::Run> begun = fixture.baselines();
        QCOMPARE(begun.size(), std::size_t{1});
        QCOMPARE(fixture.execute().baselines, 3);
        QCOMPARE(study::countRuns(fixture.load(), RunStatus::Done), 15);
        QCOMPARE(fixture.baselines().size(), std::size_t{3});
        QCOMPARE(fixture.baselines().front().id, begun.front().id);
        QCOMPARE(fixture.baselines().front().settings, begun.front().settings);
        verifyEfficiencies(fixture.load());
    }

    void aRunnerKilledAfterOneUsesIt()
    {
        qputenv("OTHERS", "hang");
        Fixture fixture;
        study::Study study = fixture.load();
        study.runs.front().settings["gpus"] = 5.0; // the first run needs a baseline
        fixture.save(study);
        {
            Background runner(fixture);
            QTRY_VERIFY_WITH_TIMEOUT(isRunning(fixture, RunKind::Design), kPatienceMs);
            runner.kill();
        }
        qunsetenv("OTHERS");
        const std::vector<study::Run> before = fixture.baselines();
        QCOMPARE(before.size(), std::size_t{1});
        QCOMPARE(before.front().status, RunStatus::Done);
        QCOMPARE(fixture.execute().baselines, 2);
        QCOMPARE(fixture.baselines().size(), std::size_t{3});
        QCOMPARE(fixture.baselines().front(), before.front());
        verifyEfficiencies(fixture.load());
    }

    void itServesUntilSomethingChanges()
    {
        Fixture fixture;
        fixture.execute();
        fixture.makePending();
        QCOMPARE(fixture.execute().baselines, 0);
        QCOMPARE(fixture.baselines().size(), std::size_t{3});
        verifyEfficiencies(fixture.load());
        fixture.makePending();
        study::Study study = fixture.load();
        study.benchmark.options["image_size"] = 96.0;
        fixture.save(study);
        QCOMPARE(fixture.execute().baselines, 3);
        QCOMPARE(fixture.baselines().size(), std::size_t{6});
        fixture.makePending();
        study = fixture.load();
        for (study::Run baseline : study.baselines) {
            baseline.provenance.baselineConditions = {R"({"program": "another version"})"};
            study::insertOrReplaceBaseline(study, baseline);
        }
        fixture.save(study);
        QCOMPARE(fixture.execute().baselines, 3);
        fixture.makePending();
        run::RunnerOptions several;
        several.launcher = std::make_shared<SeveralAtOnce>();
        QCOMPARE(fixture.execute(several).baselines, 3); // neighbors are another condition
    }

    void modelsAndQualityAreThoseWithoutBaselines()
    {
        Fixture fixture;
        fixture.execute();
        const study::Study with = fixture.load();
        study::Study without = with;
        without.baselines.clear();
        QCOMPARE(with.baselines.size(), std::size_t{3});
        const std::vector<model::Fit> fits = model::fitStudy(with);
        const std::vector<model::Fit> expected = model::fitStudy(without);
        QCOMPARE(fits.size(), expected.size());
        for (std::size_t i = 0; i < fits.size(); ++i) {
            QCOMPARE(fits[i].message, expected[i].message);
            QCOMPARE(fits[i].n, 15);
            QVERIFY(fits[i].isOk());
            QVERIFY(fits[i].beta == expected[i].beta);
            QVERIFY(fits[i].unscaledCovariance == expected[i].unscaledCovariance);
            QVERIFY(fits[i].sigma == expected[i].sigma);
            QVERIFY(fits[i].residualChecks.driftP == expected[i].residualChecks.driftP);
            QCOMPARE(fits[i].anova.size(), expected[i].anova.size());
            for (std::size_t row = 0; row < fits[i].anova.size(); ++row)
                QVERIFY(fits[i].anova[row].ss == expected[i].anova[row].ss);
        }
        const auto card = report::findInMeasurement(with, fits);
        const auto expectedCard = report::findInMeasurement(without, expected);
        QCOMPARE(card.size(), expectedCard.size());
        for (std::size_t i = 0; i < card.size(); ++i)
            QCOMPARE(card[i].sentence, expectedCard[i].sentence);
    }

    void badModesAreRefused()
    {
        for (const auto& [mode, sentence] :
             {std::pair("\"often\"",
                        "benchmark.baseline: found \"often\", expected \"shared\", \"own\" or \"off\""),
              std::pair("\"off\"", "or a study without this response")}) {
            study::Study study = boxBehnken();
            study.benchmark.unknown["baseline"] = mode;
            Fixture fixture(study);
            QString message;
            try {
                run::Runner runner(fixture.path(), {});
            } catch (const std::exception& error) {
                message = QString::fromUtf8(error.what());
            }
            QVERIFY2(message.endsWith(QLatin1String(sentence)), qPrintable(message));
        }
    }
};

QUADRIC_QT_TEST(BaselinesTest)
#include "baselines_test.moc"
