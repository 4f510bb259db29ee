// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/householder_qr.h"
#include "core/algebra/symmetric_eigen.h"
#include "core/design/base/design_space.h"
#include "core/design/optimal/optimal_search.h"
#include "core/model/base/model_size.h"

#include <algorithm>
#include <cmath>

namespace quadric::design {

namespace {

std::vector<model::Column> columnsFor(const study::Study& study, const OptimalRequest& request)
{
    try {
        const std::vector<model::Term> terms = model::parseModel(request.model, study.factors);
        const double columns = model::countColumns(terms, study.factors);
        model::requireSize(request.model, columns, request.blocks - 1.0,
                           std::max(columns, static_cast<double>(request.runs)));
        return model::columnsOf(terms, study.factors);
    } catch (const std::invalid_argument& error) {
        throw DesignError(error.what());
    }
}

std::vector<int> powersOf(const std::vector<model::Column>& columns, std::size_t factors)
{
    std::vector<int> powers(factors, 0);
    for (const model::Column& column : columns)
        for (std::size_t i = 0; i < factors; ++i)
            powers[i] = std::max(powers[i], column.term.powers[i]);
    return powers;
}

int blocksWith(const OptimalRequest& request)
{
    int blocks = std::max(request.blocks, request.inBlock);
    for (const DesignPoint& point : request.kept)
        blocks = std::max(blocks, point.block);
    return blocks;
}

void checkRuns(const OptimalRequest& request, Eigen::Index runs, Eigen::Index parameters)
{
    const Eigen::Index all = runs + static_cast<Eigen::Index>(request.kept.size());
    if (all < parameters)
        throw DesignError("an optimal design for the model '" + request.model + "' needs at least " +
                          std::to_string(parameters) + " runs, one for each coefficient" +
                          (request.blocks > 1 ? " and block" : "") + "; there are " + std::to_string(all));
}

} // namespace

OptimalProblem::OptimalProblem(const study::Study& study, const OptimalRequest& request)
    : m_criterion(request.criterion)
    , m_legal(makeSpaceToDesign(study, {.isAllowed = request.isAllowed}))
    , m_columns(columnsFor(study, request))
    , m_table(m_columns, study.factors)
    , m_blocks(blocksWith(request))
    , m_powers(powersOf(m_columns, study.factors.size()))
{
    const int wanted = request.runs > 0 ? request.runs : defaultRuns(study, request.model, request.blocks);
    for (int run = 0; run < wanted; ++run)
        m_block.push_back(request.inBlock > 0 ? request.inBlock : 1 + run * request.blocks / wanted);
    const Eigen::Index p = modelColumns();
    const Eigen::Index all = p + m_blocks - 1;
    checkRuns(request, wanted, all);
    m_candidates = legalCandidates(m_legal, m_powers);
    m_candidateRows = m_table.at(m_candidates);
    m_keptRuns = static_cast<Eigen::Index>(request.kept.size());
    m_kept = Eigen::MatrixXd::Zero(all, all);
    for (const DesignPoint& point : request.kept) {
        Eigen::RowVectorXd row(all);
        row << m_table.at(point.point.x.transpose()), blockPart(point.block);
        m_kept += row.transpose() * row;
    }
    m_momentRoot = Eigen::MatrixXd::Zero(all, p);
    m_momentRoot.topRows(p) = algebra::rootOf(regionMoments(study, m_columns));
    Eigen::MatrixXd blocks = m_kept.bottomRightCorner(m_blocks - 1, m_blocks - 1);
    for (const int block : m_block)
        blocks += blockPart(block).transpose() * blockPart(block);
    m_logBlocks = m_blocks > 1 ? std::log(algebra::determinant(blocks)) : 0.0;
}

std::vector<double> OptimalProblem::exploreLevels(Eigen::Index factor) const
{
    return m_legal.spread(factor, std::max(2, m_powers[static_cast<std::size_t>(factor)] + 1));
}

Eigen::RowVectorXd OptimalProblem::blockPart(int block) const
{
    Eigen::RowVectorXd part = Eigen::RowVectorXd::Zero(m_blocks - 1);
    if (block == m_blocks)
        part.setConstant(-1.0);
    else
        part[block - 1] = 1.0;
    return part;
}

Eigen::MatrixXd OptimalProblem::rowsAt(const Eigen::MatrixXd& points, Eigen::Index run) const
{
    Eigen::MatrixXd rows(points.rows(), modelColumns() + m_blocks - 1);
    rows << m_table.at(points), blockPart(blockOf(run)).replicate(points.rows(), 1);
    return rows;
}

Exchange OptimalProblem::exchangeOf(const Eigen::MatrixXd& points) const
{
    Eigen::MatrixXd rows(points.rows(), modelColumns() + m_blocks - 1);
    rows.leftCols(modelColumns()) = m_table.at(points);
    for (Eigen::Index run = 0; run < points.rows(); ++run)
        rows.row(run).tail(m_blocks - 1) = blockPart(blockOf(run));
    return Exchange(m_criterion, m_kept, m_momentRoot, std::move(rows));
}

double OptimalProblem::reported(double value) const
{
    if (m_criterion == Criterion::I)
        return std::exp(-value);
    return 100.0 * std::exp((value - m_logBlocks) / static_cast<double>(modelColumns())) /
           static_cast<double>(runs() + m_keptRuns);
}

} // namespace quadric::design
