// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/information.h"

#include "core/algebra/factorizations.h"
#include "core/algebra/products.h"
#include "core/model/base/model_size.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace quadric::design {

namespace {

/// Points that are looked at together, so that their columns stay in the cache.
constexpr Eigen::Index kChunk = 256;

/// Entries of a covariance below this share of the geometric mean of their variances are rounding.
constexpr double kNoCovariance = 1e-13;

/// Up to this share of entries that are not zero it is quicker to visit them one by one.
constexpr double kSparse = 0.3;

/// A column whose part outside the span of the columns before it is smaller than this, relative to its
/// length, is aliased with them.
constexpr double kAliasTolerance = 1e-8;

/// Those that a model is fitted to: confirmation runs judge it.
std::vector<const study::Run*> countingRuns(const study::Study& study)
{
    std::vector<const study::Run*> runs;
    for (const study::Run& run : study.runs) {
        const bool isLeftOut =
            run.status == study::RunStatus::Failed || run.status == study::RunStatus::Excluded;
        if (!isLeftOut && run.kind != study::RunKind::Confirmation)
            runs.push_back(&run);
    }
    return runs;
}

std::vector<int> blocksOf(const std::vector<const study::Run*>& runs)
{
    std::set<int> blocks;
    for (const study::Run* run : runs)
        blocks.insert(run->block);
    return {blocks.begin(), blocks.end()};
}

double countBlockColumns(const std::vector<const study::Run*>& runs)
{
    return std::max(static_cast<double>(blocksOf(runs).size()) - 1.0, 0.0);
}

Eigen::MatrixXd blockColumns(const std::vector<const study::Run*>& runs)
{
    const std::vector<int> names = blocksOf(runs);
    Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(runs.size()),
                                                    static_cast<Eigen::Index>(names.size()) - 1);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        if (runs[i]->block == names.back())
            columns.row(row).setConstant(-1.0);
        else
            columns(row, std::ranges::lower_bound(names, runs[i]->block) - names.begin()) = 1.0;
    }
    return columns;
}

/// Indices of the columns of `x` that are independent of `before` and of the columns of `x` before them.
std::vector<Eigen::Index> independentColumns(const Eigen::MatrixXd& before, const Eigen::MatrixXd& x)
{
    Eigen::MatrixXd basis(x.rows(), before.cols() + x.cols());
    Eigen::Index found = 0;
    const auto add = [&](Eigen::VectorXd column) {
        const double length = column.norm();
        for (int pass = 0; pass < 2; ++pass) // the second pass removes what rounding left
            column -= basis.leftCols(found) * (basis.leftCols(found).transpose() * column);
        if (!(column.norm() > kAliasTolerance * length))
            return false;
        basis.col(found++) = column.normalized();
        return true;
    };
    for (Eigen::Index i = 0; i < before.cols(); ++i)
        add(before.col(i));
    std::vector<Eigen::Index> independent;
    for (Eigen::Index i = 0; i < x.cols(); ++i) {
        if (add(x.col(i)))
            independent.push_back(i);
    }
    return independent;
}

void keepIndependent(Information& information)
{
    const std::vector<Eigen::Index> independent = independentColumns(information.blocks, information.x);
    std::vector<model::Column> kept;
    for (Eigen::Index i = 0; i < information.x.cols(); ++i) {
        const model::Column& column = information.columns[static_cast<std::size_t>(i)];
        if (std::binary_search(independent.begin(), independent.end(), i))
            kept.push_back(column);
        else
            information.leftOut.push_back(column);
    }
    information.columns = std::move(kept);
    information.x = Eigen::MatrixXd(information.x(Eigen::all, independent));
}

/// Covariance of the coefficients and leverages from the QR factor of blocks and model.
void solve(Information& information)
{
    Eigen::MatrixXd all(information.n(), information.blocks.cols() + information.p());
    all << information.blocks, information.x;
    const Eigen::MatrixXd inverse = algebra::HouseholderQr(all).inverseUpper();
    information.covariance =
        algebra::timesTransposed(inverse, inverse).bottomRightCorner(information.p(), information.p());
    information.leverage = algebra::times(all, inverse).rowwise().squaredNorm();
}

