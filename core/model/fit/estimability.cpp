// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/estimability.h"

#include "core/algebra/factorizations.h"
#include "core/model/base/least_squares.h"
#include "core/model/fit/block_variance.h"
#include "core/model/fit/regression.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace quadric::model {

namespace {

/// Coded settings and weights of columns nearer to each other than this are the same.
constexpr double kSame = 1e-9;
/// A column differs from what others say of it by more than this part of its size.
constexpr double kDiffers = 1e-6;
constexpr int kDigits = 4; ///< of a setting in words
/// Factors that were run at so many levels bend by a square that nobody saw.
constexpr std::size_t kStraight = 2;

std::vector<double> levelsOf(const Observations& data, std::size_t factor)
{
    std::vector<double> levels;
    for (const study::CodedPoint& point : data.points) {
        const double value = point[static_cast<Eigen::Index>(factor)];
        const auto isSame = [&](double level) { return std::abs(level - value) <= kSame; };
        if (std::ranges::none_of(levels, isSame))
            levels.push_back(value);
        if (levels.size() > kStraight)
            break;
    }
    std::ranges::sort(levels);
    return levels;
}

bool isParallel(const Eigen::VectorXd& a, const Eigen::VectorXd& b)
{
    const double product = a.dot(b);
    return product * product >= (1 - kSame) * a.squaredNorm() * b.squaredNorm();
}

Term lineOf(std::size_t factor, std::size_t factors)
{
    Term line{std::vector<int>(factors, 0)};
    line.powers[factor] = 1;
    return line;
}

/// Sum-to-zero contrasts of a block.
Eigen::VectorXd contrastsOf(std::size_t block, std::size_t blocks)
{
    Eigen::VectorXd row = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(blocks) - 1);
    if (block + 1 == blocks)
        row.setConstant(-1.0);
    else
        row[static_cast<Eigen::Index>(block)] = 1.0;
    return row;
}

} // namespace

Estimability::Estimability(const Observations& data, const std::vector<study::Factor>& factors,
                           const std::vector<Term>& terms, bool isChosen, bool hasAliases)
    : m_factors(factors)
    , m_limits(factors.size())
    , m_levels(factors.size())
    , m_seen(seenLevels(data, factors))
    , m_isAsked(factors.size())
    , m_blocks(blocksOf(data))
{
    findLimits(data, terms, isChosen);
    std::vector<Term> asked = terms;
    for (std::size_t i = 0; isChosen && i < factors.size(); ++i) {
        const Term line = lineOf(i, factors.size());
        if (std::ranges::find(asked, line) == asked.end())
            asked.push_back(line);
    }
    if (asked.size() == terms.size() && !hasAliases)
        return;
    std::erase_if(asked, [&](const Term& term) {
        return std::ranges::any_of(factorsIn(term), [&](std::size_t i) {
            return m_levels[i].size() == 1 || (m_levels[i].size() == kStraight && term.powers[i] > 1);
        });
    });
    findAliases(data, columnsOf(asked, factors));
}

void Estimability::findLimits(const Observations& data, const std::vector<Term>& terms, bool isChosen)
{
    for (std::size_t i = 0; i < m_factors.size(); ++i) {
        const auto hasPower = [&](int least) {
            return isChosen ||
                   std::ranges::any_of(terms, [&](const Term& term) { return term.powers[i] >= least; });
        };
        m_isAsked[i] = hasPower(1);
        if (!m_factors[i].isNumeric() || !m_isAsked[i])
            continue;
        std::vector<double> levels = levelsOf(data, i);
        if (levels.size() > kStraight)
            continue;
        if (levels.size() == 1 || (hasPower(2) && canBend(m_factors[i])))
            m_limits[i] = {levels.front(), levels.back()};
        m_levels[i] = std::move(levels);
    }
}

