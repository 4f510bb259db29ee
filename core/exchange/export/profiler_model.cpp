// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/export/profiler_model.h"

#include "core/model/base/distributions.h"
#include "core/model/fit/block_variance.h"
#include "core/model/fit/observations.h"
#include "core/model/fit/regression.h"
#include "core/optimize/merit/desirability.h"
#include "core/study/document/json.h"
#include "core/study/space/constraint.h"
#include "core/study/space/legal_space.h"
#include "core/study/study.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace quadric::exchange {

namespace {

using study::OrderedJson;
using Node = study::Constraint::Node;

const char* wordOf(Node::Kind kind)
{
    switch (kind) {
    case Node::Kind::Negate:
        return "negate";
    case Node::Kind::Add:
        return "+";
    case Node::Kind::Subtract:
        return "-";
    case Node::Kind::Multiply:
        return "*";
    case Node::Kind::Divide:
        return "/";
    case Node::Kind::Remainder:
        return "%";
    case Node::Kind::Less:
        return "<";
    case Node::Kind::LessEqual:
        return "<=";
    case Node::Kind::Greater:
        return ">";
    case Node::Kind::GreaterEqual:
        return ">=";
    case Node::Kind::Equal:
        return "==";
    case Node::Kind::NotEqual:
        return "!=";
    case Node::Kind::And:
        return "and";
    case Node::Kind::Or:
        return "or";
    default:
        return "not";
    }
}

OrderedJson valueJson(const study::Value& value)
{
    if (const auto* text = std::get_if<std::string>(&value))
        return {{"text", *text}};
    return std::get<double>(value);
}

OrderedJson nameJson(const study::Study& study, const std::string& name)
{
    for (std::size_t i = 0; i < study.factors.size(); ++i) {
        if (study.factors[i].name == name)
            return {{"factor", i}};
    }
    const auto fixed = study.fixed.find(name);
    if (fixed == study.fixed.end())
        throw std::invalid_argument(name + " has no value, expected a factor or a fixed setting");
    return valueJson(fixed->second);
}

OrderedJson nodeJson(const study::Study& study, const Node& node)
{
    if (node.kind == Node::Kind::Number)
        return node.number;
    if (node.kind == Node::Kind::Text)
        return {{"text", node.text}};
    if (node.kind == Node::Kind::Name)
        return nameJson(study, node.text);
    OrderedJson json = OrderedJson::array({wordOf(node.kind), nodeJson(study, *node.left)});
    if (node.right)
        json.push_back(nodeJson(study, *node.right));
    return json;
}

/// A constraint as JSON: numbers stand for themselves, {"text": "bf16"} for a text, {"factor": 2} for the
/// value of a factor, a list for an operation and its operands ("+", "negate", "<=", "and", "not", …). Fixed
/// settings become their values. Throws std::invalid_argument with the column for what cannot be read, and
/// naming what has no value.
OrderedJson constraintTree(const study::Study& study, const std::string& constraint)
{
    std::vector<std::string> names;
    return nodeJson(study, *study::parseConstraint(constraint, names));
}

/// Factors with more legal values are told their step only.
constexpr std::size_t kMostLegal = 500;
/// Nodes of the interpolation in quantileSeries(), and what of its terms is rounding.
constexpr int kNodes = 96;
constexpr double kNegligible = 1e-15;

/// Covariance matrices, each once: models of the same terms and runs share theirs.
class Matrices {
public:
    std::size_t indexOf(const Eigen::MatrixXd& matrix)
    {
        const auto found = std::ranges::find_if(m_matrices, [&](const Eigen::MatrixXd* other) {
            return other->rows() == matrix.rows() && *other == matrix;
        });
        if (found == m_matrices.end())
            return m_matrices.push_back(&matrix), m_matrices.size() - 1;
        return static_cast<std::size_t>(found - m_matrices.begin());
    }