std::vector<study::CodedPoint> codedRuns(const Information& information)
{
    const study::Coding coding(information.factors);
    std::vector<study::CodedPoint> points;
    for (const study::Run* run : information.runs)
        points.push_back(coding.toCoded(run->settings));
    return points;
}

/// Average over one factor of the product of its parts in two columns.
double factorMoment(const study::Factor& factor, std::size_t i, const model::Column& a,
                    const model::Column& b)
{
    if (factor.isNumeric()) {
        const int power = a.term.powers[i] + b.term.powers[i];
        return power % 2 == 1 ? 0.0 : 1.0 / (power + 1.0);
    }
    const int last = static_cast<int>(factor.categories.size()) - 1;
    const auto part = [&](const model::Column& column, int level) {
        const int contrast = column.contrast[i];
        return contrast < 0 || level == contrast ? 1.0 : level == last ? -1.0 : 0.0;
    };
    double sum = 0.0;
    for (int level = 0; level <= last; ++level)
        sum += part(a, level) * part(b, level);
    return sum / (last + 1.0);
}

} // namespace

ColumnTable::ColumnTable(const std::vector<model::Column>& columns, const std::vector<study::Factor>& factors)
{
    for (const model::Column& column : columns) {
        std::vector<Part> parts;
        for (std::size_t i = 0; i < factors.size(); ++i) {
            if (column.term.powers[i] > 0)
                parts.push_back({static_cast<Eigen::Index>(i), column.term.powers[i], column.contrast[i],
                                 static_cast<int>(factors[i].categories.size()) - 1});
        }
        m_products.push_back(std::move(parts));
    }
}

void ColumnTable::multiply(const Part& part, const Eigen::Ref<const Eigen::MatrixXd>& points,
                           Eigen::Ref<Eigen::ArrayXd> column) const
{
    const auto values = points.col(part.factor).array();
    if (part.contrast < 0) {
        for (int power = 0; power < part.power; ++power)
            column *= values;
        return;
    }
    for (Eigen::Index i = 0; i < column.size(); ++i) {
        const int level = static_cast<int>(std::lround(values[i]));
        column[i] *= level == part.contrast ? 1.0 : level == part.lastLevel ? -1.0 : 0.0;
    }
}

Eigen::MatrixXd ColumnTable::at(const Eigen::Ref<const Eigen::MatrixXd>& points) const
{
    Eigen::MatrixXd table = Eigen::MatrixXd::Ones(points.rows(), columns());
    for (Eigen::Index j = 0; j < columns(); ++j)
        for (const Part& part : m_products[static_cast<std::size_t>(j)])
            multiply(part, points, table.col(j).array());
    return table;
}

PredictionVariance::PredictionVariance(const std::vector<model::Column>& columns,
                                       const std::vector<study::Factor>& factors,
                                       const Eigen::MatrixXd& covariance)
    : m_table(columns, factors)
    , m_covariance(covariance)
{
    for (Eigen::Index j = 0; j < covariance.cols(); ++j)
        for (Eigen::Index i = 0; i <= j; ++i) {
            const double size = std::sqrt(covariance(i, i) * covariance(j, j));
            if (std::abs(covariance(i, j)) > kNoCovariance * size)
                m_entries.push_back({i, j, (i == j ? 1.0 : 2.0) * covariance(i, j)});
        }
    const auto all = static_cast<double>(covariance.size()) / 2.0;
    if (static_cast<double>(m_entries.size()) > kSparse * all)
        m_entries.clear();
}

Eigen::ArrayXd PredictionVariance::sparse(const Eigen::MatrixXd& rows) const
{
    Eigen::ArrayXd variance = Eigen::ArrayXd::Zero(rows.rows());
    for (const Entry& entry : m_entries)
        variance += entry.weight * rows.col(entry.row).array() * rows.col(entry.column).array();
    return variance;
}