void Estimability::findAliases(const Observations& data, const std::vector<Column>& columns)
{
    Observations plain = data;
    plain.blockRatio.reset();
    const Eigen::MatrixXd x = designMatrix(plain, m_blocks, columns, m_factors);
    const OrthogonalBasis basis = orthogonalBasis(x, kAliasTolerance);
    if (basis.aliased.empty())
        return;
    const Eigen::Index blocks = x.cols() - std::ssize(columns);
    const auto columnAt = [&](Eigen::Index position) -> const Column& {
        return columns[static_cast<std::size_t>(position == 0 ? 0 : position - blocks)];
    };
    const Eigen::MatrixXd kept = x(Eigen::all, basis.kept);
    std::vector<Eigen::Index> ofTerms, ofBlocks;
    for (Eigen::Index j = 0; j < std::ssize(basis.kept); ++j) {
        const Eigen::Index position = basis.kept[static_cast<std::size_t>(j)];
        const bool isBlock = position > 0 && position <= blocks;
        (isBlock ? ofBlocks : ofTerms).push_back(j);
        if (!isBlock)
            m_columns.push_back(columnAt(position));
    }
    for (const Eigen::Index position : basis.aliased) {
        if (position <= blocks)
            continue;
        const Eigen::VectorXd values = x.col(position);
        const Eigen::VectorXd weights = algebra::leastSquares(kept, values);
        const Column& column = columnAt(position);
        const auto isOther = [&](Eigen::Index j) {
            const Column& other = columnAt(basis.kept[static_cast<std::size_t>(j)]);
            return factorsIn(other.term) != factorsIn(column.term) && isParallel(kept.col(j), values);
        };
        const bool isOfBlocks = weights(ofTerms).cwiseAbs().maxCoeff() <= kDiffers &&
                                std::ranges::none_of(factorsIn(column.term), [&](std::size_t i) {
                                    return isSameWithinBlocks(data, i);
                                });
        const bool isStructure = isOfBlocks || std::ranges::any_of(ofTerms, isOther);
        if (column.term.degree() > 1 && isStructure)
            continue;
        m_aliases.push_back({column, weights(ofTerms), weights(ofBlocks)});
    }
}

double Estimability::missing(const Alias& alias, const study::CodedPoint& point) const
{
    return valueAt(alias.column, point, m_factors) - alias.ofTerms.dot(rowAt(m_columns, point, m_factors));
}

bool Estimability::isMissing(const Alias& alias, const study::CodedPoint& point) const
{
    const double size = std::abs(valueAt(alias.column, point, m_factors)) +
                        alias.ofTerms.cwiseAbs().dot(rowAt(m_columns, point, m_factors).cwiseAbs());
    return std::abs(missing(alias, point)) > kDiffers * std::max(size, 1.0);
}

bool Estimability::isWithinLimits(const study::CodedPoint& point, std::size_t factor) const
{
    const double value = point[static_cast<Eigen::Index>(factor)];
    if (m_factors[factor].isNumeric())
        return !m_limits[factor] ||
               (value >= m_limits[factor]->first - kDiffers && value <= m_limits[factor]->second + kDiffers);
    return !m_isAsked[factor] || isSeen(m_seen[factor], value);
}

bool Estimability::isEstimable(const study::CodedPoint& point) const
{
    for (std::size_t i = 0; i < m_factors.size(); ++i)
        if (!isWithinLimits(point, i))
            return false;
    return std::ranges::none_of(m_aliases, [&](const Alias& alias) { return isMissing(alias, point); });
}

bool Estimability::isDifferenceEstimable(const study::CodedPoint& a, const study::CodedPoint& b) const
{
    for (std::size_t i = 0; i < m_factors.size(); ++i) {
        const auto axis = static_cast<Eigen::Index>(i);
        if (a[axis] != b[axis] && !(isWithinLimits(a, i) && isWithinLimits(b, i)))
            return false;
    }
    return std::ranges::all_of(m_aliases, [&](const Alias& alias) {
        return std::abs(missing(alias, a) - missing(alias, b)) <= kDiffers;
    });
}

std::vector<std::size_t> Estimability::aliasedFactors() const
{
    std::set<std::size_t> factors;
    const auto add = [&factors](const Term& term) {
        for (const std::size_t i : factorsIn(term))
            factors.insert(i);
    };
    for (const Alias& alias : m_aliases) {
        add(alias.column.term);
        for (std::size_t j = 0; j < m_columns.size(); ++j)
            if (std::abs(alias.ofTerms[static_cast<Eigen::Index>(j)]) > kDiffers)
                add(m_columns[j].term);
    }
    return {factors.begin(), factors.end()};
}

