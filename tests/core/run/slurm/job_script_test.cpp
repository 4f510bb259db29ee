// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/slurm/job_script.h"

#include "core/run/cluster/slurm_call.h"
#include "core/run/recipe/approval.h"
#include "core/run/slurm/job_outcome.h"
#include "core/run/slurm/job_status.h"

#include <QFile>
#include <QProcess>
#include <QSysInfo>
#include <QTemporaryDir>

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

using namespace quadric;
using run::shellWord;

namespace {

/// What bash makes of a line that prints words with a zero behind each.
QByteArray bashSays(const std::string& words)
{
    QProcess bash;
    bash.start(QStringLiteral("/bin/bash"), {QStringLiteral("--norc"), QStringLiteral("-s")});
    bash.write(QByteArray::fromStdString("printf '%s\\0' " + words + "\n"));
    bash.closeWriteChannel();
    bash.waitForFinished();
    return bash.readAllStandardOutput();
}

run::JobRequest request()
{
    run::JobRequest request;
    request.name = "quadric-0123abcd-7-89ef0123";
    request.comment = "Quadric run 7 of scaling";
    request.partition = "gpu";
    request.account = "physics";
    request.ranks = 5;
    request.nodes = 2;
    request.ranksPerNode = 3;
    request.gpusPerNode = 3;
    request.cpusPerRank = 2;
    request.minutes = 11;
    request.memoryMib = 4096;
    request.options = {"--exclusive"};
    request.setup = {"module load cuda"};
    return request;
}

run::Launch launch()
{
    run::Launch launch(run::requireApproval(study::Study(), "/x.quadric"));
    launch.program = QStringLiteral("/opt/my trainer");
    launch.arguments = {QStringLiteral("--format"), QStringLiteral("it's $HOME")};
    launch.folder = QStringLiteral("/data/two words");
    launch.environment = QProcessEnvironment::systemEnvironment();
    launch.environment.insert(QStringLiteral("QUADRIC_SETTINGS"), QStringLiteral("{\"a\": 1}"));
    launch.environment.insert(QStringLiteral("CUDA_VISIBLE_DEVICES"), QStringLiteral("0,1"));
    return launch;
}

bool hasLine(const std::string& text, const std::string& line)
{
    return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

/// Runs a batch script here, as slurmd would run it on a node.
int execute(const QString& script, const QString& job, const QString& restarts = {})
{
    QProcess bash;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("SLURM_JOB_ID"), job);
    environment.insert(QStringLiteral("SLURM_JOB_NODELIST"), QStringLiteral("n[1-2]"));
    if (!restarts.isEmpty())
        environment.insert(QStringLiteral("SLURM_RESTART_COUNT"), restarts);
    bash.setProcessEnvironment(environment);
    bash.start(QStringLiteral("/bin/bash"), {script});
    bash.waitForFinished();
    return bash.exitCode();
}

std::string textOf(const QString& path)
{
    std::ifstream file(path.toStdString());
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST(ShellWord, IsOneWordOfBashWhateverBytesItHas)
{
    std::mt19937 random(20260712);
    std::uniform_int_distribution<int> anyByte(1, 255);
    std::uniform_int_distribution<int> anyLength(0, 12);
    const std::string dangerous = "'\"\\$`!*?[]{}()<>|&;#~ \t\n\r%=";
    std::uniform_int_distribution<std::size_t> anyDangerous(0, dangerous.size() - 1);
    std::string line;
    QByteArray expected;
    for (int i = 0; i < 4000; ++i) {
        std::string text;
        for (int length = anyLength(random); length > 0; --length)
            text += i % 2 == 0 ? static_cast<char>(anyByte(random)) : dangerous[anyDangerous(random)];
        line += shellWord(text) + ' ';
        expected += QByteArray::fromStdString(text) + '\0';
    }
    EXPECT_EQ(bashSays(line), expected);
    for (const unsigned char c : line)
        ASSERT_FALSE(c < ' ' || c == 0x7f) << "a control character stands in the script";
}

TEST(ShellWord, LeavesPlainWordsAlone)
{
    EXPECT_EQ(shellWord("/opt/bin/quadric-trainer"), "/opt/bin/quadric-trainer");
    EXPECT_EQ(shellWord("A=1"), "'A=1'"); // an assignment, were it the first word
    EXPECT_EQ(shellWord(""), "''");
}

TEST(JobScript, AsksForWhatTheRequestSays)
{
    const std::string script = run::jobScript(request(), launch(), "/data/logs/job", 1.5);
    EXPECT_TRUE(script.starts_with("#!/bin/bash\n"));
    for (const char* line :
         {"#SBATCH --job-name=quadric-0123abcd-7-89ef0123",
          "#SBATCH --comment=\"Quadric run 7 of scaling\"",
          "#SBATCH --nodes=2",
          "#SBATCH --ntasks=5",
          "#SBATCH --ntasks-per-node=3",
          "#SBATCH --cpus-per-task=2",
          "#SBATCH --gres=gpu:3",
          "#SBATCH --time=11",
          "#SBATCH --no-requeue",
          "#SBATCH --output=slurm.log",
          "#SBATCH --partition=gpu",
          "#SBATCH --account=physics",
          "#SBATCH --exclusive",
          "job=/data/logs/job",
          "export QUADRIC_RENDEZVOUS=/data/logs/job",
          "export QUADRIC_SETTINGS='{\"a\": 1}'",
          "cd '/data/two words' || exit 127",
          "module load cuda",
          "srun --kill-on-bad-exit=1 --cpus-per-task=2 '/opt/my trainer' --format 'it'\\''s $HOME' "
          ">\"$job/output\" 2>\"$job/errors\" &",
          "#SBATCH --mem=4096M",
          "most=1572864"})
        EXPECT_TRUE(hasLine(script, line)) << line << "\n" << script;
    // Which devices are free, Slurm knows; what the runner inherited is not the job's.
    EXPECT_EQ(script.find("CUDA_VISIBLE_DEVICES"), std::string::npos);
    EXPECT_EQ(script.find("export PATH"), std::string::npos);
}

TEST(JobScript, LeavesOutWhatIsNotAskedFor)
{
    run::JobRequest bare;
    bare.startsRanks = false;
    const std::string script = run::jobScript(bare, launch(), "/job", 1024.0);
    for (const char* part : {"--gres", "--mem", "--partition", "--account", "srun"})
        EXPECT_EQ(script.find(part), std::string::npos) << part;
    EXPECT_TRUE(
        hasLine(script, "'/opt/my trainer' --format 'it'\\''s $HOME' >\"$job/output\" 2>\"$job/errors\" &"));
}

TEST(JobScript, StartsTheWatchOfTheNodesAfterTheProgram)
{
    run::JobRequest watched = request();
    watched.watch = "/opt/my watch";
    watched.watchesGpus = true;
    const std::string script = run::jobScript(watched, launch(), "/job", 1.0);
    const std::size_t start = script.find("\n[ ! -x '/opt/my watch' ] || observe '/opt/my watch' --gpus &\n");
    EXPECT_NE(start, std::string::npos) << script;
    EXPECT_GT(start, script.find("\nworker=$!\n"));
    EXPECT_EQ(run::jobScript(request(), launch(), "/job", 1.0).find("srun --overlap"), std::string::npos);
}

TEST(JobScript, RefusesVariablesThatBashCannotHave)
{
    run::Launch odd = launch();
    odd.environment.insert(QStringLiteral("not-a-name"), QStringLiteral("1"));
    EXPECT_THROW(run::jobScript(request(), odd, "/job", 1.0), run::RecipeError);
}

/// Script and folder of a job that executes a line of shell in `folder`.
struct ShellJob {
    ShellJob(const QTemporaryDir& folder, const QString& line, double outputMib)
        : job(folder.filePath(QStringLiteral("the job")).toStdString())
        , script(folder.filePath(QStringLiteral("job.sh")))
    {
        run::JobRequest once;
        once.startsRanks = false;
        run::Launch shell(run::requireApproval(study::Study(), "/x.quadric"));
        shell.program = QStringLiteral("/bin/sh");
        shell.arguments = {QStringLiteral("-c"), line};
        shell.folder = folder.path();
        std::filesystem::create_directories(job);
        std::ofstream(script.toStdString()) << run::jobScript(once, shell, job, outputMib);
    }

    std::filesystem::path job;
    QString script;
};

TEST(JobScript, EndsAProgramThatPrintsTooMuch)
{
    QTemporaryDir folder;
    const ShellJob flood(folder, QStringLiteral("exec yes"), 0.5);
    EXPECT_EQ(execute(flood.script, QStringLiteral("12")), 128 + 15);
    EXPECT_TRUE(std::filesystem::exists(flood.job / "too-much"));
    EXPECT_TRUE(std::filesystem::exists(flood.job / "end"));
    QTemporaryDir other;
    const ShellJob quick(other, QStringLiteral("head -c 600000 /dev/zero; exit 0"), 0.5);
    EXPECT_EQ(execute(quick.script, QStringLiteral("13")), 0);
    EXPECT_TRUE(std::filesystem::exists(quick.job / "too-much"));
}

/// Script and folder of a job with these lines of setup, whose program leaves a mark.
struct SetupJob {
    SetupJob(const QTemporaryDir& folder, const std::vector<std::string>& setup)
        : jobFolder(folder.filePath(QStringLiteral("a.quadric")).toStdString(), "job")
        , m_mark(folder.filePath(QStringLiteral("mark")))
    {
        run::JobRequest request;
        request.startsRanks = false;
        request.setup = setup;
        run::Launch touch(run::requireApproval(study::Study(), "/x.quadric"));
        touch.program = QStringLiteral("/usr/bin/touch");
        touch.arguments = {m_mark};
        touch.folder = folder.path();
        jobFolder.write(run::jobScript(request, touch, jobFolder.path(), 1.0));
        status = execute(QString::fromStdString(jobFolder.script().string()), QStringLiteral("12"));
    }
    bool wasExecuted() const { return QFile::exists(m_mark); }

    run::JobFolder jobFolder;
    int status = 0;

private:
    QString m_mark;
};

TEST(JobFolder, HasWhatFailedRanksHaveLeft)
{
    const QTemporaryDir folder;
    const run::JobFolder job((folder.path() + QStringLiteral("/study.quadric")).toStdString(), "quadric-1");
    std::filesystem::create_directories(job.path());
    EXPECT_TRUE(job.rankFailures().empty());
    const auto leave = [&](const char* name, const char* text) { std::ofstream(job.path() / name) << text; };
    leave("failure-10.json", R"({"event": "failure", "kind": "communication", "message": "rank 10: alone"})");
    leave("failure-9.json", R"({"event": "failure", "kind": "out-of-memory", "message": "rank 9: no room"})");
    leave("failure-1.json", "half a li");
    leave("end", "job 1\n");
    const std::vector<study::Failure> found = job.rankFailures();
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].kind, "out-of-memory");
    EXPECT_EQ(found[0].message, "rank 9: no room");
    EXPECT_EQ(found[1].kind, "communication");
}

