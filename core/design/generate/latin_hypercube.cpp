// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/latin_hypercube.h"

#include "core/design/generate/design_catalog.h"
#include "core/model/base/distributions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quadric::design {

namespace {

constexpr int kRunsPerFactor = 10;
constexpr int kLeastRuns = 3;
constexpr int kMostRuns = 1000;

/// Large enough that the smallest distance decides; even, so that it works on squared distances.
constexpr int kPower = 20;

Eigen::MatrixXi randomHypercube(int runs, int columns, model::RandomBits& engine)
{
    Eigen::MatrixXi rows(runs, columns);
    std::vector<int> column(static_cast<std::size_t>(runs));
    for (int i = 0; i < columns; ++i) {
        std::iota(column.begin(), column.end(), 0);
        model::shuffle(column, engine);
        rows.col(i) = Eigen::Map<const Eigen::VectorXi>(column.data(), runs);
    }
    return rows;
}

/// A hypercube with the squared distances of its rows.
class Hypercube {
public:
    explicit Hypercube(Eigen::MatrixXi rows)
        : m_rows(std::move(rows))
        , m_squared(m_rows.rows(), m_rows.rows())
        , m_scale(static_cast<double>(m_rows.cols()) * std::pow(static_cast<double>(m_rows.rows()), 2.0) /
                  6.0)
    {
        const Eigen::MatrixXd values = m_rows.cast<double>();
        for (Eigen::Index a = 0; a < values.rows(); ++a)
            m_squared.col(a) = (values.rowwise() - values.row(a)).rowwise().squaredNorm();
    }

    const Eigen::MatrixXi& rows() const { return m_rows; }
    double smallestSquared() const
    {
        return (m_squared.matrix() + 6.0 * m_scale * Eigen::MatrixXd::Identity(m_rows.rows(), m_rows.rows()))
            .minCoeff();
    }

    /// Exchanges the entries of two rows in one column if φ_p does not grow by it.
    void tryExchange(Eigen::Index column, Eigen::Index a, Eigen::Index b)
    {
        const Eigen::ArrayXd values = m_rows.col(column).cast<double>();
        const Eigen::ArrayXd change = (values - values[b]).square() - (values - values[a]).square();
        Eigen::ArrayXd toA = m_squared.col(a) + change;
        Eigen::ArrayXd toB = m_squared.col(b) - change;
        // The exchange leaves the distance of the two rows themselves.
        toA[a] = toB[b] = 0.0;
        toA[b] = toB[a] = m_squared(a, b);
        if (closeness(toA, a, b) + closeness(toB, a, b) >
            closeness(m_squared.col(a), a, b) + closeness(m_squared.col(b), a, b))
            return;
        std::swap(m_rows(a, column), m_rows(b, column));
        m_squared.col(a) = toA;
        m_squared.row(a) = toA.transpose();
        m_squared.col(b) = toB;
        m_squared.row(b) = toB.transpose();
    }

private:
    /// What a row's distances to all others but a and b add to φ_p: powers −p/2 of the squares over a typical
    /// one, which keeps the sums near 1.
    double closeness(const Eigen::Ref<const Eigen::ArrayXd>& squared, Eigen::Index a, Eigen::Index b) const
    {
        static_assert(kPower == 20);
        m_ratio = m_scale / squared;
        m_ratio[a] = m_ratio[b] = 0.0;
        m_ratio = m_ratio.square();                         // to the 2
        return (m_ratio.square().square() * m_ratio).sum(); // to the 10
    }

