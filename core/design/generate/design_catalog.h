// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design_type.h"

#include <array>

namespace quadric::design {

/// Each beside its generator.
DesignType boxBehnkenType();
DesignType centralCompositeType();
DesignType definitiveScreeningType();
DesignType dOptimalType();
DesignType fractionalFactorialType();
DesignType fullFactorialType();
DesignType iOptimalType();
DesignType latinHypercubeType();
DesignType plackettBurmanType();

/// In the order in which the types are offered.
inline constexpr std::array kDesignCatalog = {
    boxBehnkenType,          centralCompositeType, fullFactorialType,
    fractionalFactorialType, plackettBurmanType,   definitiveScreeningType,
    latinHypercubeType,      iOptimalType,         dOptimalType};

} // namespace quadric::design