TEST(JobScript, EndsWithTheLineOfTheSetupThatFails)
{
    struct Case {
        std::vector<std::string> setup;
        int line;
        std::string reason;
    };
    for (const Case& each : std::vector<Case>{
             {{"true", "no_such_command nonsense", "true"}, 2, "no_such_command: command not found"},
             {{"exit 3"}, 1, "no reason given"},
             {{"set -e", "true", "false"}, 3, "no reason given"},
             {{"echo why >&2; exit 0", "true"}, 1, "why"},
             {{"kill -KILL $$"}, 1, "no reason given"},
             {{"kill $$", "true"}, 1, "no reason given"},
             {{"exec false"}, 1, "no reason given"},
             {{"trap - EXIT", "exit 4"}, 2, "no reason given"},
             {{"if true; then", "ls /there/is/none", "fi"},
              2,
              "ls: cannot access '/there/is/none': No such file or directory"},
             {{"if true; then"}, 0, "syntax error: unexpected end of file"},
         }) {
        QTemporaryDir folder;
        const SetupJob job(folder, each.setup);
        EXPECT_EQ(job.jobFolder.setupStep(), each.line) << each.setup.front();
        EXPECT_THAT(run::lastLines(job.jobFolder.setupErrors()), testing::EndsWith(each.reason))
            << each.setup.front();
        EXPECT_FALSE(job.wasExecuted()) << each.setup.front();
    }
}

