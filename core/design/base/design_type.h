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

struct DesignType {
    std::string_view name;
    Generator points;
    /// How many points the generator would return, where they need a search; null: ask the generator.
    int (*count)(const study::Study& study) = nullptr;
    bool isQuick = false; ///< the count spares a search that is quick all the same

    /// A job in the window, not done while typing.
    bool isSlow() const { return count != nullptr && !isQuick; }
};

/// Every type that layOut() knows, in the order in which they are offered.
const std::vector<DesignType>& allDesignTypes();

/// Null where there is none of this name.
const DesignType* findDesignType(std::string_view name);

} // namespace quadric::design
