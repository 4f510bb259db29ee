// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/cluster/slurm_call.h"
#include "core/run/recipe/approval.h"
#include "core/run/recipe/recipe.h"
#include "core/run/slurm/job_script.h"
#include "core/run/slurm/slurm_launcher.h"
#include "core/study/document/document.h"

#include <gtest/gtest.h>

using namespace quadric;

namespace {

study::Study studyWith(const std::string& slurm, const std::string& unit = "ranks")
{
    study::Study study;
    study.name = "scaling \"quoted\"\nname";
    study::Factor ranks;
    ranks.name = "workers";
    ranks.unit = unit;
    ranks.type = study::FactorType::Integer;
    ranks.low = 1;
    ranks.high = 64;
    ranks.binds = "ranks";
    study.factors = {ranks};
    study.benchmark.timeoutSeconds = 90.0;
    if (slurm.empty())
        return study;
    const std::string text = R"({"quadric": 1, "benchmark": {"slurm": )" + slurm + "}}";
    const study::Benchmark read = study::parseStudy(text, "x").study.benchmark;
    study.benchmark.slurm = read.slurm;
    study.benchmark.unknown = read.unknown;
    return study;
}

run::JobRequest requestFor(const study::Study& study, double ranks)
{
    study::Run run;
    run.id = 3;
    run.settings = {{"workers", ranks}};
    return run::jobRequest(study, run, study.benchmark.slurm, "quadric-x");
}

std::string refusalOf(const std::string& slurm)
{
    try {
        run::makeSlurmLauncher(studyWith(slurm), "x.quadric");
        return "accepted";
    } catch (const run::RecipeError& error) {
        return error.what();
    }
}

constexpr const char* kUnavailable =
    "sbatch: error: Batch job submission failed: Requested node configuration is not available\n";

} // namespace

TEST(JobRequest, SpreadsRanksOverAsFewNodesAsHoldThem)
{
    const study::Study four = studyWith(R"({"ranks_per_node": 4})", "GPUs");
    const run::JobRequest one = requestFor(four, 3);
    EXPECT_EQ(one.inWords(), "3 ranks on 1 node with 3 GPUs");
    const run::JobRequest six = requestFor(four, 6);
    EXPECT_EQ(six.nodes, 2);
    EXPECT_EQ(six.ranksPerNode, 3);
    EXPECT_EQ(six.inWords(), "6 ranks on 2 nodes with 3 GPUs each");
    const run::JobRequest nine = requestFor(four, 9);
    EXPECT_EQ(nine.nodes, 3);
    EXPECT_EQ(nine.gpusPerNode, 3);
    EXPECT_EQ(nine.minutes, 3); // 90 s and a minute, in whole minutes
}

TEST(JobRequest, AsksForGpusWhereRanksAreGpus)
{
    EXPECT_EQ(requestFor(studyWith(""), 4).gpusPerNode, 0);
    EXPECT_EQ(requestFor(studyWith("", "GPUs"), 4).gpusPerNode, 4);
    EXPECT_EQ(requestFor(studyWith(R"({"gpus_per_rank": 0})", "GPUs"), 4).gpusPerNode, 0);
    EXPECT_EQ(requestFor(studyWith(R"({"gpus_per_rank": 2})"), 4).gpusPerNode, 8);
    study::Study cuda = studyWith("");
    cuda.benchmark.engine = "cuda";
    EXPECT_EQ(requestFor(cuda, 2).gpusPerNode, 2);
}

TEST(JobRequest, HasARankWhereNothingSaysHowMany)
{
    study::Study bare = studyWith("");
    bare.factors.clear();
    study::Run run;
    EXPECT_EQ(run::jobRequest(bare, run, {}, "x").ranks, 1);
    bare.fixed["ranks"] = 5.0;
    EXPECT_EQ(run::jobRequest(bare, run, {}, "x").ranks, 5);
    EXPECT_THROW(requestFor(studyWith(""), 2.5), run::RecipeError);
    EXPECT_THROW(requestFor(studyWith(""), 0.0), run::RecipeError);
}

