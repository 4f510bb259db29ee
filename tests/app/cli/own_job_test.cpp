// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs of the user's own: the files for them, what is computed of their results, and their scaling
// efficiency.
#include "command_fixture.h"
#include "core/study/document/document.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

namespace quadric::test {

namespace {

using ::testing::HasSubstr;

class OwnJob : public CommandTest {
protected:
    void SetUp() override
    {
        CommandTest::SetUp();
        m_home = (m_folder / "home").string();
        ::setenv("XDG_CONFIG_HOME", m_home.c_str(), 1); // approvals stay here
        ::setenv("XDG_DATA_HOME", m_home.c_str(), 1);
        std::ofstream(file("job.sh"))
            << "#!/bin/sh\n"
               "echo \"{\\\"tokens_per_sec\\\": $((1000 * $1 - 100 * ($1 - 1))), \\\"flags\\\": $#}\"\n"
               "echo '{\"level\": \"info\"}'\n";
    }

    /// A study of 1 to 8 ranks whose N ranks make 1000 N − 100 (N − 1) tokens in a second.
    void makeStudy(const std::vector<std::string>& more = {}) const
    {
        std::vector<std::string> arguments = {
            "new",        "s.quadric",
            "--factor",   "gpus:2:8::integer:binds=ranks",
            "--factor",   "batch:1:9",
            "--response", "tokens_per_sec:maximize:tok/s",
            "--type",     "full-factorial",
            "--command",  "sh " + file("job.sh") + " {gpus} {fused?--fused} {batch?}",
            "--results",  "json",
            "--fixed",    "fused=no"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const CommandResult made = quadric(arguments);
        ASSERT_EQ(made.status, 0) << made.err;
    }

    std::string m_home;
};

} // namespace

TEST_F(OwnJob, InitCopiesTheWorkerAndReplacesNothing)
{
    const CommandResult made = quadric({"workload", "init", "job", "--json"});
    ASSERT_EQ(made.status, 0) << made.err;
    EXPECT_EQ(made.json()["files"].size(), 4U);
    EXPECT_TRUE(std::filesystem::exists(m_folder / "job/quadric_worker.py"));
    EXPECT_EQ(quadric({"workload", "init", "job"}).status, 0) << "the same files may be there";
    std::ofstream(m_folder / "job/train_gpt.py") << "print('mine')\n";
    expectWrong({"workload", "init", "job"}, {"train_gpt.py"});
    EXPECT_EQ(quadric({"workload", "init", "job", "--force"}).status, 0);
}

TEST_F(OwnJob, EfficiencyComesFromABaselineThatRunsShare)
{
    makeStudy({"--response", "scaling_efficiency:maximize:%", "--response", "speed_up:none"});
    const CommandResult run = quadric({"run", "s.quadric"});
    ASSERT_EQ(run.status, 0) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("baseline 1 of 2"));
    const Json study = ask({"info", "s.quadric"});
    EXPECT_EQ(study["baselines"].size(), 2U) << "one for each batch";
    for (const Json& each : study["runs"]) {
        const double gpus = each["settings"]["gpus"];
        const double speedUp = (1000.0 * gpus - 100.0 * (gpus - 1.0)) / 1000.0;
        EXPECT_DOUBLE_EQ(each["results"]["speed_up"], speedUp);
        EXPECT_DOUBLE_EQ(each["results"]["scaling_efficiency"], 100.0 * speedUp / gpus);
        EXPECT_EQ(each["results"]["flags"], 1.0) << "a flag that is off is no argument";
        EXPECT_TRUE(each["provenance"].contains("baseline_run"));
    }
}

TEST_F(OwnJob, ResponsesAreComputedNowAndLater)
{
    makeStudy({"--derive", "per_gpu=tokens_per_sec / gpus", "--response", "run_seconds:minimize:s"});
    ASSERT_EQ(quadric({"run", "s.quadric"}).status, 0);
    const CommandResult later = quadric(
        {"derive", "s.quadric", "loss=1000 - per_gpu", "--goal", "minimize", "--unit", "tok/s", "--json"});
    ASSERT_EQ(later.status, 0) << later.err;
    EXPECT_EQ(later.json()["derived"][0]["runs"], 4);
    const Json study = ask({"info", "s.quadric"});
    for (const Json& each : study["runs"]) {
        const double perGpu =
            each["results"]["tokens_per_sec"].get<double>() / each["settings"]["gpus"].get<double>();
        EXPECT_DOUBLE_EQ(each["results"]["per_gpu"], perGpu);
        EXPECT_DOUBLE_EQ(each["results"]["loss"], 1000.0 - perGpu);
        EXPECT_GT(each["results"]["run_seconds"].get<double>(), 0.0);
    }
    EXPECT_EQ(readJson("s.quadric")["derived"]["loss"], "1000 - per_gpu");
    EXPECT_THAT(quadric({"derive", "s.quadric", "half=tokens_per_secs / 2"}).err,
                HasSubstr("no run reports it. Did you mean tokens_per_sec?"));
}

TEST_F(OwnJob, ExpressionsThatCannotBeReadAreNamed)
{
    makeStudy();
    for (const char* text : {"x=gpus /", "x=log(gpus)", "x=gpus < 3", "gpus"}) {
        expectWrong({"derive", "s.quadric", text}, {});
    }
    EXPECT_THAT(quadric({"derive", "s.quadric", "x=gpus /"}).err, HasSubstr("column"));
}

TEST_F(OwnJob, FactorsSayWhichCountsCanBeScheduled)
{
    const CommandResult made =
        quadric({"new", "m.quadric", "--factor", "gpus:8:64:GPUs:integer:log2:multiple_of=8:binds=ranks",
                 "--response", "y:maximize", "--json"});
    ASSERT_EQ(made.status, 0) << made.err;
    EXPECT_EQ(readJson("m.quadric")["factors"][0]["multiple_of"], 8);
    EXPECT_EQ(readJson("m.quadric")["factors"][0]["binds"], "ranks");
    EXPECT_EQ(
        quadric({"new", "n.quadric", "--factor", "gpus:8:64:::multiple_of=8", "--response", "y:maximize"})
            .status,
        2);
    EXPECT_EQ(quadric({"new", "n.quadric", "--factor", "gpus:8:64::integer:binds=nodes", "--response",
                       "y:maximize"})
                  .status,
              2);
}

/// The bounds that a new study has, given and known.
TEST_F(OwnJob, NewTakesBounds)
{
    const CommandResult made =
        quadric({"new", "b.quadric", "--factor", "gpus:1:8", "--response", "hits:maximize:%:bounds=0..100",
                 "--response", "scaling_efficiency:maximize", "--response", "mfu_pct:maximize:bounds=none"});
    ASSERT_EQ(made.status, 0) << made.err;
    const Json responses = readJson("b.quadric")["responses"];
    EXPECT_EQ(responses[0]["bounds"], (Json{0, 100}));
    EXPECT_EQ(responses[1]["bounds"], (Json{0, nullptr}));
    EXPECT_FALSE(responses[2].contains("bounds"));
    EXPECT_THAT(
        quadric({"new", "c.quadric", "--factor", "gpus:1:8", "--response", "y:maximize:bounds=9"}).err,
        HasSubstr("bounds \"9\", expected 0..100, 0.. or none"));
}

} // namespace quadric::test