Eigen::ArrayXd PredictionVariance::dense(const Eigen::MatrixXd& rows) const
{
    const Eigen::MatrixXd weighted = algebra::times(rows, m_covariance);
    return (weighted.array() * rows.array()).rowwise().sum();
}

Eigen::VectorXd PredictionVariance::at(const Eigen::Ref<const Eigen::MatrixXd>& points) const
{
    Eigen::VectorXd variance(points.rows());
    for (Eigen::Index begin = 0; begin < points.rows(); begin += kChunk) {
        const Eigen::Index count = std::min(kChunk, points.rows() - begin);
        const Eigen::MatrixXd rows = m_table.at(points.middleRows(begin, count));
        variance.segment(begin, count) = m_entries.empty() ? dense(rows) : sparse(rows);
    }
    return variance;
}

model::Order largestFittableOrder(const study::Study& study)
{
    const std::vector<const study::Run*> runs = countingRuns(study);
    return model::largestOrder(study.factors, countBlockColumns(runs), static_cast<double>(runs.size()));
}

Information computeInformation(const study::Study& study, std::string_view model)
{
    Information information;
    information.factors = study.factors;
    information.runs = countingRuns(study);
    if (information.runs.empty())
        throw DesignError("the study has no runs to evaluate");
    try {
        information.points = codedRuns(information);
        const std::vector<model::Term> terms = model::parseModel(model, study.factors);
        model::requireSize(model, model::countColumns(terms, study.factors),
                           countBlockColumns(information.runs), static_cast<double>(information.runs.size()));
        information.columns = model::columnsOf(terms, study.factors);
    } catch (const std::invalid_argument& error) {
        throw DesignError(error.what());
    }
    information.x = model::modelMatrix(information.columns, information.points, study.factors);
    information.blocks = blockColumns(information.runs);
    keepIndependent(information);
    if (information.p() < 2)
        throw DesignError("these runs estimate no term of the model '" + std::string(model) +
                          "' but the mean; runs with different settings are needed");
    solve(information);
    return information;
}

int pureErrorDf(const Information& information)
{
    std::set<std::string> seen;
    for (const study::Run* run : information.runs) {
        std::string key = std::to_string(run->block);
        for (const study::Factor& factor : information.factors)
            key += '\n' + study::toText(run->settings.at(factor.name));
        seen.insert(key);
    }
    return static_cast<int>(information.runs.size() - seen.size());
}

Eigen::MatrixXd momentMatrix(const std::vector<model::Column>& columns,
                             const std::vector<study::Factor>& factors)
{
    const auto size = static_cast<Eigen::Index>(columns.size());
    Eigen::MatrixXd moments = Eigen::MatrixXd::Ones(size, size);
    for (Eigen::Index a = 0; a < size; ++a)
        for (Eigen::Index b = 0; b < size; ++b)
            for (std::size_t i = 0; i < factors.size() && moments(a, b) != 0.0; ++i)
                moments(a, b) *= factorMoment(factors[i], i, columns[static_cast<std::size_t>(a)],
                                              columns[static_cast<std::size_t>(b)]);
    return moments;
}

std::string largestModel(const study::Study& study)
{
    if (!study.design.model.empty() && study.design.type.ends_with("-optimal"))
        return study.design.model;
    const model::Order largest = largestFittableOrder(study);
    std::string saturated;
    for (const model::Order order :
         {model::Order::Quadratic, model::Order::Interactions, model::Order::Linear}) {
        if (order > largest)
            continue;
        const Information information = computeInformation(study, model::nameOf(order));
        if (!information.leftOut.empty())
            continue;
        if (information.dfResidual() > 0)
            return std::string(model::nameOf(order));
        if (saturated.empty())
            saturated = model::nameOf(order);
    }
    return saturated.empty() ? "linear" : saturated;
}

} // namespace quadric::design
