// SPDX-License-Identifier: GPL-3.0-or-later
// What is recorded about a measurement beside its results.
#include "core/run/follow/live_series.h"
#include "core/run/recipe/approval.h"
#include "core/run/words/run_files.h"
#include "core/run/worker/run_telemetry.h"
#include "core/run/worker/surroundings.h"
#include "telemetry/reader_fixture.h"
#include "tests/support/qt_tests.h"

#include <nlohmann/json.hpp>

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace quadric;
using nlohmann::json;

namespace {

run::Launch launchWith(const std::map<QString, QString>& environment)
{
    run::Launch launch(run::requireApproval(study::Study(), "/x.quadric"));
    for (const auto& [name, value] : environment)
        launch.environment.insert(name, value);
    return launch;
}

void git(const QString& folder, const QStringList& arguments)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.start(QStringLiteral("git"), QStringList{QStringLiteral("-c"), QStringLiteral("user.name=a"),
                                                     QStringLiteral("-c"), QStringLiteral("user.email=a@b")}
                                             << arguments);
    QVERIFY(process.waitForFinished());
    QCOMPARE(process.exitCode(), 0);
}

void writeFile(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

void append(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::Append));
    file.write(text);
}

std::optional<run::Revision> revisionOf(const QString& folder)
{
    run::CodeRevision revision(folder);
    std::optional<run::Revision> found;
    [&] { QTRY_VERIFY((found = revision.found())); }();
    return found;
}

} // namespace