using quadric::test::CommandResult;

namespace study = quadric::study;

namespace {

class SlurmLauncher : public quadric::test::CommandTest {
protected:
    void SetUp() override
    {
        CommandTest::SetUp();
        write(quadric::test::fakeWorkerStudy({"work"}), "one.quadric");
        m_path = std::getenv("PATH");
    }

    void TearDown() override
    {
        setenv("PATH", m_path.c_str(), 1);
        unsetenv("SLURM_CONF");
        CommandTest::TearDown();
    }

    std::string m_path;
};

} // namespace

TEST_F(SlurmLauncher, IsRefusedWhereThereIsNoSlurm)
{
    setenv("PATH", file("nothing here").c_str(), 1);
    expectWrong({"run", "one.quadric", "--launcher", "slurm"}, {"no sbatch on the PATH"});
    EXPECT_EQ(readJson("one.quadric")["runs"][0]["status"], "pending");
}

TEST_F(SlurmLauncher, IsChosenByTheStudyAndRefusedByTheCommandLine)
{
    setenv("PATH", file("nothing here").c_str(), 1);
    study::Study one = study::loadStudy(file("one.quadric")).study;
    one.benchmark.launcher = study::LauncherKind::Slurm;
    write(one, "cluster.quadric");
    EXPECT_NE(quadric({"run", "cluster.quadric"}).err.find("no sbatch"), std::string::npos);
    EXPECT_EQ(quadric({"run", "cluster.quadric", "--launcher", "local"}).status, 0);
    EXPECT_EQ(readJson("cluster.quadric")["runs"][0]["results"]["speed"], 13);
    EXPECT_EQ(quadric({"run", "one.quadric", "--launcher", "pbs"}).status, 2);
}

TEST_F(SlurmLauncher, NamesAFileOfSlurmThatIsNotThere)
{
    for (const char* program : {"sbatch", "squeue", "scontrol", "scancel", "sinfo"}) {
        std::filesystem::create_directories(file("programs"));
        std::filesystem::create_symlink("/bin/true", file("programs") + "/" + program);
    }
    setenv("PATH", file("programs").c_str(), 1);
    setenv("SLURM_CONF", file("slurm.conf").c_str(), 1);
    expectWrong({"run", "one.quadric", "--launcher", "slurm"}, {"SLURM_CONF names " + file("slurm.conf")});
}
