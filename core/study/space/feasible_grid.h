// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"
#include "core/study/space/constraint_program.h"

#include <functional>

namespace quadric::study {

/// Where on a map of two factors settings are feasible: at the nodes where `value` is at least `level`, taken
/// to be linear between them, so that the boundary can be drawn as a line. For constraints the value is their
/// margin and the level 0; a probability of running from 0 to 1 would have its level at one half.
struct FeasibleGrid {
    Eigen::MatrixXd value; ///< rows along x, columns along y; empty: feasible everywhere
    double level = 0.0;
    /// Why a place of the map, actual values of both factors, cannot be run: "gpus × batch = 36 800 > 32
    /// 768". Empty where it can; the function is empty without constraints.
    std::function<std::string(double x, double y)> reason;

    bool isEmpty() const { return value.size() == 0; }
    bool isFeasible(Eigen::Index i, Eigen::Index j) const { return isEmpty() || value(i, j) >= level; }
};

/// The same along one factor: a value at each of its places; empty: feasible everywhere.
struct FeasibleLine {
    std::vector<double> value;
    double level = 0.0;
};

/// One factor of a study and its values at the nodes of a map; categorical factors: indices of levels.
struct MapAxis {
    std::size_t factor = 0;
    std::vector<double> values;
};

/// The margin of the study's constraints, as ConstraintProgram::boundaryMargin() has it, over two different
/// factors, the others at `at` (as the program takes settings). Without constraints, and where these cannot
/// be read (validate() tells), an empty grid.
FeasibleGrid feasibleGrid(const Study& study, const MapAxis& x, const MapAxis& y, std::vector<double> at);

/// The same along one factor.
FeasibleLine feasibleLine(const Study& study, const MapAxis& along, std::vector<double> at);

/// The stretches of an axis that are not feasible, from boundary to boundary between the places, which rise;
/// boundaries lie on the factor's own scale. Levels of a categorical factor reach half a level to both sides.
std::vector<Range> infeasibleRanges(const Factor& factor, const std::vector<double>& places,
                                    const FeasibleLine& line);

/// A coded point as ConstraintProgram takes settings: actual values, indices of levels.
std::vector<double> programValues(const Coding& coding, const CodedPoint& point);

} // namespace quadric::study
