// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/design_type.h"
#include "core/design/base/factor_levels.h"
#include "core/design/generate/box_behnken.h"
#include "core/design/generate/central_composite.h"
#include "core/design/generate/definitive_screening.h"
#include "core/design/generate/fractional_factorial.h"
#include "core/design/generate/full_factorial.h"
#include "core/design/generate/latin_hypercube.h"
#include "core/design/generate/plackett_burman.h"
#include "core/design/optimal/optimal.h"

#include <algorithm>

namespace quadric::design {

const std::vector<DesignType>& allDesignTypes()
{
    static const std::vector<DesignType> kTypes = {
        {"box-behnken", boxBehnkenOf},
        {"central-composite", centralCompositeOf},
        {"full-factorial", fullFactorialOf},
        {"fractional-factorial", fractionalFactorialOf},
        {"plackett-burman", plackettBurmanOf},
        {"definitive-screening", definitiveScreeningOf},
        {"latin-hypercube", latinHypercubeOf, latinHypercubeCount, true},
        {"d-optimal", dOptimalOf, optimalCount},
        {"i-optimal", iOptimalOf, optimalCount},
    };
    return kTypes;
}

const DesignType* findDesignType(std::string_view name)
{
    const std::vector<DesignType>& types = allDesignTypes();
    const auto found = std::ranges::find(types, name, &DesignType::name);
    return found == types.end() ? nullptr : &*found;
}

namespace {

/// At least so many, shared evenly by the combinations of the categories, unless that would double them.
int sharedCenters(const study::Study& study, int centers)
{
    int combinations = 1;
    for (const study::Factor& factor : study.factors)
        if (!factor.isNumeric() && combinations <= centers)
            combinations *= std::max(1, static_cast<int>(factor.categories.size()));
    const int shared = (centers + combinations - 1) / combinations * combinations;
    return shared < 2 * centers ? shared : centers;
}

} // namespace

int usualCenterRuns(const study::Study& study, std::string_view type)
{
    const auto numeric = static_cast<int>(numericFactors(study).size());
    if (type == "box-behnken")
        return sharedCenters(study, boxBehnkenCenters(numeric));
    if (type == "central-composite")
        return sharedCenters(study, centralCompositeCenters(numeric));
    if (type == "definitive-screening")
        return std::ranges::all_of(study.factors, hasCenter) ? 1 : 2;
    return 0;
}

std::vector<std::string> designTypes()
{
    std::vector<std::string> names;
    for (const DesignType& type : allDesignTypes())
        names.emplace_back(type.name);
    return names;
}

} // namespace quadric::design
