// SPDX-License-Identifier: GPL-3.0-or-later
// The printed equation, read and computed again, against predict().
#include "core/model/predict/predict.h"
#include "core/report/equation.h"

#include <gmock/gmock.h>

#include <charconv>
#include <cmath>
#include <random>

namespace quadric::report::test {

namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Computes what R would: + - * / ^, exp(), log2(), names, (name == "level").
class Calculator {
public:
    Calculator(std::string_view text, const study::Settings& settings)
        : m_text(text)
        , m_settings(settings)
    {
    }

    double all()
    {
        const double value = sum();
        EXPECT_EQ(m_text, "") << "is left over";
        return value;
    }

private:
    bool take(std::string_view word)
    {
        m_text.remove_prefix(std::min(m_text.find_first_not_of(' '), m_text.size()));
        if (!m_text.starts_with(word))
            return false;
        m_text.remove_prefix(word.size());
        return true;
    }

    double sum()
    {
        double value = take("-") ? -product() : product();
        for (;;) {
            if (take("+"))
                value += product();
            else if (take("-"))
                value -= product();
            else
                return value;
        }
    }

    double product()
    {
        double value = power();
        for (;;) {
            if (take("*"))
                value *= power();
            else if (take("/"))
                value /= power();
            else
                return value;
        }
    }

    double power()
    {
        const double base = primary();
        return take("^") ? std::pow(base, primary()) : base;
    }

    double primary()
    {
        if (take("exp("))
            return std::exp(closed());
        if (take("log2("))
            return std::log2(closed());
        if (take("("))
            return closed();
        double value = 0.0;
        const auto [end, error] = std::from_chars(m_text.data(), m_text.data() + m_text.size(), value);
        if (error != std::errc{})
            return name();
        m_text.remove_prefix(static_cast<std::size_t>(end - m_text.data()));
        return value;
    }

    double closed()
    {
        const double value = sum();
        EXPECT_TRUE(take(")")) << m_text;
        return value;
    }

    double name()
    {
        const bool isQuoted = take("`");
        const std::size_t end = isQuoted ? m_text.find('`') : m_text.find_first_of(" )^*");
        const study::Value& value = m_settings.at(std::string(m_text.substr(0, end)));
        m_text.remove_prefix(end + (isQuoted ? 1 : 0));
        if (!take("== \""))
            return study::numberOf(value);
        const std::size_t quote = m_text.find('"');
        const bool isLevel = study::toText(value) == m_text.substr(0, quote);
        m_text.remove_prefix(quote + 1);
        return isLevel ? 1.0 : 0.0;
    }

    std::string_view m_text;
    const study::Settings& m_settings;
};

double compute(const std::string& equation, const study::Settings& settings)
{
    const std::size_t start = equation.find(" = ") + 3;
    return Calculator(std::string_view(equation).substr(start), settings).all();
}

study::Study noisyStudy(study::Transform transform)
{
    study::Study study;
    study.factors = {
        {.name = "gpus",
         .type = study::FactorType::Integer,
         .low = 8,
         .high = 128,
         .scale = study::Scale::Log2},
        {.name = "learning rate", .low = 0.0001, .high = 0.0005},
        {.name = "precision", .type = study::FactorType::Categorical, .categories = {"fp32", "bf16", "fp8"}}};
    study.responses = {{.name = "speed", .unit = "img/s", .transform = transform}};
    study.model = {{"speed", "quadratic"}};
    std::mt19937_64 random(3);
    std::normal_distribution<double> noise(0.0, 0.02);
    for (int i = 0; i < 54; ++i) {
        const double gpus = std::pow(2.0, 3 + 2 * (i % 3)), rate = 1e-4 + 2e-4 * (i / 3 % 3);
        const std::string& level = study.factors[2].categories[static_cast<std::size_t>(i / 9 % 3)];
        study::Run run{.id = i + 1, .order = i + 1, .status = study::RunStatus::Done};
        run.settings = {{"gpus", gpus}, {"learning rate", rate}, {"precision", level}};
        run.results = {{"speed", 700 * std::exp(0.3 * std::log2(gpus) - 900 * rate +
                                                (level == "fp8" ? 0.4 : 0) + noise(random))}};
        study.runs.push_back(run);
    }
    return study;
}

std::vector<study::CodedPoint> somePoints(const study::Coding& coding)
{
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> inside(-1.0, 1.0);
    std::vector<study::CodedPoint> points;
    for (int i = 0; i < 100; ++i) {
        study::CodedPoint point = coding.center();
        point[0] = inside(random);
        point[1] = inside(random);
        point[2] = i % 3;
        points.push_back(point);
    }
    return points;
}

} // namespace

