// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import/audit.h"

#include "study_fixtures.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>

namespace quadric::exchange {
namespace {

using study::testing::contentOf;
using study::testing::messageOf;
using ::testing::HasSubstr;

study::Study example()
{
    return study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
}

AuditItem onlyItem(const Claims& claims, const study::Study& study = example())
{
    const std::vector<AuditItem> items = audit(study, claims);
    EXPECT_EQ(items.size(), 1U);
    return items.empty() ? AuditItem{} : items.front();
}

TEST(Audit, RefutesThePublishedPage)
{
    const std::string path = sourcePath("resources/examples/resnet50-scaling-claims.json");
    const std::vector<AuditItem> items = audit(example(), parseClaims(contentOf(path), path));
    int differing = 0;
    std::string all;
    for (const AuditItem& item : items) {
        differing += item.verdict == Verdict::Differs ? 1 : 0;
        all += item.data + "\n";
    }
    EXPECT_EQ(items.size(), 12U);
    EXPECT_EQ(differing, 11) << "everything but the best observed run";
    EXPECT_THAT(all, HasSubstr("joined to other rows"));
    EXPECT_THAT(all, HasSubstr("R² 0.998"));
    EXPECT_THAT(all, HasSubstr("gave 2723.4; the claim is 6.1 times too large"));
    EXPECT_THAT(all, HasSubstr("the mean alone predicts better"));
}

TEST(Audit, AgreesWithWhatIsRight)
{
    Claims claims;
    claims.fits = {{.response = "images_per_sec", .model = "quadratic", .r2 = 0.998}};
    EXPECT_EQ(onlyItem(claims).verdict, Verdict::Agrees);
    claims.fits = {{.response = "images_per_sec",
                    .model = "linear",
                    .coefficients = {{"1", 10695.9}, {"gpu_count", 7939.2}, {"batch_per_gpu", 5655.3}}}};
    EXPECT_EQ(onlyItem(claims).verdict, Verdict::Agrees);
}

TEST(Audit, JudgesUnmeasuredSettingsByThePredictionInterval)
{
    Claims claims;
    claims.settings = {
        {.what = "setting",
         .settings = {{"gpu_count", 48.0}, {"batch_per_gpu", 200.0}, {"gradient_compression", 45.0}},
         .values = {{"images_per_sec", 19000.0}}}};
    EXPECT_EQ(onlyItem(claims).verdict, Verdict::Agrees) << onlyItem(claims).data;
    claims.settings[0].values["images_per_sec"] = 30000;
    EXPECT_EQ(onlyItem(claims).verdict, Verdict::Differs);
    claims.settings[0].settings.erase("gpu_count");
    EXPECT_EQ(onlyItem(claims).verdict, Verdict::CannotTell);
}

TEST(Audit, TellsWeakFromStrongScaling)
{
    Claims claims;
    claims.scaling = {{"scaling_efficiency", Scaling::Strong}};
    EXPECT_EQ(onlyItem(claims).verdict, Verdict::Differs) << "the batch of each GPU is held";
    study::Study study = example();
    study.factors[1].name = "global_batch";
    EXPECT_EQ(onlyItem(claims, study).verdict, Verdict::Agrees);
    study.factors[1].name = "rate";
    EXPECT_EQ(onlyItem(claims, study).verdict, Verdict::CannotTell);
}

TEST(Audit, RefusesClaimsThatCannotBeRead)
{
    const auto message = [](const std::string& text) {
        return messageOf<study::DocumentError>([&] { parseClaims(text, "claims.json"); });
    };
    EXPECT_THAT(message(R"({"fits": [{"model": "linear"}]})"), HasSubstr("claims.json"));
    EXPECT_THAT(message(R"({"scaling": {"y": "fast"}})"), HasSubstr("expected \"weak\" or \"strong\""));
    EXPECT_THAT(message("[]"), HasSubstr("expected"));
}

} // namespace
} // namespace quadric::exchange
