// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/model_choice.h"

#include "core/model/base/model_size.h"
#include "core/model/base/thresholds.h"
#include "core/model/fit/observations.h"
#include "core/model/fit/reduce.h"
#include "core/model/fit/regression.h"
#include "core/model/fit/tables.h"
#include "core/study/response.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

using study::Transform;
using study::TransformKind;

/// With more factors whose scale is open, scales are changed one at a time.
constexpr std::size_t kMostForAllScales = 6;

/// A count or size that spans this factor multiplies; so does any other factor that spans a decade, and a
/// speed or a time whose results span the third.
constexpr double kMultipliedCount = 4.0, kMultipliedFactor = 10.0, kMultipliedResponse = 3.0;

/// So many of the best scales are tried: the models of "auto" cost a large study half a second each.
constexpr int kMostTried = 3;

/// Runs × columns² beyond which scales are not compared: a hundredth of a second.
constexpr double kMostWork = 1e7;

bool hasOwnModel(const study::Study& study, const study::Response& response)
{
    return study.model.contains(response.name);
}

bool multiplies(const study::Factor& factor)
{
    const bool isCount =
        factor.type == study::FactorType::Integer || factor.type == study::FactorType::Discrete;
    return factor.high >= (isCount ? kMultipliedCount : kMultipliedFactor) * factor.low;
}

/// What the study and its results let begin: before the runs speak.
bool multiplies(const study::Response& response, const Eigen::VectorXd& y)
{
    const study::Quantity quantity = study::quantityOf(response);
    const bool isAmount = quantity != study::Quantity::Other && quantity != study::Quantity::Percent;
    return isAmount && y.minCoeff() > 0.0 && y.maxCoeff() >= kMultipliedResponse * y.minCoeff();
}

std::vector<study::Factor> withScale(std::vector<study::Factor> factors, const std::vector<bool>& isLog2)
{
    for (std::size_t i = 0; i < factors.size(); ++i) {
        if (factors[i].isNumeric())
            factors[i].scale = isLog2[i] ? study::Scale::Log2 : study::Scale::Linear;
    }
    return factors;
}

/// A response whose scale is chosen, with its runs.
struct Chosen {
    std::size_t response = 0;
    Observations data;
    std::vector<Transform> transforms; ///< the one that it begins with first
};

/// The runs coded on other scales.
Observations recoded(const Observations& runs, const study::Coding& from,
                     const std::vector<study::Factor>& factors)
{
    const study::Coding to(factors);
    Observations data = runs;
    for (study::CodedPoint& point : data.points)
        for (std::size_t i = 0; i < factors.size(); ++i)
            if (factors[i].scale != from.factors()[i].scale)
                point[static_cast<Eigen::Index>(i)] =
                    to.toCoded(i, from.toActual(i, point[static_cast<Eigen::Index>(i)]));
    return data;
}

Eigen::VectorXd transformed(const Transform& transform, const Eigen::VectorXd& y)
{
    return transform.kind == TransformKind::Log ? Eigen::VectorXd(y.array().log()) : y;
}

/// AICc in the response's own unit (Jacobian included); 0 where the runs are too few to tell.
double judge(const Transform& transform, const Eigen::VectorXd& y, int parameters, double sse)
{
    const double smallest = roundingSumOfSquares(transformed(transform, y).cwiseAbs().maxCoeff(), y.size());
    const double logJacobian = transform.kind == TransformKind::Log ? -y.array().log().sum() : 0.0;
    const auto aicc = correctedAkaike(static_cast<int>(y.size()), parameters, std::max(sse, smallest));
    return aicc ? *aicc - 2.0 * logJacobian : 0.0;
}

/// Of straight lines over the runs on other scales.
Eigen::MatrixXd basisOfLines(const Observations& runs, const study::Coding& from,
                             const std::vector<study::Factor>& factors)
{
    const Observations data = recoded(runs, from, factors);
    const std::vector<Column> columns = columnsOf(termsOf(Order::Linear, factors), factors);
    return orthogonalBasis(designMatrix(data, blocksOf(data), columns, factors), kAliasTolerance).vectors;
}

/// How well a straight line does on each transform of a response.
std::vector<double> judgeLines(const Chosen& chosen, const Eigen::MatrixXd& basis)
{
    std::vector<double> judged;
    for (const Transform& transform : chosen.transforms) {
        const Eigen::VectorXd z = transformed(transform, chosen.data.y);
        const Eigen::VectorXd centered = z.array() - z.mean();
        const double sse = (centered - basis * (basis.transpose() * centered)).squaredNorm();
        judged.push_back(judge(transform, chosen.data.y, static_cast<int>(basis.cols()), sse));
    }
    return judged;
}

