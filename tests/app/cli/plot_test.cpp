// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_fixture.h"
#include "core/run/words/run_files.h"

#include <gmock/gmock.h>

#include <fstream>
#include <set>

namespace quadric::test {

namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class PlotCommandTest : public CommandTest {
protected:
    std::string m_study;
    void SetUp() override
    {
        CommandTest::SetUp();
        m_study = example("resnet50-scaling.quadric");
    }
};

} // namespace

TEST_F(PlotCommandTest, ListsKindsOfEveryPage)
{
    const CommandResult result = quadric({"plot", "--list", "--json"});
    ASSERT_EQ(result.status, 0) << result.err;
    std::set<std::string> kinds, pages;
    const Json listed = result.json();
    for (const Json& plot : listed["plots"]) {
        kinds.insert(plot["kind"]);
        pages.insert(plot["page"]);
    }
    EXPECT_EQ(pages, (std::set<std::string>{"design", "run", "explore", "optimize", "plan"}));
    for (const char* kind : {"pareto", "surface", "residuals", "profiler", "trade-off", "design-space"})
        EXPECT_TRUE(kinds.contains(kind)) << kind;
    EXPECT_FALSE(kinds.contains("anova")); // a table is no plot
}

TEST_F(PlotCommandTest, WritesEachFormatInItsSize)
{
    const std::vector<std::string> asked = {"plot",           m_study,  "--kind",  "surface", "--response",
                                            "images_per_sec", "--size", "600x400", "-o"};
    const auto draw = [&](const std::string& name, std::vector<std::string> more = {}) {
        std::vector<std::string> arguments = asked;
        arguments.push_back(name);
        arguments.insert(arguments.end(), more.begin(), more.end());
        const CommandResult result = quadric(arguments);
        EXPECT_EQ(result.status, 0) << result.err;
        return content(name);
    };
    const std::string svg = draw("a.svg");
    EXPECT_NE(svg.find("viewBox=\"0 0 600 400\""), std::string::npos) << svg.substr(0, 300);
    EXPECT_NE(svg.find("simulated data"), std::string::npos);
    EXPECT_EQ(draw("a.pdf").substr(0, 5), "%PDF-");
    const std::string png = draw("a.png", {"--scale", "1.5"});
    ASSERT_GT(png.size(), 24U);
    const auto side = [&png](std::size_t at) { // big endian, in the header of every PNG file
        return (static_cast<unsigned char>(png[at]) << 8) + static_cast<unsigned char>(png[at + 1]);
    };
    EXPECT_EQ(side(18), 900);
    EXPECT_EQ(side(22), 600);
    EXPECT_NE(draw("dark.svg", {"--theme", "dark"}), svg);
}

TEST_F(PlotCommandTest, HoldsTheOtherFactorsWhereItIsAskedTo)
{
    const auto draw = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"plot", m_study, "--kind", "interactions", "-o", "a.svg"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const CommandResult result = quadric(arguments);
        EXPECT_EQ(result.status, 0) << result.err;
        return content("a.svg");
    };
    const std::vector<std::string> pair{"--factors", "gpu_count,batch_per_gpu"};
    const std::string one = draw(pair);
    EXPECT_THAT(one, HasSubstr(">gpu_count × batch_per_gpu"));
    EXPECT_THAT(one, Not(HasSubstr("× gradient_compression")));
    EXPECT_THAT(one, HasSubstr("at gradient_compression"));
    const std::string other =
        draw({"--factors", "gpu_count,batch_per_gpu", "--at", "gradient_compression=90"});
    EXPECT_NE(one, other);
    expectWrong({"plot", m_study, "--kind", "cube", "--at", "gpu_count=1000", "-o", "a.svg"},
                {"--at gpu_count: 1000, expected a value that can be run"});
}

