// SPDX-License-Identifier: GPL-3.0-or-later
// Random models of every kind: what a sentence says of a term is what the model predicts. A few here,
// QUADRIC_STUDIES=1000 of them by hand.
#include "core/model/fit/effects.h"
#include "core/model/predict/factor_effects.h"
#include "core/model/predict/predict.h"
#include "core/report/findings/reading.h"
#include "oracle_study.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <random>

namespace quadric::report {
namespace {

using namespace model::test;
using model::EffectFacts;
using model::Fit;
using study::TransformKind;
using testing::HasSubstr;

int countModels()
{
    const char* asked = std::getenv("QUADRIC_STUDIES");
    return asked != nullptr ? std::atoi(asked) : 120;
}

class RandomModel {
public:
    explicit RandomModel(int seed)
        : m_random(static_cast<std::uint64_t>(seed))
    {
    }

    int pick(int count) { return static_cast<int>(m_random() % static_cast<std::uint64_t>(count)); }
    double draw(double low, double high)
    {
        return low + (high - low) * static_cast<double>(m_random() >> 11U) * 0x1.0p-53;
    }

    study::Factor factor(const std::string& name)
    {
        study::Factor factor{.name = name, .type = study::FactorType::Continuous, .low = -1, .high = 1};
        if (pick(3) == 0) {
            factor.type = study::FactorType::Categorical;
            for (int level = 0; level < 2 + pick(3); ++level)
                factor.categories.push_back(name + "-" + std::to_string(level));
            if (factor.categories.size() < 2)
                factor.categories.push_back(name + "-last");
        } else if (pick(3) == 0) {
            factor.low = 2;
            factor.high = 32;
            factor.scale = study::Scale::Log2;
        }
        return factor;
    }

    /// Every combination of levels, in one or two blocks, with coefficients of every sign.
    Fit fit()
    {
        study::Study study = plainStudy({"A", "B", "C"});
        for (study::Factor& each : study.factors)
            each = factor(each.name);
        const std::vector<std::string> models{"interactions", "quadratic", cubicModel(study)};
        const std::string model = models[static_cast<std::size_t>(pick(3))];
        const std::vector<model::Term> terms = model::parseModel(model, study.factors);
        const std::vector<model::Column> columns = model::columnsOf(terms, study.factors);
        Eigen::VectorXd beta(std::ssize(columns));
        for (double& each : beta)
            each = pick(3) == 0 ? 0.0 : draw(-1, 1);
        beta[0] = draw(8, 12);
        const TransformKind kind =
            std::vector{TransformKind::None, TransformKind::Log, TransformKind::Inverse,
                        TransformKind::Sqrt}[static_cast<std::size_t>(pick(4))];
        const study::Transform transform{kind};
        addRuns(study, columns, kind == TransformKind::Log ? Eigen::VectorXd(0.3 * beta) : beta, transform);
        return model::fitResponse(study, "y", {.model = model, .transform = transform});
    }

private:
    static std::string cubicModel(const study::Study& study)
    {
        std::string formula = "A*B + A*C + B*C";
        for (const study::Factor& each : study.factors)
            formula += each.isNumeric() ? " + " + each.name + "^3" : "";
        return formula;
    }

    void addRuns(study::Study& study, const std::vector<model::Column>& columns, const Eigen::VectorXd& beta,
                 const study::Transform& transform)
    {
        const study::Coding coding(study.factors);
        const int blocks = 1 + pick(2);
        std::vector<std::vector<double>> points{{}};
        for (const study::Factor& each : study.factors) {
            std::vector<double> levels{-1, -0.4, 0.3, 1};
            if (!each.isNumeric()) {
                levels.clear();
                for (std::size_t i = 0; i < each.categories.size(); ++i)
                    levels.push_back(static_cast<double>(i));
            }
            std::vector<std::vector<double>> longer;
            for (const std::vector<double>& point : points)
                for (const double level : levels) {
                    longer.push_back(point);
                    longer.back().push_back(level);
                }
            points = std::move(longer);
        }
        for (const std::vector<double>& point : points) {
            const study::CodedPoint coded(Eigen::Map<const Eigen::VectorXd>(point.data(), std::ssize(point)));
            const double z = (model::modelMatrix(columns, {coded}, study.factors) * beta)[0];
            const double error = draw(-0.01, 0.01);
            addRun(study, {0.0, 0.0, 0.0}, model::invertTransform(transform, z + error));
            study.runs.back().settings = coding.toSettings(coded);
            study.runs.back().block = 1 + static_cast<int>(study.runs.size()) % blocks;
        }
    }

