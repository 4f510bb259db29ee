// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/words/run_proposals.h"

#include "core/study/document/document.h"

#include <QTemporaryDir>

#include <gtest/gtest.h>

#include <fstream>

namespace quadric::run {
namespace {

study::Run runWith(int id, double batch)
{
    return {.id = id, .settings = {{"batch", batch}, {"precision", std::string("bf16")}}};
}

RunProposal proposalFor(const study::Run& run)
{
    return {.run = run.id,
            .settings = study::writeSettings(run.settings),
            .gain = 0.031,
            .runsProbability = 0.93,
            .seconds = 41.0,
            .isRepeat = true};
}

TEST(RunProposals, AreReadAsTheyWereWritten)
{
    const QTemporaryDir folder;
    const std::filesystem::path document = std::filesystem::path(folder.path().toStdString()) / "s.quadric";
    EXPECT_TRUE(readProposals(document).empty());
    const study::Run run = runWith(16, 64.0);
    noteProposals(document, {.runs = {proposalFor(run)}, .spent = 12.5, .budget = 1200.0});
    RunProposal confirming{.run = 17, .purpose = RunProposal::Purpose::Confirmation, .settings = "{}"};
    noteProposals(document, {.runs = {confirming}, .spent = 60.0, .budget = 1200.0});
    noteProposals(document, {.end = "Stop here.", .spent = 90.0, .budget = 1200.0});
    const std::vector<ProposalRecord> records = readProposals(document);
    ASSERT_EQ(records.size(), 3U);
    EXPECT_EQ(records[0].spent, 12.5);
    EXPECT_EQ(records[0].budget, 1200.0);
    ASSERT_EQ(records[0].runs.size(), 1U);
    EXPECT_EQ(records[0].runs[0].gain, 0.031);
    EXPECT_EQ(records[0].runs[0].runsProbability, 0.93);
    EXPECT_EQ(records[0].runs[0].seconds, 41.0);
    EXPECT_TRUE(records[0].runs[0].isRepeat);
    EXPECT_EQ(records[1].runs[0].purpose, RunProposal::Purpose::Confirmation);
    EXPECT_EQ(records[2].end, "Stop here.");
    EXPECT_TRUE(isProposed(records[0].runs[0], run));
    EXPECT_FALSE(isProposed(records[0].runs[0], runWith(16, 65.0))) << "another run with its number";
    EXPECT_FALSE(isProposed(records[0].runs[0], runWith(15, 64.0)));
}

TEST(RunProposals, LinesThatAreNoneOfOursAreLeftOut)
{
    const QTemporaryDir folder;
    const std::filesystem::path document = std::filesystem::path(folder.path().toStdString()) / "s.quadric";
    noteProposals(document, {.end = "Stop here."});
    std::ofstream(proposalsPath(document), std::ios::app)
        << "no JSON\n{\"runs\": 3}\n[]\n{\"end\": \"Later\", \"spent\"";
    noteProposals(document, {.end = "Again."}); // behind a torn line
    noteProposals(document, {.end = "Last."});
    const std::vector<ProposalRecord> records = readProposals(document);
    ASSERT_GE(records.size(), 2U);
    EXPECT_EQ(records.front().end, "Stop here.");
    EXPECT_EQ(records.back().end, "Last.");
}

} // namespace
} // namespace quadric::run