TEST_F(PlotCommandTest, DrawsTheChartsOfARunFromItsSamples)
{
    const std::filesystem::path samples = run::samplesPath(m_folder / "copy.quadric", 3);
    std::filesystem::copy_file(m_study, m_folder / "copy.quadric");
    std::filesystem::create_directories(samples.parent_path());
    std::ofstream(samples) << R"({"seconds": 0.5, "step_ms": 41.5})" << '\n'
                           << R"({"seconds": 1.0, "step_ms": 43.25})" << '\n';
    const auto draw = [&](const std::string& run) {
        return quadric({"plot", "copy.quadric", "--kind", "run-step-time", "--run", run, "-o", "a.svg"});
    };
    ASSERT_EQ(draw("3").status, 0);
    EXPECT_THAT(content("a.svg"), HasSubstr("Step time: 43.25"));
    EXPECT_EQ(draw("4").status, 1);
    EXPECT_THAT(draw("4").err, HasSubstr("run 4 has not left samples"));
    EXPECT_EQ(draw("400").status, 2);
    const CommandResult all = quadric({"plot", "copy.quadric", "--all", "plots"});
    EXPECT_THAT(all.out, HasSubstr("run-step-time-run3.svg"));
    EXPECT_THAT(all.out, Not(HasSubstr("run-power")));
}

TEST_F(PlotCommandTest, SaysWhatWasExpected)
{
    expectWrong({"plot", m_study, "--kind", "pie", "-o", "a.svg"}, {"\"pie\", expected one of: design-cube"});
    expectWrong({"plot", m_study, "--kind", "pareto", "-o", "a.gif"}, {".svg, .pdf or .png"});
    expectWrong({"plot", m_study, "--kind", "pareto", "--response", "speed", "-o", "a.svg"},
                {"\"speed\", expected one of: images_per_sec"});
    expectWrong({"plot", m_study, "--kind", "surface", "--factors", "gpu_count", "-o", "a.svg"},
                {"1 factor for the plot surface, expected 2"});
    expectWrong({"plot", m_study, "--kind", "pareto", "--size", "9x9", "-o", "a.svg"}, {"--size"});
    expectWrong({"plot", m_study, "--kind", "pareto", "--size", "200x200x200", "-o", "a.svg"},
                {"WIDTHxHEIGHT"});
    expectWrong({"plot", m_study, "--kind", "pareto", "--scale", "100", "-o", "a.svg"}, {"0.1 to 8"});
    expectWrong({"plot", m_study, "--kind", "pareto"}, {"-o: none given"});
}

TEST_F(PlotCommandTest, APlotWithNothingToShowIsNoSuccess)
{
    const std::string pending = example("cpu-ranks.quadric");
    const CommandResult result = quadric({"plot", pending, "--kind", "pareto", "-o", "p.svg"});
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.err.find("nothing to draw in the plot pareto: No run has a result of images_per_sec"),
              std::string::npos)
        << result.err;
    EXPECT_FALSE(std::filesystem::exists(file("p.svg")));
    EXPECT_EQ(quadric({"plot", pending, "--kind", "profiler", "-o", "p.svg"}).status, 1);
    EXPECT_EQ(quadric({"plot", pending, "--kind", "design-cube", "-o", "p.svg"}).status, 0);
    ASSERT_EQ(quadric({"new", "empty.quadric", "--factor", "x:0:1", "--response", "y:maximize"}).status, 0);
    EXPECT_EQ(quadric({"plot", "empty.quadric", "--all", "plots"}).status, 1);
}

TEST_F(PlotCommandTest, TellsWhereItCouldNotWrite)
{
    const CommandResult result =
        quadric({"plot", m_study, "--kind", "pareto", "-o", "/nowhere/at/all/pareto.svg"});
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.err.find("/nowhere/at/all/pareto.svg"), std::string::npos);
}

TEST_F(PlotCommandTest, DrawsThumbnailsForFileManagers)
{
    const CommandResult result = quadric({"thumbnail", m_study, "-o", "small.png", "--size", "128"});
    ASSERT_EQ(result.status, 0) << result.err;
    const std::string png = content("small.png");
    EXPECT_EQ(png.substr(1, 3), "PNG");
    EXPECT_EQ(png.substr(16, 8), std::string("\0\0\0\x80\0\0\0\x80", 8)); // width and height
    EXPECT_GT(png.size(), 2000U);                                         // more than an empty frame

    std::ofstream(file("broken.quadric")) << "{";
    EXPECT_EQ(quadric({"thumbnail", "broken.quadric", "-o", "none.png"}).status, 2);
    EXPECT_FALSE(std::filesystem::exists(m_folder / "none.png"));
    EXPECT_EQ(quadric({"thumbnail", m_study, "-o", "absent/small.png"}).status, 1);
    EXPECT_EQ(quadric({"thumbnail", m_study, "-o", "none.png", "--size", "0"}).status, 2);
}

} // namespace quadric::test
