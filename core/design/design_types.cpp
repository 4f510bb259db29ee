// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/box_behnken.h"
#include "core/design/design_type.h"
#include "core/design/optimal.h"

#include <algorithm>

namespace quadric::design {

const std::vector<DesignType>& allDesignTypes()
{
    static const std::vector<DesignType> kTypes = {
        {"box-behnken", boxBehnkenOf},
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

std::vector<std::string> designTypes()
{
    std::vector<std::string> names;
    for (const DesignType& type : allDesignTypes())
        names.emplace_back(type.name);
    return names;
}

} // namespace quadric::design