class MeasuredTest : public QObject {
    Q_OBJECT

private slots:
    void theEnvironmentIsKeptWithoutSecrets()
    {
        study::Provenance provenance;
        run::recordSurroundings(
            launchWith({{"OMP_NUM_THREADS", "2"},
                        {"NCCL_DEBUG", "INFO"},
                        {"HOME", "/home/a"},
                        {"CUDA_API_TOKEN", "t"},
                        {"SLURM_JWT_KEY", "k"},
                        {"TORCH_PASSWORD", "p"},
                        {"UCX_SECRET_THING", "s"},
                        {"SLURM_JWT", "eyJhbGciOiJIUzI1NiJ9.eyJzdW4iOiJhIn0.c2ln"},
                        {"OMP_X", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"},
                        {"NCCL_NET", "sk-abcdefghijklmnopqrstuv"},
                        {"NCCL_TOPO_FILE", "ib://me:pw@host"},
                        {"XLA_FLAGS", QString(990, 'x') + " http://me:" + QString(20, 'p') + "@host"},
                        {"CUDA_VISIBLE_DEVICES", "GPU-8f6d0b9a-5a42-4c1e-9f0e-3f1c2b7a9d10"},
                        {"NVIDIA_PROXY", "http://me:pw@host/"}}),
            provenance);
        QVERIFY(provenance.environment ==
                (std::map<std::string, std::string>{
                    {"OMP_NUM_THREADS", "2"},
                    {"NCCL_DEBUG", "INFO"},
                    {"CUDA_VISIBLE_DEVICES", "GPU-8f6d0b9a-5a42-4c1e-9f0e-3f1c2b7a9d10"}}));
        QVERIFY(!provenance.kernel.empty());
    }

    void aRevisionIsReadFromGit()
    {
        QTemporaryDir folder;
        git(folder.path(), {"init", "-q"});
        writeFile(folder.filePath("train.py"), "1");
        git(folder.path(), {"add", "."});
        git(folder.path(), {"commit", "-qm", "first"});
        const auto clean = revisionOf(folder.path());
        QCOMPARE(clean->commit.size(), std::size_t{40});
        QVERIFY(clean->hasChanges == false);
        writeFile(folder.filePath("train.py"), "22");
        QVERIFY(revisionOf(folder.path()) == (run::Revision{clean->commit, true}));
    }

    void nothingThatARepositoryConfiguresIsExecuted()
    {
        QTemporaryDir folder;
        const QString evil = folder.filePath("evil");
        const QString proof = folder.filePath("executed");
        git(folder.path(), {"init", "-q"});
        writeFile(folder.filePath("train.py"), "1");
        writeFile(folder.filePath("data"), "1");
        git(folder.path(), {"add", "."});
        git(folder.path(), {"commit", "-qm", "first"});
        writeFile(evil, "#!/bin/sh\ntouch '" + proof.toUtf8() + "'\ncat\n");
        QFile(evil).setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        QDir(folder.path()).mkpath("hooks");
        for (const char* hook : {"post-index-change", "reference-transaction", "fsmonitor-watchman"})
            QFile::copy(evil, folder.filePath(QStringLiteral("hooks/") + QLatin1String(hook)));
        for (const char* key :
             {"filter.x.clean", "filter.x.smudge", "filter.x.process", "core.fsmonitor", "core.sshCommand",
              "core.pager", "diff.external", "diff.y.textconv", "gpg.program", "credential.helper",
              "core.gitProxy", "remote.origin.uploadpack", "alias.status"})
            git(folder.path(), {"config", QLatin1String(key), evil});
        git(folder.path(), {"config", "core.hooksPath", folder.filePath("hooks")});
        git(folder.path(), {"config", "remote.origin.url", "ext::" + evil});
        git(folder.path(), {"config", "remote.origin.promisor", "true"});
        git(folder.path(), {"config", "protocol.allow", "always"});
        writeFile(folder.filePath("train.py"), "2"); // of the same size: git has to compare the content
        QFile::remove(proof);                        // "git config" may have asked for hooks
        for (const char* attributes : {".gitattributes", ".git/info/attributes"}) {
            writeFile(folder.filePath(QLatin1String(attributes)), "train.py filter=x diff=y\n");
            const auto revision = revisionOf(folder.path());
            QCOMPARE(revision->commit.size(), std::size_t{40});
            QVERIFY2(!revision->hasChanges, "changes cannot be looked for without the filter");
            QVERIFY2(!QFile::exists(proof), attributes);
            QFile::remove(folder.filePath(QLatin1String(attributes)));
        }
        QVERIFY2(revisionOf(folder.path())->hasChanges == true, "a filter that no file has changes nothing");
        QVERIFY(!QFile::exists(proof));
    }

    void textThatIsNoStatusIsNoRevision()
    {
        QVERIFY(!run::parseRevision("fatal: not a git repository"));
        QVERIFY(run::parseRevision("# branch.oid (initial)\n# branch.head main\n") ==
                (run::Revision{"", false}));
    }

    void theWorkerSaysWhatIsWatched()
    {
        const auto cpu = launchWith({{"QUADRIC_SETTINGS", "{\"engine\": \"cpu\"}"}});
        QVERIFY(run::makeReaderOptions(cpu, 0).nvmlLibrary.empty());
        QVERIFY(run::isWorthWatching(cpu));
        const auto gpus = run::makeReaderOptions(launchWith({{"CUDA_VISIBLE_DEVICES", "0, GPU-ab"}}), 77);
        QVERIFY(gpus.devices == (std::vector<std::string>{"0", "GPU-ab"}));
        QVERIFY(!gpus.nvmlLibrary.empty());
        QCOMPARE(gpus.ownPid, static_cast<int>(::getpid()));
        run::Launch confined = cpu;
        confined.cpus = {2, 3};
        QVERIFY(run::makeReaderOptions(confined, 77).cpus == confined.cpus);
        QCOMPARE(run::makeReaderOptions(confined, 77).ownPid,
                 77); // what runs on other processors is not of this run
        QVERIFY(!run::isWorthWatching(launchWith({{"QUADRIC_SETTINGS", "{\"engine\": \"simulated\"}"}})));
    }

    void aThrottledRunIsMarkedAndItsSamplesAreKept()
    {
        const test::MachineFixture machine;
        machine.setScript(test::oneGpu({{{"clock", 1000}, {"power_mw", 300000}, {"throttle", 0x40}}}));
        QTemporaryDir folder;
        const std::filesystem::path document = folder.filePath("a.quadric").toStdString();
        run::RunTelemetry telemetry(3, document, test::readerOptions(machine));
        QSignalSpy news(&telemetry, &run::RunTelemetry::news);
        telemetry.keepStep({.stepMs = 41.5});
        QTRY_VERIFY(news.count() >= 3);
        study::Run run{.id = 3};
        run.provenance.disturbedBecause = "the host took 20 % of the machine";
        telemetry.conclude(run);
        QVERIFY(run.provenance.disturbed == true);
        QCOMPARE(
            run.provenance.disturbedBecause,
            std::string("the host took 20 % of the machine; GPU 0 was slowed by heat for 100 % of the run"));
        QCOMPARE(json::parse(run.provenance.telemetry.value().devices.at(0).unknown.at("power_w"))
                     .at("mean")
                     .get<double>(),
                 300.0);
        const json event = json::parse(news[0][0].toByteArray().toStdString());
        QVERIFY(event.at("event") == "telemetry");
        QVERIFY(event.at("run_id") == 3);
        QVERIFY(event.at("devices").at(0).at("throttled").at(0) == "heat");
        const run::RunFiles::News files = run::RunFiles(document, 3).read();
        QCOMPARE(files.samples.steps.size(), std::size_t{1});
        QCOMPARE(files.samples.steps[0].stepMs, 41.5);
        QVERIFY(files.samples.machine.size() >= 3);
        QVERIFY(files.samples.machine[0].powerW == 300.0);
    }

    void theLossOfAGpuExplainsAFailure_data()
    {
        QTest::addColumn<int>("error");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("expected");
        QTest::newRow("is lost") << 15 << "crash"
                                 << "device-lost";
        QTest::newRow("needs a reset") << 16 << "timeout"
                                       << "device-lost";
        QTest::newRow("other error") << 999 << "crash"
                                     << "crash";
        QTest::newRow("other failure") << 15 << "bad-settings"
                                       << "bad-settings";
    }

    void theLossOfAGpuExplainsAFailure()
    {
        QFETCH(int, error);
        QFETCH(QString, kind);
        QFETCH(QString, expected);
        const test::MachineFixture machine;
        machine.setScript(test::oneGpu({{{"clock", 1000}, {"temperature", 60}}, {{"error", error}}}));
        QTemporaryDir folder;
        run::RunTelemetry telemetry(1, folder.filePath("a.quadric").toStdString(),
                                    test::readerOptions(machine));
        const QSignalSpy news(&telemetry, &run::RunTelemetry::news);
        QTRY_VERIFY(news.count() >= 2); // the first sample still found it
        study::Run run{.id = 1};
        run.failure = study::Failure{kind.toStdString(), "words"};
        telemetry.conclude(run);
        QCOMPARE(QString::fromStdString(run.failure->kind), expected);
        if (expected != QStringLiteral("device-lost"))
            return;
        QCOMPARE(run.failure->message,
                 std::string("GPU 0 (GPU-aaaa-1) was lost: the driver cannot reach it any more; words"));
        QCOMPARE(run.provenance.telemetry.value().devices.at(0).unknown.at("lost"), std::string("true"));
    }

    void aQuietRunIsNotMarked()
    {
        const test::MachineFixture machine;
        QTemporaryDir folder;
        run::RunTelemetry telemetry(1, folder.filePath("a.quadric").toStdString(),
                                    test::readerOptions(machine));
        study::Run run{.id = 1};
        telemetry.conclude(run);
        QVERIFY(run.provenance.telemetry.has_value());
        QVERIFY(!run.provenance.disturbed.has_value());
    }

    void theFilesOfARunAreReadOn()
    {
        QTemporaryDir folder;
        const std::filesystem::path document = folder.filePath("a.quadric").toStdString();
        run::RunFiles files(document, 1);
        QVERIFY(files.read().isNewLog);
        QVERIFY(files.read().isEmpty());
        const QString log = QString::fromStdString(run::logPath(document, 1).string());
        QVERIFY(QDir().mkpath(QFileInfo(log).path()));
        writeFile(log, "first\nsec");
        QCOMPARE(files.read().log, QStringLiteral("first\n"));
        append(log, "ond\n");
        const auto more = files.read();
        QCOMPARE(more.log, QStringLiteral("second\n"));
        QVERIFY(!more.isNewLog);
        writeFile(log, "a\n"); // the next attempt
        const auto again = files.read();
        QCOMPARE(again.log, QStringLiteral("a\n"));
        QVERIFY(again.isNewLog);
    }

    void linesThatAreNoSamplesChangeNothing()
    {
        run::RunSamples samples;
        for (const char* line : {"", "{", "log", "{\"seconds\": 1}", "{\"step_ms\": 1}", "[1]"})
            run::addSample(samples, line);
        QVERIFY(samples.steps.empty() && samples.machine.empty());
    }

    /// Node a at 2000 and then 2200 MHz, b at 1000, c tells none: the means are 1500 and 1600.
    void nodesOfAJobBecomeOneMachine()
    {
        run::RunSamples samples;
        for (const char* line :
             {R"({"seconds": 0.5, "cpu": {"clock_mhz": 2000, "foreign_pct": 1}, "node": "a"})",
              R"({"seconds": 1.5, "cpu": {"clock_mhz": 2200, "foreign_pct": 1}, "node": "a"})",
              R"({"seconds": 0.9, "cpu": {"foreign_pct": 2}, "node": "c"})",
              R"({"seconds": 1.0, "cpu": {"clock_mhz": 1000, "foreign_pct": 7}, "node": "b"})"})
            run::addSample(samples, line);
        QVERIFY(run::makeTimeSeries(samples, run::Quantity::Clock) ==
                (std::vector<run::TimePoint>{{1.0, 1500.0}, {1.5, 1600.0}}));
        QVERIFY(run::makeTimeSeries(samples, run::Quantity::ForeignLoad) ==
                (std::vector<run::TimePoint>{{1.0, 7.0}, {1.5, 7.0}}));
    }

    /// 128 images in 10 ms and 64 in 30 ms: 192 in 40 ms.
    void throughputCountsItemsWhereAllStepsTellThem()
    {
        run::RunSamples samples;
        for (const char* line : {R"({"step_ms": 10, "items": 128, "unit": "img", "seconds": 0.25})",
                                 R"({"step_ms": 30, "items": 64, "seconds": 0.75})"})
            run::addSample(samples, line);
        QCOMPARE(run::throughputUnit(samples), std::string("img"));
        QVERIFY(run::makeTimeSeries(samples, run::Quantity::Throughput) ==
                (std::vector<run::TimePoint>{{0.5, 4800.0}}));
        run::addSample(samples, R"({"step_ms": 20, "seconds": 1.5})");
        QCOMPARE(run::throughputUnit(samples), std::string("steps"));
        QVERIFY(run::makeTimeSeries(samples, run::Quantity::Throughput) ==
                (std::vector<run::TimePoint>{{0.5, 50.0}, {1.5, 50.0}}));
    }

    void throughputIsTheMeanOfEachSecond()
    {
        run::RunSamples samples;
        samples.steps = {{0.2, 10.0}, {0.6, 30.0}, {1.5, 50.0}};
        using run::TimePoint;
        QVERIFY(run::makeTimeSeries(samples, run::Quantity::Throughput) ==
                (std::vector<TimePoint>{{0.4, 50.0}, {1.5, 20.0}}));
        QCOMPARE(run::throughputUnit(samples), std::string("steps"));
        QVERIFY(run::makeTimeSeries(samples, run::Quantity::StepTime, 2) ==
                (std::vector<TimePoint>{{0.4, 20.0}, {1.5, 50.0}}));
        QVERIFY(run::makeTimeSeries(samples, run::Quantity::Power).empty());
        samples.machine = {{.seconds = 0.5,
                            .clockMhz = 2600.0,
                            .powerW = {},
                            .temperatureC = {},
                            .busyPct = {},
                            .foreignPct = 3.0}};
        QVERIFY(run::makeTimeSeries(samples, run::Quantity::Clock) ==
                (std::vector<TimePoint>{{0.5, 2600.0}}));
        QVERIFY(run::makeTimeSeries(samples, run::Quantity::ForeignLoad) ==
                (std::vector<TimePoint>{{0.5, 3.0}}));
    }
};

QUADRIC_QT_TEST(MeasuredTest)
#include "measured_test.moc"