/// The same of the model that "auto" makes there.
double judgeModel(const Chosen& chosen, const Transform& transform, const study::Coding& from,
                  const std::vector<study::Factor>& factors)
{
    Observations data = recoded(chosen.data, from, factors);
    data.z = transformed(transform, data.y);
    const AutomaticModel model = chooseModel(data, factors);
    const Regression regression = solveRegression(data, factors, model.terms);
    return judge(transform, data.y, regression.parameters, regression.sse);
}

/// The transform to take: the first, unless another is clearly better.
std::size_t choose(const std::vector<double>& judged)
{
    const auto best = std::ranges::min_element(judged);
    return *best < judged.front() - kLittleSupport ? static_cast<std::size_t>(best - judged.begin()) : 0;
}

/// Everything that scales are chosen from.
class Choice {
public:
    explicit Choice(const study::Study& study)
        : m_study(study)
        , m_coding(study.factors)
    {
        const bool isOpen = std::ranges::none_of(
            study.responses, [&](const study::Response& each) { return hasOwnModel(study, each); });
        for (std::size_t i = 0; i < study.factors.size(); ++i) {
            const study::Factor& factor = study.factors[i];
            const bool isLog2 = factor.isNumeric() && factor.scale == study::Scale::Log2;
            const bool canMultiply =
                isOpen && factor.isNumeric() && factor.low > 0.0 && areAllPositive(factor);
            m_start.push_back(canMultiply ? isLog2 || multiplies(factor) : isLog2);
            if (canMultiply)
                m_open.push_back(i);
        }
        for (std::size_t i = 0; i < study.responses.size(); ++i)
            add(i);
    }

    const std::vector<bool>& start() const { return m_start; }
    const std::vector<Chosen>& responses() const { return m_chosen; }

    /// Every choice of factor scales, the one to begin with first.
    std::vector<std::vector<bool>> scales() const
    {
        std::vector<std::vector<bool>> all{m_start};
        const auto columns = static_cast<double>(m_study.factors.size() + 1);
        if (m_chosen.empty() || columns * columns * static_cast<double>(m_study.runs.size()) > kMostWork)
            return all;
        const bool isWhole = m_open.size() <= kMostForAllScales;
        const std::size_t count = isWhole ? (std::size_t{1} << m_open.size()) - 1 : m_open.size();
        for (std::size_t each = 1; each <= count; ++each) {
            all.push_back(m_start);
            for (std::size_t i = 0; i < m_open.size(); ++i)
                if (isWhole ? ((each >> i) & 1U) != 0 : i + 1 == each)
                    all.back()[m_open[i]].flip();
        }
        return all;
    }

    /// AICc of each response on each of its transforms.
    std::vector<std::vector<double>> judge(const std::vector<bool>& isLog2) const
    {
        std::vector<std::vector<double>> judged;
        const std::vector<study::Factor> factors = withScale(m_study.factors, isLog2);
        Eigen::MatrixXd basis; // the same for responses of the same runs
        for (std::size_t i = 0; i < m_chosen.size(); ++i) {
            if (i == 0 || m_chosen[i].data.runs != m_chosen[i - 1].data.runs)
                basis = basisOfLines(m_chosen[i].data, m_coding, factors);
            judged.push_back(judgeLines(m_chosen[i], basis));
        }
        return judged;
    }

    /// AICc of the models on these scales, summed over the responses.
    double judgeModels(const std::vector<bool>& isLog2, const std::vector<std::size_t>& transforms) const
    {
        const std::vector<study::Factor> factors = withScale(m_study.factors, isLog2);
        double sum = 0.0;
        for (std::size_t i = 0; i < m_chosen.size(); ++i)
            sum += judgeModel(m_chosen[i], m_chosen[i].transforms[transforms[i]], m_coding, factors);
        return sum;
    }

private:
    bool areAllPositive(const study::Factor& factor) const
    {
        return std::ranges::all_of(m_study.runs, [&](const study::Run& run) {
            const auto value = run.settings.find(factor.name);
            return value == run.settings.end() || study::numberOf(value->second) > 0.0;
        });
    }

    void add(std::size_t response)
    {
        const study::Response& source = m_study.responses[response];
        Chosen chosen{response, collect(m_study, source.name), {}};
        const Eigen::VectorXd& y = chosen.data.y;
        if (y.size() == 0 || y.maxCoeff() == y.minCoeff())
            return;
        const TransformKind own = source.transform.kind;
        if (own != TransformKind::None && (own != TransformKind::Log || y.minCoeff() <= 0.0))
            return; // AICc is compared between the linear and the logarithmic scale only
        chosen.transforms = {source.transform};
        const bool isFree = own == TransformKind::None && !hasOwnModel(m_study, source);
        if (isFree && y.minCoeff() > 0.0)
            chosen.transforms = multiplies(source, y)
                                    ? std::vector<Transform>{{TransformKind::Log}, {TransformKind::None}}
                                    : std::vector<Transform>{{TransformKind::None}, {TransformKind::Log}};
        m_chosen.push_back(std::move(chosen));
    }

