// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"

namespace quadric::design {

/// The points of a design type for a study and its specification, in standard order, block by block, without
/// replicates. A generator that places its center runs itself returns them among its points (kind Center);
/// else layOut() divides them evenly over the blocks. `study.design.blocks` holds the blocks of one copy of
/// the design: layOut() makes blocks of whole replicates itself. Throws DesignError naming what the design
/// cannot hold; a stopped search throws Stopped.
using Generator = std::vector<DesignPoint> (*)(const study::Study& study, const std::stop_token& stop,
                                               const Progress& progress);

/// What a design tells of main effects where it estimates no term of second order, a sentence.
inline constexpr std::string_view kMainClear =
    "Main effects free of two-factor interactions, which are mixed with one another.";
inline constexpr std::string_view kMainMixed = "Main effects only, as long as interactions are small.";

/// One of the cards that a type is offered on: what its specification says beside the type.
struct DesignVariant {
    std::string title; ///< "Central composite, rotatable"
    std::string alpha = {};
    int runs = 0;
    int resolution = 0; ///< of a two-level fraction; 0 for everything else
};

/// All that the program knows of a type of design: study, command line, wizard and import take it from here.
struct DesignType {
    std::string_view name;    ///< in the study file and on the command line: "box-behnken"
    std::string_view title;   ///< "Box–Behnken"
    std::string_view purpose; ///< a sentence: what the design is good for
    Generator points;
    /// How many points the generator would return, where they need a search; null: ask the generator.
    int (*count)(const study::Study& study) = nullptr;
    bool isQuick = false; ///< the count spares a search that is quick all the same
    /// Center runs that it usually has; null: none.
    int (*centers)(const study::Study& study) = nullptr;
    /// Keys of a specification that mean something for it and not for every type: alpha, digits, generators,
    /// levels, model, resolution, runs.
    std::vector<std::string_view> keys = {};
    /// Its cards, where it has more than one or one of another title; null: one card.
    std::vector<DesignVariant> (*variants)(const study::Study& study) = nullptr;
    std::string_view mainEffects = kMainClear;
    bool isOrthogonal = true; ///< promises balanced levels and linear terms that are independent
    /// What imported runs are called that are such a design; empty where none are recognized as one.
    std::string_view importTitle = {};

    /// A job in the window, not done while typing.
    bool isSlow() const { return count != nullptr && !isQuick; }
};

/// Every type that layOut() knows, in the order in which they are offered.
const std::vector<DesignType>& allDesignTypes();

/// Null where there is none of this name.
const DesignType* findDesignType(std::string_view name);

/// Names of the types for which this key of a specification means something; empty for the keys that suit
/// every type.
std::vector<std::string_view> typesWithKey(std::string_view key);

/// The places of the numeric factors in the study.
std::vector<std::size_t> numericFactors(const study::Study& study);

/// The study with its numeric factors alone.
study::Study numericPart(study::Study study);

/// How many combinations the levels of the categorical factors have; 1 without them.
int categoryCombinations(const study::Study& study);

/// A numeric factor with a value that can be run between low and high, so that a center exists.
bool hasCenter(const study::Factor& factor);

/// Throws DesignError naming the first factor that `design` ("A Plackett-Burman design") cannot hold at two
/// levels, and what can.
void requireTwoLevels(const study::Study& study, std::string_view design);

/// Coded value of a sign: the sign for numeric factors, index 0 (−) or 1 (+) for categorical ones of two
/// levels.
double signToCoded(const study::Factor& factor, double sign);

/// One point per row of signs −1, 0, +1 (columns in the study's order), all in block 1.
std::vector<DesignPoint> pointsOfSigns(const study::Study& study, const Eigen::MatrixXd& signs);

/// The points of a design in the numeric factors (entries in their order), repeated at every combination of
/// the levels of the categorical ones; the last categorical factor changes slowest.
std::vector<DesignPoint> crossWithCategories(const study::Study& study,
                                             const std::vector<DesignPoint>& numeric);

/// Center runs: numeric factors at 0; categorical ones, and numeric ones without a value that can be run
/// between low and high, through all combinations of their levels in turn. Throws DesignError when no factor
/// has a center.
std::vector<study::CodedPoint> centerPoints(const study::Study& study, int count);

/// At least so many center runs, shared evenly by the combinations of the categories, unless that would
/// double them.
int sharedCenters(const study::Study& study, int centers);

/// All 2^count sign combinations, the first column changing fastest.
Eigen::MatrixXd signCombinations(int count);

/// "'c' is categorical" or "'c' and 'd' are categorical"; empty where no factor is.
std::string categoricalNames(const study::Study& study);

/// Indices of the points in the order in which they are run. Blocks follow one another. With `randomize` the
/// order inside each block is drawn from `seed` (the same on every platform) and the center runs of the block
/// are spread evenly through it, its first and last run among them; a block with only one center run has it
/// first (first block), last (last block) or in the middle. Without `randomize` the points stay in standard
/// order. Expects the points block by block.
std::vector<std::size_t> runOrder(const std::vector<DesignPoint>& points, bool randomize, std::uint64_t seed);

} // namespace quadric::design