    /// Rows of the lower triangles.
    OrderedJson json() const
    {
        OrderedJson all = OrderedJson::array();
        for (const Eigen::MatrixXd* matrix : m_matrices) {
            OrderedJson& rows = all.emplace_back(OrderedJson::array());
            for (Eigen::Index i = 0; i < matrix->rows(); ++i) {
                const Eigen::VectorXd row = matrix->row(i).head(i + 1);
                rows.push_back(std::vector<double>(row.begin(), row.end()));
            }
        }
        return all;
    }

private:
    std::vector<const Eigen::MatrixXd*> m_matrices;
};

OrderedJson factorJson(const study::Coding& coding, const study::LegalAxis& axis, std::size_t index)
{
    const study::Factor& factor = coding.factors()[index];
    OrderedJson json{{"name", factor.name}, {"unit", factor.unit}};
    if (!factor.isNumeric()) {
        json["levels"] = factor.categories;
        return json;
    }
    const double low = study::onScale(factor, factor.low), high = study::onScale(factor, factor.high);
    json.update({{"low", factor.low},
                 {"high", factor.high},
                 {"log2", factor.scale == study::Scale::Log2},
                 {"center", (high + low) / 2},
                 {"halfRange", (high - low) / 2}});
    if (axis.kind == study::LegalAxis::Kind::Levels)
        json["legal"] = axis.actual;
    else if (axis.snaps)
        json["step"] = factor.multipleOf;
    return json;
}

/// Per column its factors in pairs: index and exponent, of a categorical factor the level of the contrast.
OrderedJson columnsJson(const std::vector<model::Column>& columns)
{
    OrderedJson json = OrderedJson::array();
    for (const model::Column& column : columns) {
        OrderedJson& pairs = json.emplace_back(OrderedJson::array());
        for (std::size_t i = 0; i < column.term.powers.size(); ++i) {
            if (column.term.powers[i] == 0)
                continue;
            pairs.push_back(i);
            pairs.push_back(column.contrast[i] >= 0 ? column.contrast[i] : column.term.powers[i]);
        }
    }
    return json;
}

/// Largest value of the variance factor in the region, where no column is larger than 1, or a bound of it.
double largestVarianceFactor(const model::Fit& fit, const model::PredictionError& error)
{
    double largest = error.unscaledCovariance().cwiseAbs().sum();
    for (const model::UnseenBend& bend : fit.unseenBends) {
        double deviation = bend.deviation / error.sigma();
        for (const double level : bend.levels)
            deviation *= 1.0 + std::abs(level);
        largest += deviation * deviation;
    }
    return largest;
}

/// Each adds (share · Π (x − level))² to the variance factor.
OrderedJson bendsJson(const model::Fit& fit, double sigma)
{
    OrderedJson json = OrderedJson::array();
    for (const model::UnseenBend& bend : fit.unseenBends)
        json.push_back({{"factor", bend.factor}, {"levels", bend.levels}, {"share", bend.deviation / sigma}});
    return json;
}

/// The values that no prediction leaves: the lower, and the upper one or null.
OrderedJson boundsJson(const std::optional<study::Bounds>& bounds)
{
    if (!bounds)
        return nullptr;
    return OrderedJson::array({bounds->low, bounds->high ? OrderedJson(*bounds->high) : OrderedJson()});
}

/// The quantile that a new run's standard error is multiplied by, as coefficients of Chebyshev polynomials
/// T_k(2s − 1), s = ln(1 + h)/ln(1 + H) for the variance factor h from 0 to H: one number unless blocks are
/// drawn at random, where degrees of freedom are Satterthwaite's and depend on h. Interpolation at the
/// polynomials' zeros.
std::vector<double> quantileSeries(const model::Fit& fit, double reach)
{
    if (!fit.blockVariance)
        return {model::tLimit(1 - fit.confidence, model::PredictionError(fit).df())};
    std::vector<double> series(kNodes, 0.0);
    for (int node = 0; node < kNodes; ++node) {
        const double angle = std::numbers::pi * (node + 0.5) / kNodes;
        const double h = std::expm1((std::cos(angle) + 1) / 2 * reach);
        const double quantile = model::tLimit(1 - fit.confidence, model::computeNewBlockError(fit, h, 1)->df);
        for (int k = 0; k < kNodes; ++k)
            series[static_cast<std::size_t>(k)] +=
                (k == 0 ? 1.0 : 2.0) / kNodes * quantile * std::cos(k * angle);
    }
    while (std::abs(series.back()) < kNegligible * std::abs(series.front()))
        series.pop_back();
    return series;
}

/// Half widths of intervals on the model's scale: of the mean quantile·√(σ²h), of a new run in a block of its
/// own series(h)·√(fixed + σ²h), of one in the average block quantile·√(ofRun + σ²h).
OrderedJson errorJson(const model::Fit& fit, Matrices& matrices)
{
    const model::PredictionError error(fit);
    const auto ofNewBlock = model::computeNewBlockError(fit, 0.0, 1);
    const double reach = std::log1p(largestVarianceFactor(fit, error));
    return {{"columns", columnsJson(error.columns())},
            {"matrix", matrices.indexOf(error.unscaledCovariance())},
            {"bends", bendsJson(fit, error.sigma())},
            {"sigma", error.sigma()},
            {"quantile", model::tLimit(1 - fit.confidence, error.df())},
            {"ofRun", model::varianceOfNewRun(fit)},
            {"fixed", ofNewBlock ? ofNewBlock->variance : model::varianceOfNewRun(fit)},
            {"series", quantileSeries(fit, reach)},
            {"reach", reach}};
}

OrderedJson transformJson(const study::Transform& transform)
{
    if (model::isLogarithm(transform))
        return {{"kind", "log"}};
    if (transform.kind == study::TransformKind::Logit)
        return {{"kind", "logit"}, {"low", transform.low}, {"high", transform.high}};
    if (transform.kind == study::TransformKind::BoxCox)
        return {{"kind", "power"}, {"lambda", transform.lambda}};
    return {{"kind", study::nameOf(transform)}};
}

OrderedJson goalJson(const optimize::Desirability& desirability)
{
    return {{"goal", study::nameOf(desirability.goal)},
            {"low", desirability.low},
            {"target", desirability.target},
            {"high", desirability.high},
            {"shapeBelow", desirability.shapeBelow},
            {"shapeAbove", desirability.shapeAbove},
            {"weight", desirability.weight}};
}

/// Which levels of each factor the runs have; null for numeric factors.
OrderedJson seenJson(const model::Fit& fit)
{
    OrderedJson json = OrderedJson::array();
    for (const std::vector<bool>& levels : fit.seenLevels)
        json.push_back(levels.empty() ? OrderedJson() : OrderedJson(levels));
    return json;
}

/// Where the runs tell the prediction: ranges of factors (null: all of it), and sums that are 0 there.
OrderedJson estimableJson(const model::Fit& fit)
{
    OrderedJson limits = OrderedJson::array(), weights = OrderedJson::array();
    if (fit.data == nullptr)
        return {{"limits", limits}, {"columns", OrderedJson::array()}, {"weights", weights}};
    const model::Estimability& estimability = fit.data->estimability;
    for (const auto& limit : estimability.limits())
        limits.push_back(limit ? OrderedJson{limit->first, limit->second} : OrderedJson());
    const model::Estimability::Gaps gaps = estimability.gaps();
    for (const auto& row : gaps.weights.rowwise())
        weights.push_back(std::vector<double>(row.begin(), row.end()));
    return {{"limits", limits},
            {"columns", gaps.weights.rows() > 0 ? columnsJson(gaps.columns) : OrderedJson::array()},
            {"weights", weights}};
}

OrderedJson responseJson(const model::Fit& fit, const optimize::Desirability& desirability,
                         Matrices& matrices)
{
    OrderedJson json{{"name", fit.response},
                     {"unit", fit.unit},
                     {"observed", {fit.smallestObserved, fit.largestObserved}},
                     {"transform", transformJson(fit.transform)},
                     {"largest", model::largestPrediction(fit)},
                     {"bounds", boundsJson(fit.bounds)},
                     {"columns", columnsJson(fit.columns)},
                     {"beta", std::vector<double>(fit.beta.begin(), fit.beta.end())},
                     {"matrix", matrices.indexOf(fit.unscaledCovariance)},
                     {"leverageLimit", model::leverageLimit(fit)},
                     {"seen", seenJson(fit)},
                     {"estimable", estimableJson(fit)},
                     {"desirability", goalJson(desirability)}};
    if (fit.dfResidual > 0)
        json["error"] = errorJson(fit, matrices);
    return json;
}

/// Values in the order of the factors; of a categorical factor the index of the level.
OrderedJson startJson(const study::Coding& coding, const study::Settings& start)
{
    const study::CodedPoint point = coding.toCoded(start);
    OrderedJson json = OrderedJson::array();
    for (std::size_t i = 0; i < coding.factors().size(); ++i) {
        const study::Factor& factor = coding.factors()[i];
        json.push_back(factor.isNumeric() ? study::numberOf(start.at(factor.name))
                                          : point[static_cast<Eigen::Index>(i)]);
    }
    return json;
}

std::string withoutTags(const std::string& json)
{
    std::string text;
    for (const char c : json)
        text += c == '<' ? std::string("\\u003c") : std::string(1, c);
    return text;
}

} // namespace

std::string profilerModel(const study::Study& study, const std::vector<model::Fit>& fits,
                          const study::Settings& start)
{
    const optimize::Goals goals = optimize::goalsOf(study, fits);
    if (goals.count() == 0)
        return {};
    const study::LegalSpace space(study, {.mostListed = kMostLegal, .hasWholeNodes = true});
    OrderedJson json{{"start", startJson(space.coding(), start)}};
    for (std::size_t i = 0; i < study.factors.size(); ++i)
        json["factors"].push_back(factorJson(space.coding(), space.axes()[i], i));
    json["constraints"] = OrderedJson::array();
    for (const std::string& text : study.constraints)
        json["constraints"].push_back({{"text", text}, {"tree", constraintTree(study, text)}});
    Matrices matrices;
    for (std::size_t i = 0; i < goals.count(); ++i)
        json["responses"].push_back(responseJson(*goals.fits[i], goals.desirabilities[i], matrices));
    json["matrices"] = matrices.json();
    return withoutTags(json.dump(-1, ' ', true, OrderedJson::error_handler_t::replace));
}

} // namespace quadric::exchange
