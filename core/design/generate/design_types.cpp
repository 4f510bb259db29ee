// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/design_catalog.h"

#include <algorithm>

namespace quadric::design {

const std::vector<DesignType>& allDesignTypes()
{
    static const std::vector<DesignType> types = [] {
        std::vector<DesignType> all;
        for (const auto& typeOf : kDesignCatalog)
            all.push_back(typeOf());
        return all;
    }();
    return types;
}

const DesignType* findDesignType(std::string_view name)
{
    const std::vector<DesignType>& types = allDesignTypes();
    const auto found = std::ranges::find(types, name, &DesignType::name);
    return found == types.end() ? nullptr : &*found;
}

std::vector<std::string_view> typesThatTake(std::string_view key)
{
    std::vector<std::string_view> names;
    for (const DesignType& type : allDesignTypes())
        if (std::ranges::find(type.keys, key) != type.keys.end())
            names.push_back(type.name);
    return names;
}

int usualCenterRuns(const study::Study& study, std::string_view type)
{
    const DesignType* known = findDesignType(type);
    return known != nullptr && known->centers != nullptr ? known->centers(study) : 0;
}

std::vector<std::string> designTypes()
{
    std::vector<std::string> names;
    for (const DesignType& type : allDesignTypes())
        names.emplace_back(type.name);
    return names;
}

} // namespace quadric::design
