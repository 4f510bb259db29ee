// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/devices/allocator.h"
#include "core/study/study.h"

namespace quadric::run {

/// What the run needs of a machine on which up to `mostRuns` are executed at once. The built-in workload: a
/// GPU per rank with the engine cuda, or with auto where there are GPUs; a core per thread of its ranks
/// otherwise; nothing for the simulator. A command of the user's own: as many GPUs, or without any in the
/// machine cores, as the factor bound to ranks or a setting `ranks` says; otherwise one GPU, or an equal
/// share of the cores. With each GPU comes its share of the cores. Throws RecipeError for ranks that are no
/// number.
devices::Need needOf(const study::Study& study, const study::Run& run, const devices::Inventory& inventory,
                     int mostRuns);

} // namespace quadric::run
