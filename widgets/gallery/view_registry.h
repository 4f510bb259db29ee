// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/view_kind.h"

namespace quadric::widgets {

/// Every view of the window, in the order of the pages and of the views on them.
const std::vector<ViewKind>& viewKinds();

/// Those of them that draw.
const std::vector<ViewKind>& plotKinds();

} // namespace quadric::widgets