    const study::Study& m_study;
    study::Coding m_coding;
    std::vector<bool> m_start;       ///< per factor: on log2 before the runs speak
    std::vector<std::size_t> m_open; ///< factors whose scale the runs may change
    std::vector<Chosen> m_chosen;
};

/// Factor scales with the transforms that go with them.
struct Scales {
    std::vector<bool> isLog2;
    std::vector<std::size_t> transforms; ///< per chosen response, its place among the transforms
    double aicc = 0.0;                   ///< summed over the responses
};

Scales settle(const Choice& choice, const std::vector<bool>& isLog2)
{
    Scales scales{isLog2, {}, 0.0};
    for (const std::vector<double>& judged : choice.judge(isLog2)) {
        scales.transforms.push_back(choose(judged));
        scales.aicc += judged[scales.transforms.back()];
    }
    return scales;
}

std::ptrdiff_t countChanges(const Scales& scales, const std::vector<bool>& start)
{
    std::ptrdiff_t changes = 0;
    for (std::size_t i = 0; i < start.size(); ++i)
        changes += scales.isLog2[i] != start[i] ? 1 : 0;
    return changes;
}

/// The scales to begin with, unless others are clearly better; among equally good others those that change
/// least. A line along a factor that only bends says nothing, so that the models of "auto" must agree.
Scales choose(const Choice& choice)
{
    std::vector<Scales> all;
    for (const std::vector<bool>& isLog2 : choice.scales())
        all.push_back(settle(choice, isLog2));
    Scales start = all.front();
    std::erase_if(all, [&](const Scales& each) { return each.aicc >= start.aicc - kLittleSupport; });
    std::optional<double> atStart;
    for (int tried = 0; tried < kMostTried && !all.empty(); ++tried) {
        const double lowest = std::ranges::min(all, {}, &Scales::aicc).aicc;
        const auto best = std::ranges::min_element(all, {}, [&](const Scales& each) {
            return std::pair(each.aicc > lowest + kEqualSupport, countChanges(each, choice.start()));
        });
        if (!atStart)
            atStart = choice.judgeModels(start.isLog2, start.transforms);
        if (choice.judgeModels(best->isLog2, best->transforms) <= *atStart + kEqualSupport)
            return *best;
        all.erase(best);
    }
    return start;
}

bool haveSameScales(const study::Study& a, const study::Study& b)
{
    return std::ranges::equal(a.factors, b.factors, [](const study::Factor& x, const study::Factor& y) {
        return x.name == y.name && x.scale == y.scale;
    });
}

bool haveSameTransforms(const study::Study& a, const study::Study& b)
{
    return std::ranges::equal(a.responses, b.responses,
                              [](const study::Response& x, const study::Response& y) {
                                  return x.name == y.name && x.transform == y.transform;
                              });
}

void takeScales(study::Study& study, const study::Study& other)
{
    for (std::size_t i = 0; i < study.factors.size(); ++i)
        study.factors[i].scale = other.factors[i].scale;
}

} // namespace

study::Study withChosenModels(const study::Study& study)
{
    if (study.responses.empty() || study.factors.empty() ||
        countColumns(Order::Quadratic, study.factors) > kMostCoefficients)
        return study; // the fit says that its model is too large
    try {
        const Choice choice(study);
        const Scales scales = choose(choice);
        study::Study chosen = study;
        chosen.factors = withScale(study.factors, scales.isLog2);
        for (std::size_t i = 0; i < scales.transforms.size(); ++i) {
            const Chosen& each = choice.responses()[i];
            chosen.responses[each.response].transform = each.transforms[scales.transforms[i]];
        }
        for (const study::Response& response : study.responses)
            chosen.model.try_emplace(response.name, "auto");
        return chosen;
    } catch (const std::invalid_argument&) {
        return study; // settings that cannot be coded: the fit says of which run
    }
}

study::Study withModelsOf(study::Study study, const study::Study& other)
{
    takeScales(study, other);
    for (std::size_t i = 0; i < study.responses.size(); ++i)
        study.responses[i].transform = other.responses[i].transform;
    study.model = other.model;
    return study;
}

study::Study withoutChosenModels(study::Study after, const study::Study& analyzed, const study::Study& stored)
{
    if (!haveSameScales(after, analyzed))
        return after;
    if (after.model == analyzed.model && haveSameTransforms(after, analyzed))
        return withModelsOf(std::move(after), stored);
    if (after.model.empty())
        takeScales(after, stored);
    return after;
}

study::Study withTransform(study::Study study, std::string_view response, const study::Transform& transform)
{
    for (study::Response& each : study.responses) {
        if (each.name != response)
            continue;
        each.transform = transform;
        study.model.try_emplace(each.name, "auto");
    }
    return study;
}

study::Study withoutModels(study::Study study)
{
    study.model.clear();
    for (study::Response& response : study.responses)
        response.transform = {};
    return study;
}

} // namespace quadric::model
