// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/curvature.h"
#include "core/model/reading.h"
#include "core/model/report_card.h"
#include "core/study/document.h"
#include "oracle_study.h"

#include <gmock/gmock.h>

#include <cmath>

namespace quadric::model::test {

namespace {

using testing::HasSubstr;

const ReportCardItem* itemOf(const std::vector<ReportCardItem>& card, const std::string& topic)
{
    for (const ReportCardItem& item : card) {
        if (item.topic == topic)
            return &item;
    }
    return nullptr;
}

void expectVerdict(const std::vector<ReportCardItem>& card, const std::string& topic, Verdict verdict)
{
    const ReportCardItem* item = itemOf(card, topic);
    ASSERT_NE(item, nullptr) << topic;
    EXPECT_EQ(nameOf(item->verdict), nameOf(verdict)) << topic << ": " << item->sentence;
    if (verdict != Verdict::Green) {
        EXPECT_FALSE(item->whatToDo.empty()) << topic;
    }
}

std::vector<ReportCardItem> cardOf(const study::Study& study, const std::string& response,
                                   const FitOptions& options = {})
{
    return reportCard(fitResponse(study, response, options));
}

/// y = 10 + 3A + B on a repeated grid, with a small error that repeats do not share.
study::Study goodStudy()
{
    study::Study study = plainStudy({"A", "B"});
    const std::vector<double> errors{0.3, -0.8, 1.1,  0.2, -0.4, 0.6, -1.2, 0.1, -0.5,
                                     0.9, 0.4,  -0.7, 0.2, -0.3, 1.0, -0.6, 0.5, -0.8};
    for (int repeat = 0; repeat < 2; ++repeat) {
        for (const std::vector<study::Value>& point : gridOf(2, {-1, 0, 1}))
            addRun(study, point,
                   10 + 3 * std::get<double>(point[0]) + std::get<double>(point[1]) +
                       0.2 * errors[study.runs.size()]);
    }
    return study;
}

} // namespace

TEST(ReportCardTest, aGoodStudyIsGreen)
{
    const std::vector<ReportCardItem> card = cardOf(goodStudy(), "y", {.model = "linear"});
    for (const ReportCardItem& item : card)
        EXPECT_EQ(nameOf(item.verdict), "green") << item.topic << ": " << item.sentence;
    EXPECT_EQ(overall(card), Verdict::Green);
    for (const char* topic : {"Enough runs", "Fit", "Prediction", "Lack of fit", "Outliers", "Drift",
                              "Normal residuals", "Scales", "Extrapolation"})
        EXPECT_NE(itemOf(card, topic), nullptr) << topic;
}

TEST(ReportCardTest, exampleAShowsCopiesSimulationAndScales)
{
    const study::Study study =
        study::loadStudy(std::string(QUADRIC_EXAMPLES) + "/resnet50-scaling.quadric").study;
    const std::vector<ReportCardItem> card = cardOf(study, "images_per_sec");
    expectVerdict(card, "Repeated runs", Verdict::Red);
    expectVerdict(card, "Source", Verdict::Amber);
    expectVerdict(card, "Scales", Verdict::Amber);
    expectVerdict(card, "Extrapolation", Verdict::Amber); // a Box–Behnken design has no corners
    expectVerdict(card, "Enough runs", Verdict::Green);
    EXPECT_EQ(overall(card), Verdict::Red);
}

TEST(ReportCardTest, eachTroubleIsNamed)
{
    study::Study drifting = goodStudy();
    for (study::Run& run : drifting.runs)
        run.results["y"] += 0.15 * run.order;
    expectVerdict(cardOf(drifting, "y", {.model = "linear"}), "Drift", Verdict::Red);

    study::Study outlying = goodStudy();
    outlying.runs[4].results["y"] += 5;
    const std::vector<ReportCardItem> card = cardOf(outlying, "y", {.model = "linear"});
    expectVerdict(card, "Outliers", Verdict::Red);
    EXPECT_THAT(itemOf(card, "Outliers")->sentence, HasSubstr("run 5"));

    study::Study bent = goodStudy();
    for (study::Run& run : bent.runs)
        run.results["y"] += 4 * std::pow(std::get<double>(run.settings.at("A")), 2);
    expectVerdict(cardOf(bent, "y", {.model = "linear"}), "Lack of fit", Verdict::Red);
    expectVerdict(cardOf(bent, "y"), "Curvature", Verdict::Green);
    EXPECT_THAT(itemOf(cardOf(bent, "y"), "Curvature")->sentence, HasSubstr("bends"));

    study::Study failing = goodStudy();
    failing.runs[0].status = study::RunStatus::Failed;
    expectVerdict(cardOf(failing, "y", {.model = "linear"}), "Runs left out", Verdict::Amber);

    study::Study constant = goodStudy();
    for (study::Run& run : constant.runs)
        run.results["y"] = 3;
    expectVerdict(cardOf(constant, "y"), "Fit", Verdict::Red);
    expectVerdict(cardOf(plainStudy({"A"}), "y"), "Model", Verdict::Red);
}

TEST(ReportCardTest, saturatedAndUnexplained)
{
    const nlohmann::json oracle = readOracle("07_filtration_2p4_lenth");
    const study::Study filtration = studyOf(oracle);
    expectVerdict(cardOf(filtration, "filtration", {.model = ourTerm("A:B:C:D", oracle)}), "Enough runs",
                  Verdict::Red);
    study::Study noise = goodStudy();
    for (study::Run& run : noise.runs)
        run.results["y"] = 5 + std::sin(12.9898 * run.id);
    const std::vector<ReportCardItem> card = cardOf(noise, "y");
    expectVerdict(card, "Fit", Verdict::Red);
    expectVerdict(card, "Prediction", Verdict::Red);
}

TEST(ReportCardTest, centreRunsShowCurvature)
{
    const nlohmann::json oracle = readOracle("02_chemreact1_first_order");
    const study::Study study = studyOf(oracle);
    const Fit fit = fitResponse(study, "Yield", {.model = "linear"});
    const CurvatureTest test = curvatureTest(fit).value();
    const nlohmann::json& expected = oracle["analyses"][0]["expected"]["anova"]["curvature"];
    EXPECT_EQ(test.corners, expected["n_factorial"].get<int>());
    EXPECT_EQ(test.centers, expected["n_centre"].get<int>());
    EXPECT_NEAR(test.difference,
                expected["mean_factorial"].get<double>() - expected["mean_centre"].get<double>(), 1e-12);
    EXPECT_NEAR(test.ss, expected["ss"].get<double>(), 1e-9);
    EXPECT_NEAR(test.f.value(), expected["f_vs_pure_error"].get<double>(), 1e-7);
    EXPECT_NEAR(test.p.value(), expected["p_vs_pure_error"].get<double>(), 1e-10);
    expectVerdict(reportCard(fit), "Curvature", Verdict::Red);
    EXPECT_FALSE(curvatureTest(fitResponse(study, "Yield", {.model = "Time^2"})).has_value());
}

TEST(Reading, anovaInWords)
{
    const Fit fit = fitResponse(goodStudy(), "y");
    const std::vector<std::string> sentences = readAnova(fit);
    EXPECT_THAT(sentences,
                testing::Contains(HasSubstr("The factors explain y far beyond chance (p < 0.001)")));
    EXPECT_THAT(sentences, testing::Contains(HasSubstr("What matters: the factors by themselves.")));
    EXPECT_THAT(sentences, testing::Contains(HasSubstr("misses nothing that can be seen")));
    const study::Study none = plainStudy({"A"});
    EXPECT_EQ(readAnova(fitResponse(none, "y")).size(), 1U);
}

TEST(Reading, coefficientsInWords)
{
    const Fit fit = fitResponse(goodStudy(), "y");
    const std::vector<std::string> sentences = readCoefficients(fit);
    EXPECT_THAT(sentences[0], HasSubstr("Moving A from -1 to 1 raises y by "));
    EXPECT_THAT(sentences[1], HasSubstr("Moving B from -1 to 1 raises y by "));
    EXPECT_THAT(sentences.back(), HasSubstr("Not to be told from chance: A*B"));
    study::Study positive = goodStudy();
    const Fit logFit = fitResponse(
        positive, "y", {.model = "linear", .transform = study::Transform{study::TransformKind::Log}});
    EXPECT_THAT(readCoefficients(logFit)[0], HasSubstr("multiplies y by 1.8"));
}

} // namespace quadric::model::test
