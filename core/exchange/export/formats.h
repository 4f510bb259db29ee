// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

#include <span>
#include <string_view>

namespace quadric::exchange {

/// A format that a study can be written in.
struct Format {
    std::string_view name; ///< the ending of its files
    std::string_view what; ///< "the runs, separated by commas"
    bool needsFits;
    std::string (*write)(const study::Study& study, const std::vector<model::Fit>& fits);
};

/// Every format, most common first.
std::span<const Format> formats();

/// The format of this name, capital or small; null where there is none.
const Format* formatNamed(std::string_view name);

} // namespace quadric::exchange