TEST(JobRequest, AsksForTheMemoryThatTheStudyAllows)
{
    study::Study study = studyWith("");
    EXPECT_EQ(requestFor(study, 2).memoryMib, 0);
    study.benchmark.memoryMib = 2047.5;
    EXPECT_EQ(requestFor(study, 2).memoryMib, 2048);
    study.benchmark.memoryMib = 1e300;
    EXPECT_EQ(requestFor(study, 2).memoryMib, 1000000000);
}

TEST(JobRequest, NamesArePlainAndNeverTheSame)
{
    const std::string name = run::newJobName("/data/a study.quadric", 3);
    EXPECT_EQ(name.size(), std::string("quadric-01234567-3-01234567").size());
    EXPECT_EQ(name.find_first_not_of("quadric-0123456789abcdef"), std::string::npos) << name;
    EXPECT_NE(name, run::newJobName("/data/a study.quadric", 3));
    EXPECT_EQ(requestFor(studyWith(""), 1).comment, "Quadric run 3 of scaling  quoted  name");
}

TEST(JobRequest, OnlyNamesThatQuadricMakesAreTakenFromAStudy)
{
    EXPECT_TRUE(run::isJobName(run::newJobName("/data/a study.quadric", 3), 3));
    for (const char* name :
         {"", "..", "../../elsewhere", "quadric-01234567-4-01234567", "quadric-01234567-3-0123456",
          "quadric-01234567-3-01234567/..", "quadric-0123456G-3-01234567", "x\nquadric-01234567-3-01234567"})
        EXPECT_FALSE(run::isJobName(name, 3)) << name;
}

TEST(SlurmOptions, AreRefusedWithFieldAndExpectation)
{
    EXPECT_EQ(refusalOf(R"({"ranks_per_node": 0})"),
              "benchmark.slurm.ranks_per_node: found 0, expected a whole number from 1");
    EXPECT_NE(refusalOf(R"({"partition": "a b"})").find("benchmark.slurm.partition"), std::string::npos);
    EXPECT_NE(refusalOf(R"({"options": ["-N 3"]})").find("starts with --"), std::string::npos);
    EXPECT_NE(refusalOf("{\"setup\": [\"a\\nb\"]}").find("benchmark.slurm.setup"), std::string::npos);
    EXPECT_NE(refusalOf(R"({"partitoin": "gpu"})").find("partitoin: no such option"), std::string::npos);
    EXPECT_NE(refusalOf(R"({"poll_seconds": 0})").find("0.1 to 3600"), std::string::npos);
    EXPECT_NE(refusalOf("[]").find("an object"), std::string::npos);
}

TEST(SlurmOptions, LinesForTheScriptNeedApproval)
{
    EXPECT_FALSE(run::needsApproval(studyWith(R"({"partition": "gpu"})")));
    EXPECT_TRUE(run::needsApproval(studyWith(R"({"setup": ["curl x | sh"]})")));
    EXPECT_TRUE(run::needsApproval(studyWith(R"({"options": ["--output=/home/me/.bashrc"]})")));
    EXPECT_FALSE(run::needsApproval(studyWith("[]"))); // the launcher refuses it
    const auto recipe = [](const char* slurm) {
        return run::ApprovalRequest(studyWith(slurm), "/x.quadric").recipe();
    };
    const std::string known = recipe(R"({"setup": ["a"]})");
    for (const char* other : {R"({"setup": ["b"]})", R"({"setup": ["a"], "partition": "gpu"})",
                              R"({"setup": ["a"], "account": "b"})", R"({"setup": ["a"], "start": "once"})"})
        EXPECT_NE(recipe(other), known) << other;
    const QString question =
        run::ApprovalRequest(studyWith(R"({"setup": ["module load x"], "partition": "debug"})"), "/x.quadric")
            .question();
    EXPECT_TRUE(question.contains(QStringLiteral("module load x")));
    EXPECT_TRUE(question.contains(QStringLiteral("debug")));
}

