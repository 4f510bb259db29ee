// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/design_space.h"

#include "core/design/random_draw.h"
#include "core/study/constraint_program.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>

namespace quadric::design {

namespace {

/// Draws for each point that is wanted, at most: a region smaller than this share of the cube gets fewer
/// points.
constexpr int kMostDraws = 5;

/// Tables of legal values up to this size; larger grids are rounded one by one.
constexpr std::size_t kMostValues = 4096;

/// Draws a legal value of one factor: uniform on the coded scale, then the nearest value that can be run.
class FactorDraw {
public:
    FactorDraw(const study::Coding& coding, std::size_t factor)
        : m_coding(coding)
        , m_factor(factor)
    {
        const study::Factor& f = coding.factors()[factor];
        if (!f.isNumeric())
            return;
        m_actual = study::legalValues(f, f.low, f.high, kMostValues);
        for (const double value : m_actual)
            m_coded.push_back(coding.toCoded(factor, value));
    }

    struct Value {
        double coded, actual;
    };

    Value at(double unit) const
    {
        const study::Factor& factor = m_coding.factors()[m_factor];
        if (!factor.isNumeric()) {
            const double level = std::floor(unit * static_cast<double>(factor.categories.size()));
            return {level, level};
        }
        const double coded = 2.0 * unit - 1.0;
        if (m_coded.empty()) {
            const double actual = study::snapToLegal(factor, m_coding.toActual(m_factor, coded));
            return {m_coding.toCoded(m_factor, actual), actual};
        }
        const auto above = static_cast<std::size_t>(std::lower_bound(m_coded.begin(), m_coded.end(), coded) -
                                                    m_coded.begin());
        const bool isLast = above == m_coded.size();
        const bool takesBelow = above > 0 && (isLast || coded - m_coded[above - 1] <= m_coded[above] - coded);
        const std::size_t i = takesBelow ? above - 1 : above;
        return {m_coded[i], m_actual[i]};
    }

private:
    const study::Coding& m_coding;
    std::size_t m_factor;
    std::vector<double> m_coded, m_actual;
};

Eigen::MatrixXd cubePoints(const std::vector<study::Factor>& factors, int count, RandomBits& generator)
{
    Eigen::MatrixXd points(count, static_cast<Eigen::Index>(factors.size()));
    for (std::size_t i = 0; i < factors.size(); ++i) {
        auto column = points.col(static_cast<Eigen::Index>(i));
        for (double& value : column)
            value = drawUnit(generator);
        if (factors[i].isNumeric())
            column = 2.0 * column.array() - 1.0;
        else
            column = (column.array() * static_cast<double>(factors[i].categories.size())).floor();
    }
    return points;
}

void drawLegal(const study::Study& study, int count, RandomBits& generator, DesignSpace& space)
{
    const study::ConstraintProgram constraints(study);
    const study::Coding coding(study.factors);
    std::vector<FactorDraw> draws;
    for (std::size_t i = 0; i < study.factors.size(); ++i)
        draws.emplace_back(coding, i);
    std::vector<study::Range> settings(draws.size());
    Eigen::VectorXd point(coding.size());
    space.points.resize(count, coding.size());
    int found = 0;
    double drawn = 0.0;
    for (; found < count && drawn < static_cast<double>(kMostDraws) * count; ++drawn) {
        for (std::size_t i = 0; i < draws.size(); ++i) {
            const FactorDraw::Value value = draws[i].at(drawUnit(generator));
            settings[i] = {value.actual, value.actual};
            point[static_cast<Eigen::Index>(i)] = value.coded;
        }
        if (constraints.judge(settings) == study::Verdict::Yes)
            space.points.row(found++) = point;
    }
    space.points.conservativeResize(found, Eigen::NoChange);
    space.share = drawn > 0.0 ? found / drawn : 0.0;
}

} // namespace

DesignSpace designSpaceOf(const study::Study& study, int points, std::uint64_t seed)
{
    RandomBits generator(seed);
    DesignSpace space;
    space.isConstrained = !study.constraints.empty();
    if (!space.isConstrained) {
        space.points = cubePoints(study.factors, points, generator);
        space.sentence = "Predictions anywhere between low and high of every factor";
        return space;
    }
    try {
        drawLegal(study, points, generator, space);
    } catch (const std::invalid_argument& error) {
        throw DesignError(std::string("constraints: ") + error.what());
    }
    space.sentence = space.points.rows() > 0
                         ? "Predictions for legal settings only: the constraints leave " +
                               text::formatDigits(100.0 * space.share, 3) +
                               " % of the region between low and high"
                         : "No legal setting was found between low and high: the constraints exclude them";
    return space;
}

} // namespace quadric::design