TEST(JobScript, GoesOnAfterASetupThatIsDone)
{
    QTemporaryDir folder;
    std::ofstream(folder.filePath(QStringLiteral("rc")).toStdString()) << "false\ntrue\n";
    const SetupJob job(folder, {"[ -f /there/is/none ] && source /there/is/none",
                                "grep -q none /dev/null || true", "helper() { false; true; }", "helper",
                                "job=3", "source ./rc", "set -eu", "trap 'echo bye' EXIT"});
    EXPECT_TRUE(job.wasExecuted());
    EXPECT_EQ(job.status, 0);
    EXPECT_EQ(job.jobFolder.setupStep(), std::nullopt);
    ASSERT_TRUE(job.jobFolder.end());
    EXPECT_EQ(job.jobFolder.end()->status, 0);
}

TEST(JobScript, IsDoneByOneJobOnce)
{
    QTemporaryDir folder;
    const ShellJob counting(folder, QStringLiteral("echo done >>times; echo said; exit 7"), 1.0);
    const auto& [job, script] = counting;
    const QString times = folder.filePath(QStringLiteral("times"));

    EXPECT_EQ(execute(script, QStringLiteral("12"), QStringLiteral("1")), 1); // a requeue before it began
    EXPECT_EQ(textOf(times), "");
    std::filesystem::remove(job / "end");
    EXPECT_EQ(execute(script, QStringLiteral("12")), 7);
    EXPECT_EQ(textOf(times), "done\n");
    const auto end = run::parseJobEnd(textOf(QString::fromStdString((job / "end").string())));
    ASSERT_TRUE(end);
    EXPECT_EQ(end->id, "12");
    EXPECT_EQ(end->status, 7);
    EXPECT_EQ(end->restarts, 0);
    EXPECT_EQ(end->kernel, QSysInfo::kernelVersion().toStdString());
    EXPECT_EQ(end->nodes, "n[1-2]");
    EXPECT_EQ(textOf(QString::fromStdString((job / "output").string())), "said\n");
    EXPECT_EQ(execute(script, QStringLiteral("13")), 0); // submitted twice
    EXPECT_EQ(execute(script, QStringLiteral("12")), 0); // started twice
    EXPECT_EQ(textOf(times), "done\n");
    EXPECT_FALSE(std::filesystem::exists(job / "too-much"));
}