    Eigen::MatrixXi m_rows;
    Eigen::ArrayXXd m_squared;
    double m_scale;
    mutable Eigen::ArrayXd m_ratio; ///< room for closeness()
};

/// Exchanges that are tried from one start, and starts: few for large hypercubes, so that each is a matter of
/// milliseconds.
int exchangesFor(const Eigen::MatrixXi& rows)
{
    constexpr Eigen::Index kPerEntry = 40;
    constexpr Eigen::Index kBudget = 800'000;
    return static_cast<int>(std::min(kPerEntry * rows.size(), kBudget / rows.rows()));
}

int startsFor(int exchanges)
{
    constexpr int kBudget = 60'000;
    constexpr int kLeast = 4;
    constexpr int kMost = 100;
    return std::clamp(kBudget / exchanges, kLeast, kMost);
}

void improve(Hypercube& hypercube, model::RandomBits& engine, const std::stop_token& stop)
{
    const auto runs = static_cast<std::size_t>(hypercube.rows().rows());
    const auto columns = static_cast<std::size_t>(hypercube.rows().cols());
    for (int i = exchangesFor(hypercube.rows()); i > 0; --i) {
        if (stop.stop_requested())
            throw Stopped();
        const auto column = static_cast<Eigen::Index>(model::drawBelow(engine, columns));
        const auto a = static_cast<Eigen::Index>(model::drawBelow(engine, runs));
        const auto b = static_cast<Eigen::Index>(model::drawBelow(engine, runs));
        if (a != b)
            hypercube.tryExchange(column, a, b);
    }
}

/// Level `rank` of `runs` evenly spaced ones, as a coded value of the factor.
double codedLevel(const study::Coding& coding, std::size_t place, int rank, int runs)
{
    const study::Factor& factor = coding.factors()[place];
    const auto levelOf = [rank, runs](std::size_t levels) {
        return static_cast<std::size_t>(rank) * levels / static_cast<std::size_t>(runs);
    };
    if (!factor.isNumeric())
        return static_cast<double>(levelOf(factor.categories.size()));
    if (factor.type == study::FactorType::Discrete) {
        const std::vector<double> levels = study::legalValues(factor, factor.low, factor.high);
        return coding.toCoded(place, levels[levelOf(levels.size())]);
    }
    const double coded = -1.0 + 2.0 * rank / (runs - 1.0);
    return coding.toCoded(place, study::snapToLegal(factor, coding.toActual(place, coded)));
}

int runsFor(const study::Study& study)
{
    const study::DesignSpec& spec = study.design;
    const int runs = spec.runs > 0 ? spec.runs : kRunsPerFactor * static_cast<int>(study.factors.size());
    if (runs < kLeastRuns || runs > kMostRuns)
        throw DesignError("a Latin hypercube has " + std::to_string(kLeastRuns) + " to " +
                          std::to_string(kMostRuns) + " runs, not " + std::to_string(runs));
    if (spec.blocks > 1)
        throw DesignError("A Latin hypercube has no orthogonal blocks; ask for as many replicates as blocks");
    return runs;
}

/// Ten runs a factor or `runs`: numeric factors evenly from low to high, at the nearest values that can be
/// run; discrete and categorical ones at each of their levels equally often.
std::vector<DesignPoint> latinHypercubeOf(const study::Study& study, const std::stop_token& stop,
                                          const Progress& progress)
{
    const int runs = runsFor(study);
    const study::Coding coding(study.factors);
    const Eigen::MatrixXi ranks = maximinLatinHypercube(runs, static_cast<int>(study.factors.size()),
                                                        study.design.seed, stop, progress);
    std::vector<DesignPoint> points;
    for (Eigen::Index row = 0; row < ranks.rows(); ++row) {
        study::CodedPoint point{Eigen::VectorXd(ranks.cols())};
        for (Eigen::Index i = 0; i < ranks.cols(); ++i)
            point[i] = codedLevel(coding, static_cast<std::size_t>(i), ranks(row, i), runs);
        points.push_back({std::move(point), study::RunKind::Design, 1});
    }
    return points;
}

} // namespace

double smallestDistance(const Eigen::MatrixXi& rows)
{
    return std::sqrt(Hypercube(rows).smallestSquared());
}

Eigen::MatrixXi maximinLatinHypercube(int runs, int columns, std::uint64_t seed, const std::stop_token& stop,
                                      const Progress& progress)
{
    model::RandomBits engine(seed);
    std::optional<Hypercube> best;
    const int starts = startsFor(exchangesFor(Eigen::MatrixXi(runs, columns)));
    for (int start = 0; start < starts; ++start) {
        Hypercube hypercube(randomHypercube(runs, columns, engine));
        improve(hypercube, engine, stop);
        if (!best || hypercube.smallestSquared() > best->smallestSquared())
            best = std::move(hypercube);
        if (progress.done)
            progress.done((start + 1.0) / starts);
    }
    return best->rows();
}

DesignType latinHypercubeType()
{
    return {.name = "latin-hypercube",
            .title = "Latin hypercube",
            .purpose = "Fills the region evenly.",
            .points = latinHypercubeOf,
            .count = runsFor,
            .isQuick = true,
            .keys = {"runs"},
            .isOrthogonal = false,
            .importTitle = "Latin hypercube"};
}

} // namespace quadric::design
