// SPDX-License-Identifier: GPL-3.0-or-later
#include "study_fixture.h"

#include "core/study/document/document.h"
#include "tests/support/test_paths.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QFile>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <fstream>

namespace quadric::test {

namespace {

study::Factor numeric(const std::string& name)
{
    study::Factor factor;
    factor.name = name;
    factor.low = 0.0;
    factor.high = 100.0;
    return factor;
}

study::Factor behavior()
{
    study::Factor factor;
    factor.name = "behave";
    factor.type = study::FactorType::Categorical;
    factor.categories = {
        "work",      "hang",        "deaf",       "crash",       "exit",     "nan",
        "missing",   "silent",      "memory",     "simulated",   "children", "hang with children",
        "flood",     "slow",        "first good", "disturbed",   "in use",   "crash once",
        "eater",     "sharer",      "noise",      "gigabyte",    "daemons",  "liar",
        "full disk", "result file", "killed",     "tell devices"};
    return factor;
}

study::Run pendingRun(int id, const std::string& behave)
{
    study::Run run;
    run.id = id;
    run.order = id;
    run.settings = {{"a", 1.0 * id}, {"b", 0.5 * id}, {"behave", behave}};
    return run;
}

} // namespace

StudyFixture::StudyFixture(const std::vector<std::string>& behaviors)
    : m_path(std::filesystem::path(m_folder.path().toStdString()) / "study with spaces.quadric")
{
    static const QTemporaryDir session; // the folder of the real one may be missing, or another user's
    qputenv("XDG_RUNTIME_DIR", session.path().toUtf8());
    m_study.name = "fixture";
    m_study.factors = {numeric("a"), numeric("b"), behavior()};
    study::Response response;
    response.name = "speed";
    m_study.responses = {response};
    m_study.design.type = "custom";
    for (std::size_t i = 0; i < behaviors.size(); ++i)
        m_study.runs.push_back(pendingRun(static_cast<int>(i) + 1, behaviors[i]));
    save();
}

void StudyFixture::save() const
{
    study::saveStudy(m_study, m_path);
}

study::Study StudyFixture::load() const
{
    return study::loadStudy(m_path).study;
}

constexpr int kExecutionPatienceMs = 120000;

run::RunnerSummary execute(const std::filesystem::path& path, const run::RunnerOptions& options)
{
    run::RunnerSummary summary;
    QEventLoop loop; // not QTest::qWait(), which sleeps between two looks
    run::Runner runner(path, options);
    QObject::connect(&runner, &run::Runner::ended, &loop, [&](const run::RunnerSummary& atTheEnd) {
        summary = atTheEnd;
        loop.quit();
    });
    QTimer::singleShot(kExecutionPatienceMs, &loop, [] { qFatal("the runner does not end"); });
    runner.start();
    loop.exec();
    return summary;
}

study::Factor wholeNumber(const std::string& name, double low, double high)
{
    return {.name = name, .type = study::FactorType::Integer, .low = low, .high = high};
}

void useFakePrograms()
{
    qputenv("QUADRIC_TRAINER", builtPath("bin/fake_worker"));
    qputenv("QUADRIC_PROGRAM", builtPath("bin/runner_process"));
}

WorkerHold::WorkerHold()
{
    const std::string file = m_folder.filePath(QStringLiteral("hold")).toStdString();
    std::ofstream(file) << "hold";
    qputenv("FAKE_WORKER_HOLD", file.c_str());
}

WorkerHold::~WorkerHold()
{
    qunsetenv("FAKE_WORKER_HOLD");
}

void WorkerHold::letGo() const
{
    std::filesystem::remove(m_folder.filePath(QStringLiteral("hold")).toStdString());
}

double trueSpeed(const study::Run& run)
{
    return 10.0 * study::numberOf(run.settings.at("a")) + study::numberOf(run.settings.at("b"));
}

std::string failureKind(const study::Study& study, int id)
{
    const study::Run* run = study::findRun(study, id);
    return run->failure ? run->failure->kind : "none";
}

QString textOf(const std::filesystem::path& path)
{
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QByteArray markProcesses()
{
    QByteArray token = "token-" + QByteArray::number(QCoreApplication::applicationPid()) + "-" +
                       QTest::currentTestFunction();
    if (QTest::currentDataTag() != nullptr)
        token += '-' + QByteArray(QTest::currentDataTag()).replace(' ', '-');
    qputenv("QUADRIC_TEST_TOKEN", token);
    return token;
}

std::vector<int> processesWith(const std::string& token)
{
    std::vector<int> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const std::string name = entry.path().filename().string();
        if (!std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; }))
            continue;
        std::ifstream file(entry.path() / "environ", std::ios::binary);
        bool isFound = false;
        // Reading fails, also half way, where the process ends.
        for (std::string variable; !isFound && std::getline(file, variable, '\0');)
            isFound = variable.find(token) != std::string::npos;
        if (isFound)
            found.push_back(std::stoi(name));
    }
    return found;
}

} // namespace quadric::test
