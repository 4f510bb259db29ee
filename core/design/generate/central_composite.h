// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/generate/fraction.h"

namespace quadric::design {

/// What decides the distance of the axial runs.
struct AxialGeometry {
    int factors = 0;        ///< numeric factors, k
    int cubeRuns = 0;       ///< runs at the corners, replicates included
    int axialRuns = 0;      ///< 2k, or a multiple with replicates
    int cubeCenters = 0;    ///< center runs in the cube's blocks
    int axialCenters = 0;   ///< center runs in the block of the axial runs
    int axialCopies = 1;    ///< how often each axial run is made
    bool isBlocked = false; ///< cube and axial runs in blocks of their own
};

/// Distance of the axial runs from the center in coded units (Box & Hunter 1957; MMA 7, 8): "rotatable"
/// F^(1/4); "face" 1; "practical" k^(1/4); "orthogonal" √((√(F N) − F)/2), or with blocks the distance at
/// which they are orthogonal to the model, √(F (2k + n₀ₐ)/(2 (F + n₀c))); or a number. F is the number of
/// corners that differ. Throws DesignError for anything else.
double axialDistance(std::string_view alpha, const AxialGeometry& geometry);

/// The distance that a specification means: its `alpha`, or where that is empty rotatable if every axial run
/// can be run, else face. Throws DesignError when the axial runs cannot be run.
double axialDistanceFor(const study::Study& study, const AxialGeometry& geometry);

/// The axial points of the study's numeric factors, one pair a factor, categorical factors at their first
/// level.
std::vector<DesignPoint> axialPoints(const study::Study& study, double alpha);

} // namespace quadric::design