TEST(Equation, GivesThePredictionsToTheDigitsThatItPromises)
{
    using Kind = study::TransformKind;
    for (const study::Transform& transform :
         {study::Transform{}, study::Transform{Kind::Log}, study::Transform{Kind::Sqrt},
          study::Transform{Kind::Inverse}, study::Transform{Kind::BoxCox, 0.3},
          study::Transform{Kind::BoxCox, -0.4}, study::Transform{Kind::Logit}}) {
        study::Study study = noisyStudy(transform);
        if (transform.kind == Kind::Logit)
            study.responses[0].bounds = study::Bounds{-100.0, 12000.0};
        const model::Fit fit = model::fitResponse(study, "speed");
        const std::string equation = writeEquation(fit);
        const study::Coding coding(study.factors);
        for (const study::CodedPoint& point : somePoints(coding)) {
            const model::Prediction expected = model::predict(fit, point);
            const double half = (expected.prediction->high - expected.prediction->low) / 2;
            EXPECT_NEAR(compute(equation, coding.toSettings(point)), expected.mean, 1.2e-3 * half)
                << equation;
        }
    }
}

TEST(Equation, SaysScalesTransformAndLevels)
{
    const model::Fit fit =
        model::fitResponse(noisyStudy({.kind = study::TransformKind::Log}), "speed", {.model = "linear"});
    const std::string equation = writeEquation(fit);
    EXPECT_THAT(equation, StartsWith("speed = exp("));
    EXPECT_THAT(equation, HasSubstr(" * log2(gpus)"));
    EXPECT_THAT(equation, HasSubstr(" * `learning rate`"));
    EXPECT_THAT(equation, HasSubstr(" * (precision == \"fp8\"))"));
    EXPECT_EQ(equation.find("fp32"), std::string::npos) << "the first level is what the others differ from";
    EXPECT_LT(equation.size(), 160U) << "no more digits than it takes: " << equation;
    EXPECT_THAT(describeEquation(fit),
                HasSubstr("with the log₂ of gpus; the model is of the natural logarithm"));
    EXPECT_EQ(describeModel(fit), "log · gpus on log₂ · 3 terms");
    EXPECT_EQ(describeModel(model::fitResponse(noisyStudy({}), "speed", {.model = "gpus"})),
              "no transform · gpus on log₂ · 1 term");
    const model::Fit other = model::fitResponse(noisyStudy({}), "speed", {.model = "precision"});
    EXPECT_EQ(describeModel(other), "no transform · 1 term") << "gpus is not in it";
    EXPECT_THAT(describeEquation(other), StartsWith("In actual units. "));
}

TEST(Equation, IsExactWhereNothingIsLeftForError)
{
    study::Study study;
    study.factors = {{.name = "a", .low = 10, .high = 30}};
    study.responses = {{.name = "y"}};
    study.model = {{"y", "linear"}};
    for (const double a : {10.0, 30.0}) {
        study::Run run{.id = static_cast<int>(a), .order = 1, .status = study::RunStatus::Done};
        run.settings = {{"a", a}};
        run.results = {{"y", 4 + 0.125 * a}};
        study.runs.push_back(run);
    }
    EXPECT_EQ(writeEquation(model::fitResponse(study, "y")), "y = 4 + 0.125 * a");
    EXPECT_EQ(writeEquation(model::fitResponse(study, "none")), "");
}

} // namespace quadric::report::test
