// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_fixture.h"

#include "core/study/document/document.h"

#include <cstdlib>

using quadric::test::CommandResult;

namespace study = quadric::study;

namespace {

class SlurmLauncher : public quadric::test::CommandTest {
protected:
    void SetUp() override
    {
        CommandTest::SetUp();
        study::Study one;
        one.name = "one run";
        one.factors = {quadric::test::numericFactor("a", 0, 100), quadric::test::numericFactor("b", 0, 100)};
        one.responses = {quadric::test::response("speed")};
        study::Run run;
        run.id = run.order = 1;
        run.settings = {{"a", 1.0}, {"b", 3.0}};
        one.runs = {run};
        write(one, "one.quadric");
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
    const CommandResult result = quadric({"run", "one.quadric", "--launcher", "slurm"});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find("no sbatch on the PATH"), std::string::npos) << result.err;
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
    const CommandResult result = quadric({"run", "one.quadric", "--launcher", "slurm"});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find("SLURM_CONF names " + file("slurm.conf")), std::string::npos) << result.err;
}
