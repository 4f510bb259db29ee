// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/approval.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

using namespace quadric;

namespace {

class Approval : public ::testing::Test {
protected:
    void SetUp() override
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "quadric-XXXXXX").string();
        m_folder = ::mkdtemp(pattern.data());
        ::setenv("XDG_CONFIG_HOME", (m_folder / "config").c_str(), 1);
        m_document = m_folder / "a.quadric";
        std::ofstream(m_document) << "{}";
        study::Factor factor;
        factor.name = "precision";
        factor.type = study::FactorType::Categorical;
        factor.categories = {"fp32", "bf16"};
        m_study.factors = {factor};
        m_study.fixed = {{"script", std::string("train.py")}, {"unused", 1.0}};
        m_study.benchmark.workload = "command";
        m_study.benchmark.argv = {"python3", "{script}", "--precision={precision}"};
        m_study.benchmark.env = {{"A", "1"}};
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }

    std::filesystem::path m_folder, m_document;
    study::Study m_study;
};

/// The hash that the system's own program finds.
std::string sha256sum(const std::filesystem::path& file)
{
    std::FILE* pipe = ::popen(("sha256sum < '" + file.string() + "'").c_str(), "r");
    char text[65] = {};
    const std::size_t count = pipe ? std::fread(text, 1, 64, pipe) : 0;
    if (pipe)
        ::pclose(pipe);
    return std::string(text, count);
}

} // namespace

TEST_F(Approval, IsNeededForCommandsOnly)
{
    EXPECT_FALSE(run::isApproved(m_study, m_document));
    m_study.benchmark.workload = "builtin";
    EXPECT_TRUE(run::isApproved(m_study, m_document));
}

TEST_F(Approval, HoldsForExactlyThisRecipe)
{
    run::approve(m_study, m_document);
    EXPECT_TRUE(run::isApproved(m_study, m_document));
    using Change = std::function<void(study::Study&)>;
    const std::vector<Change> changes = {
        [](study::Study& s) { s.benchmark.argv[0] = "python"; },
        [](study::Study& s) { s.benchmark.argv.push_back("-x"); },
        [](study::Study& s) { s.benchmark.env["A"] = "2"; },
        [](study::Study& s) { s.benchmark.env["LD_PRELOAD"] = "x.so"; },
        [](study::Study& s) { s.benchmark.cwd = "elsewhere"; },
        [](study::Study& s) { s.benchmark.parse.kind = study::ParseSpec::Kind::LastJson; },
        [](study::Study& s) { s.fixed["script"] = std::string("other.py"); },
        [](study::Study& s) { s.benchmark.options["script"] = std::string("other.py"); },
        [](study::Study& s) { s.factors[0].categories[1] = "$(evil)"; },
    };
    for (std::size_t i = 0; i < changes.size(); ++i) {
        study::Study changed = m_study;
        changes[i](changed);
        EXPECT_FALSE(run::isApproved(changed, m_document)) << "change " << i;
    }
    EXPECT_FALSE(run::isApproved(m_study, m_folder / "other" / "a.quadric"));
}

TEST_F(Approval, DoesNotAskAgainForWhatIsNoPartOfTheCommand)
{
    run::approve(m_study, m_document);
    m_study.name = "another name";
    m_study.fixed["unused"] = 2.0;
    m_study.runs.resize(3);
    EXPECT_TRUE(run::isApproved(m_study, m_document));
}

TEST_F(Approval, HashIsTheSha256OfTheCanonicalText)
{
    std::ofstream(m_folder / "recipe") << run::recipeText(m_study, m_document);
    EXPECT_EQ(run::recipeHash(m_study, m_document).toStdString(), sha256sum(m_folder / "recipe"));
}

TEST_F(Approval, ShowsWhatChanged)
{
    EXPECT_TRUE(run::approvalQuestion(m_study, m_document).contains("python3"));
    EXPECT_FALSE(run::approvalQuestion(m_study, m_document).contains("Changed"));
    run::approve(m_study, m_document);
    m_study.benchmark.env["A"] = "changed value";
    const QString question = run::approvalQuestion(m_study, m_document);
    EXPECT_TRUE(question.contains("Changed since it was approved")) << question.toStdString();
    EXPECT_TRUE(question.contains("changed value"));
    EXPECT_FALSE(question.contains("argv: was"));
}

TEST_F(Approval, ABrokenStoreApprovesNothing)
{
    run::approve(m_study, m_document);
    std::ofstream(m_folder / "config/quadric/approvals.json") << "{\"recipes\": 3";
    EXPECT_FALSE(run::isApproved(m_study, m_document));
    run::approve(m_study, m_document);
    EXPECT_TRUE(run::isApproved(m_study, m_document));
}