    std::mt19937_64 m_random;
};

using Settings = std::vector<std::pair<std::size_t, double>>;

/// The response by the program's own predictions: on the model's scale averaged over every combination of the
/// levels of the categories that are not set, then brought back.
double bruteForce(const Fit& fit, const Settings& settings)
{
    std::vector<study::CodedPoint> points{study::CodedPoint(Eigen::VectorXd::Zero(std::ssize(fit.factors)))};
    for (std::size_t i = 0; i < fit.factors.size(); ++i) {
        std::vector<double> values{0.0};
        const auto set = std::ranges::find(settings, i, &Settings::value_type::first);
        if (set != settings.end())
            values = {set->second};
        else
            for (std::size_t level = 1; level < fit.factors[i].categories.size(); ++level)
                values.push_back(static_cast<double>(level));
        std::vector<study::CodedPoint> longer;
        for (study::CodedPoint point : points)
            for (const double value : values) {
                point[static_cast<Eigen::Index>(i)] = value;
                longer.push_back(point);
            }
        points = std::move(longer);
    }
    double sum = 0.0;
    for (const study::CodedPoint& point : points)
        sum += model::applyTransform(fit.transform, model::predictMean(fit, point)).value();
    return model::invertTransform(fit.transform, sum / static_cast<double>(points.size()));
}

void expectDirection(const std::string& sentence, double change, double from)
{
    const bool isMultiplied = sentence.find("multiplies") != sentence.npos;
    if (isMultiplied) {
        const double factor = std::stod(sentence.substr(sentence.find(" by ") + 4));
        EXPECT_NEAR(factor, 1 + change / from, 0.02 * factor) << sentence;
    } else {
        EXPECT_THAT(sentence, HasSubstr(change < 0 ? "lowers" : "raises"));
    }
}

void expectChange(const Fit& fit, const EffectFacts& facts, const std::string& sentence)
{
    const double from = bruteForce(fit, {{facts.factor, facts.low}});
    const double change = bruteForce(fit, {{facts.factor, facts.high}}) - from;
    expectDirection(sentence, change, from);
    const std::size_t levels = fit.factors[facts.factor].categories.size();
    for (std::size_t level = 0; levels > 2 && level < levels; ++level) {
        const double there = bruteForce(fit, {{facts.factor, static_cast<double>(level)}});
        EXPECT_GE(there, from * (1 - 1e-9)) << sentence;
        EXPECT_LE(there, (from + change) * (1 + 1e-9)) << sentence;
    }
}

void expectInteraction(const Fit& fit, const EffectFacts& facts, const std::string& sentence)
{
    const auto changeAt = [&](double other) {
        return bruteForce(fit, {{facts.factor, facts.high}, {facts.other, other}}) -
               bruteForce(fit, {{facts.factor, facts.low}, {facts.other, other}});
    };
    const double first = changeAt(facts.otherLow), second = changeAt(facts.otherHigh);
    EXPECT_THAT(sentence, HasSubstr(first < 0 ? " lowers y by" : " raises y by"));
    EXPECT_THAT(sentence, HasSubstr(second < 0 ? " and lowers y by" : " and raises y by"));
    for (std::size_t level = 0; level < fit.factors[facts.other].categories.size(); ++level) {
        const double change = changeAt(static_cast<double>(level));
        const double slack = 1e-9 * std::abs(change);
        EXPECT_GE(change, std::min(first, second) - slack) << sentence;
        EXPECT_LE(change, std::max(first, second) + slack) << sentence;
    }
}

} // namespace

TEST(EffectTruth, noSentenceContradictsThePredictions)
{
    int sentences = 0;
    for (int seed = 1; seed <= countModels(); ++seed) {
        const Fit fit = RandomModel(seed).fit();
        ASSERT_TRUE(fit.isOk()) << fit.message;
        for (const model::RankedEffect& ranked : model::rankEffects(fit)) {
            if (ranked.significance == model::Significance::None)
                continue;
            const model::Term& term = fit.terms[ranked.index + 1];
            const std::optional<EffectFacts> facts = model::findEffectFacts(fit, term);
            EXPECT_EQ(facts.has_value(), term.degree() == std::ssize(model::factorsIn(term)));
            if (!facts)
                continue;
            const std::string sentence = describeEffect(fit, *facts);
            SCOPED_TRACE(seed);
            ++sentences;
            if (facts->isInteraction())
                expectInteraction(fit, *facts, sentence);
            else
                expectChange(fit, *facts, sentence);
        }
    }
    EXPECT_GT(sentences, 2 * countModels());
}

// What a significant term does to the response: sentences of studies whose truth is known.

namespace {

using model::fitResponse;
using testing::Not;

/// A small error that no term explains.
double errorOf(std::size_t run)
{
    return 0.05 * std::sin(12.9898 * static_cast<double>(run * run + 1));
}

/// The truth on a grid of both factors, three times.
study::Study gridStudy(const std::vector<double>& levels, const std::function<double(double, double)>& truth)
{
    study::Study study = plainStudy({"A", "B"});
    for (int repeat = 0; repeat < 3; ++repeat)
        for (const std::vector<study::Value>& point : gridOf(2, levels)) {
            const double a = std::get<double>(point[0]), b = std::get<double>(point[1]);
            addRun(study, point, truth(a, b) + errorOf(study.runs.size()));
        }
    return study;
}

std::string readingOf(const study::Study& study, const model::FitOptions& options)
{
    std::string text;
    for (const std::string& sentence : readCoefficients(fitResponse(study, "y", options)))
        text += sentence + '\n';
    return text;
}

} // namespace

TEST(EffectSentences, anInteractionSaysBothChanges)
{
    const study::Study study = gridStudy({-1, 1}, [](double a, double b) { return 20 - 3 * a + a * b; });
    const std::string text = readingOf(study, {.model = "interactions"});
    EXPECT_THAT(text, HasSubstr("Moving A from −1 to 1 lowers y by 8"));
    EXPECT_THAT(text, HasSubstr("at B = −1 and lowers y by 3.9"));
}

TEST(EffectSentences, levelsOfACategoryHaveTheirNames)
{
    study::Study study = plainStudy({"A", "prec"});
    study.factors[1] = study::Factor{
        .name = "prec", .type = study::FactorType::Categorical, .categories = {"fp32", "bf16", "fp8"}};
    const std::vector<double> slopes{2, 0.5, -2};
    for (int repeat = 0; repeat < 3; ++repeat)
        for (const double a : {-1.0, 0.0, 1.0})
            for (std::size_t level = 0; level < 3; ++level)
                addRun(study, {a, study.factors[1].categories[level]},
                       10 + slopes[level] * a + errorOf(study.runs.size()));
    const std::string text = readingOf(study, {.model = "interactions"});
    EXPECT_THAT(text, HasSubstr("raises y by 4"));
    EXPECT_THAT(text, HasSubstr("at prec = fp32 and lowers y by "));
    EXPECT_THAT(text, HasSubstr("at prec = fp8"));
}

/// From −1 to 1 y rises by 4 although the coefficient of A is −1.
TEST(EffectSentences, aCubicTermIsPartOfTheChange)
{
    const study::Study study =
        gridStudy({-1, -0.5, 0, 0.5, 1}, [](double a, double) { return 10 - a + 3 * a * a * a; });
    const std::string text = readingOf(study, {.model = "A^3 + B"});
    EXPECT_THAT(text, HasSubstr("Moving A from −1 to 1 raises y by "));
    EXPECT_THAT(text, Not(HasSubstr("lowers")));
    EXPECT_THAT(text, HasSubstr("Also significant: A³."));
}

/// Seven factors in eight runs: A·B looks like an effect of a factor that has none.
TEST(EffectSentences, anAliasedEffectNamesWhatItContains)
{
    study::Study study = plainStudy({"A", "B", "C", "D", "E", "F", "G"});
    for (int i = 0; i < 8; ++i) {
        const double a = (i & 1) != 0 ? 1 : -1, b = (i & 2) != 0 ? 1 : -1, c = (i & 4) != 0 ? 1 : -1;
        addRun(study, {a, b, c, a * b, a * c, b * c, a * b * c},
               50 + 3 * a * b + 0.1 * errorOf(study.runs.size()));
    }
    const std::string text = readingOf(study, {.model = "linear"});
    EXPECT_THAT(text, HasSubstr("Moving D from −1 to 1 raises y by 6"));
    EXPECT_THAT(text, HasSubstr("aliased with A × B, C × G and E × F"));
}

} // namespace quadric::report