/// A record from elsewhere names the folder of the job's script.
TEST(SlurmJobs, HaveNamesThatNoPathHas)
{
    const std::string name = run::newJobName("/x.quadric", 7);
    EXPECT_TRUE(run::isJobName(name, 7));
    EXPECT_FALSE(run::isJobName(name, 8));
    for (const char* other : {"", "quadric-7", "../../x", "quadric-0123abcd-7-0123abcd/../../x",
                              "quadric-0123abcd-7-0123abcd\n", "/quadric-0123abcd-7-0123abcd"})
        EXPECT_FALSE(run::isJobName(other, 7)) << other;
}

TEST(SubmitError, HasTheWordsOfSlurmAndWhatWasAskedFor)
{
    run::JobRequest request;
    request.ranks = request.ranksPerNode = 5;
    request.gpusPerNode = 5;
    EXPECT_EQ(
        run::submitError("sbatch: error: Something new\n", request, {}).message,
        "Slurm refuses the job: sbatch: error: Something new. The run asks for 5 ranks on 1 node with 5 "
        "GPUs (benchmark.slurm)");
    EXPECT_FALSE(run::submitError("sbatch: error: Something new\n", request, {}).mayPass);
    EXPECT_TRUE(run::submitError("sbatch: error: Batch job submission failed: Unable to contact slurm "
                                 "controller (connect failure)\n",
                                 request, {})
                    .mayPass);
}

/// As after a start of the controller, which has not heard of its nodes yet.
TEST(SubmitError, WaitsForNodesThatAreAway)
{
    run::JobRequest request;
    request.ranks = 2;
    request.nodes = 2;
    const auto refusal = [&request](const char* nodes) {
        return run::submitError(kUnavailable, request, run::parseClusterNodes(nodes));
    };
    EXPECT_TRUE(refusal("n1|8|gpu:4|gpu|unknown\nn2|8|gpu:4|gpu|unknown\n").mayPass);
    EXPECT_TRUE(refusal("n1|8|gpu:4|gpu|idle\nn2|8|gpu:4|gpu|down*\n").mayPass);
    EXPECT_TRUE(refusal("n1|8|gpu:4|gpu|idle\nn2|8|gpu:4|gpu|mixed*\n").mayPass); // not responding
    EXPECT_TRUE(refusal("").mayPass); // sinfo names none, or has not answered
    EXPECT_FALSE(refusal("n1|8|gpu:4|gpu|idle\nn2|8|gpu:4|gpu|allocated\n").mayPass);
    EXPECT_FALSE(refusal("n1|8|gpu:4|gpu|unknown\n").mayPass); // two are asked for
    request.gpusPerNode = 5;
    EXPECT_FALSE(refusal("n1|8|gpu:4|gpu|unknown\nn2|8|gpu:4|gpu|unknown\n").mayPass);
}

TEST(LastLines, StandAsTheyAre)
{
    EXPECT_EQ(run::lastLines("sbatch: error: Your account must be given with --account\n\n"
                             "  sbatch: error: Batch job submission failed: Unspecified error\r\n"),
              "sbatch: error: Your account must be given with --account; sbatch: error: Batch job submission "
              "failed: Unspecified error");
    EXPECT_EQ(run::lastLines("one\ntwo\nthree\nfour"), "two; three; four");
    EXPECT_EQ(run::lastLines("\n"), "no reason given");
}