std::string Estimability::namePartners(const Alias& alias) const
{
    std::vector<std::string> names;
    if (alias.ofBlocks.size() > 0 && alias.ofBlocks.cwiseAbs().maxCoeff() > kDiffers)
        names.emplace_back("blocks");
    for (std::size_t j = 0; j < m_columns.size(); ++j) {
        const bool isUsed = std::abs(alias.ofTerms[static_cast<Eigen::Index>(j)]) > kDiffers;
        if (isUsed && !m_columns[j].term.isIntercept())
            names.push_back(text::formatTerm(m_columns[j].name, text::Typography::Typeset));
    }
    return names.empty() ? "the mean" : text::formatList(names);
}

std::string Estimability::nameSetting(const std::vector<std::size_t>& factors,
                                      const study::CodedPoint& point) const
{
    const study::Coding coding(m_factors);
    std::vector<std::string> names;
    for (const std::size_t i : factors) {
        const double coded = point[static_cast<Eigen::Index>(i)];
        names.push_back(m_factors[i].name + " = " +
                        (m_factors[i].isNumeric()
                             ? text::formatBriefly(coding.toActual(i, coded), kDigits)
                             : m_factors[i].categories.at(static_cast<std::size_t>(std::lround(coded)))));
    }
    return text::formatList(names);
}

/// A run in a block tells the setting in the average block where what it adds to what is known is in
/// proportion to what is missing there. Empty where there is no such block.
std::string Estimability::nameTellingBlock(const std::vector<const Alias*>& broken,
                                           const study::CodedPoint& point) const
{
    const auto count = static_cast<Eigen::Index>(broken.size());
    Eigen::VectorXd missed(count);
    for (Eigen::Index j = 0; j < count; ++j)
        missed[j] = missing(*broken[static_cast<std::size_t>(j)], point);
    for (std::size_t block = 0; block < m_blocks.size(); ++block) {
        Eigen::VectorXd told = missed;
        for (Eigen::Index j = 0; j < count; ++j)
            told[j] -= broken[static_cast<std::size_t>(j)]->ofBlocks.dot(contrastsOf(block, m_blocks.size()));
        if (told.norm() > kDiffers && isParallel(told, missed))
            return std::to_string(m_blocks[block]);
    }
    return {};
}

std::string Estimability::describe(const study::CodedPoint& point) const
{
    for (std::size_t i = 0; i < m_factors.size(); ++i) {
        if (isWithinLimits(point, i))
            continue;
        const std::string setting = nameSetting({i}, point);
        if (!m_factors[i].isNumeric())
            return "No run has " + setting + ": one would tell.";
        study::CodedPoint low = point, high = point;
        low[static_cast<Eigen::Index>(i)] = m_limits[i]->first;
        high[static_cast<Eigen::Index>(i)] = m_limits[i]->second;
        return "All runs have " + nameSetting({i}, low) +
               (m_levels[i].size() > 1 ? " or " + nameSetting({i}, high) : "") + ": a run at " + setting +
               " would tell.";
    }
    std::vector<const Alias*> broken;
    std::set<std::size_t> factors;
    for (const Alias& alias : m_aliases) {
        if (!isMissing(alias, point))
            continue;
        broken.push_back(&alias);
        for (const std::size_t i : factorsIn(alias.column.term))
            factors.insert(i);
    }
    if (broken.empty())
        return {};
    const std::vector<std::size_t> involved(factors.begin(), factors.end());
    const std::string claim = text::formatTerm(broken.front()->column.name, text::Typography::Typeset) +
                              " cannot be told apart from " + namePartners(*broken.front());
    if (m_blocks.empty())
        return claim + ": a run at " + nameSetting(involved, point) + " would tell.";
    const std::string block = nameTellingBlock(broken, point);
    if (block.empty())
        return claim + ": runs at different settings within a block would tell.";
    return claim + ": a run at " + nameSetting(involved, point) + " in block " + block + " would tell.";
}

} // namespace quadric::model