/// As sinfo writes them in the documentation of clusters: FRIDA of Ljubljana (shards), PACE of Georgia Tech
/// (S:2,5); no_consume as gres.conf(5) has it.
TEST(ClusterNodes, HaveTheirGpusCounted)
{
    EXPECT_EQ(run::parseGpuCount("gpu:4"), 4);
    EXPECT_EQ(run::parseGpuCount("gpu:h100:8(S:0-1)"), 8);
    EXPECT_EQ(run::parseGpuCount("gpu:a100:2(S:2,5)"), 2);
    EXPECT_EQ(run::parseGpuCount("gpu:A100_80GB:8(S:0-1),shard:A100_80GB:640(S:0-1)"), 8);
    EXPECT_EQ(run::parseGpuCount("gpu:a100:4(S:0-1),gpu:v100:2(S:0),shard:8"), 6);
    EXPECT_EQ(run::parseGpuCount("gpu:k20c:1,mic:knc:1"), 1);
    EXPECT_EQ(run::parseGpuCount("gpu:no_consume:8"), 8);
    EXPECT_EQ(run::parseGpuCount("gpu_mem:80"), 0);
    EXPECT_EQ(run::parseGpuCount("(null)"), 0);
    EXPECT_EQ(run::parseGpuCount("gpu"), 1);
}

/// `sinfo -o "%P %D %X %Y %Z %G %F"` of a cluster with one or two nodes of each kind
/// (gist.github.com/sithhell/54cbd0299c1f728fd47c6ea7b43e1572), a node a line.
constexpr const char* kSiegfried = "a1|16|gpu:k40m:2|siegfried*|idle\n"
                                   "a2|16|gpu:k40m:2|siegfried*|idle\n"
                                   "a3|16|gpu:k20c:2|siegfried*|idle\n"
                                   "a4|16|gpu:k20c:1,mic:knc:1|siegfried*|idle\n"
                                   "b1|6|gpu:k20c:5|accel|idle\n"
                                   "b2|24|(null)|accel|idle\n"
                                   "b3|24|(null)|accel|idle\n"
                                   "d1|16|mic:knc:2|knc|idle\n";

TEST(ClusterNodes, SayHowManyGpusANodeHas)
{
    const auto nodes = run::parseClusterNodes(kSiegfried);
    ASSERT_EQ(nodes.size(), 8U);
    EXPECT_EQ(nodes[0].partition, "siegfried");
    EXPECT_TRUE(nodes[0].isInDefault);
    EXPECT_FALSE(nodes[4].isInDefault);
    EXPECT_EQ(run::summarizeNodeGpus(nodes, "")->gpus, 2) << "of most nodes of the default partition";
    EXPECT_EQ(run::summarizeNodeGpus(nodes, "")->words,
              "sinfo: partition siegfried has 1 node of 1 and 3 nodes of 2 GPUs");
    EXPECT_EQ(run::summarizeNodeGpus(nodes, "accel")->gpus, 5) << "nodes without GPUs do not count";
    EXPECT_EQ(run::summarizeNodeGpus(nodes, "accel,siegfried")->gpus, 2);
    EXPECT_FALSE(run::summarizeNodeGpus(nodes, "knc").has_value());
    EXPECT_FALSE(run::summarizeNodeGpus(nodes, "nope").has_value());
    EXPECT_FALSE(run::summarizeNodeGpus(run::parseClusterNodes("sinfo: error: slurm_load_partitions\n"), "")
                     .has_value());
}

TEST(SlurmEnvironment, HasNothingOfAnAllocation)
{
    QProcessEnvironment outer;
    for (const char* name : {"SLURM_JOB_ID", "SLURM_GPUS", "SBATCH_PARTITION", "CUDA_VISIBLE_DEVICES",
                             "SLURM_CONF", "PATH", "MY_SLURM_THING"})
        outer.insert(QLatin1String(name), QStringLiteral("1"));
    const QProcessEnvironment inner = run::slurmEnvironment(outer);
    QStringList names = inner.keys();
    names.sort();
    EXPECT_EQ(names, (QStringList{QStringLiteral("MY_SLURM_THING"), QStringLiteral("PATH"),
                                  QStringLiteral("SLURM_CONF")}));
}
