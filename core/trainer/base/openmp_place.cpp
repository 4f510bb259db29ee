// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/base/openmp_place.h"

#include "core/machine/processor.h"

#include <omp.h>

namespace quadric::trainer {

void leaveOpenMpPlace()
{
    std::vector<int> cpus;
    for (int place = 0; place < omp_get_num_places(); ++place) {
        std::vector<int> some(static_cast<std::size_t>(omp_get_place_num_procs(place)));
        omp_get_place_proc_ids(place, some.data());
        cpus.insert(cpus.end(), some.begin(), some.end());
    }
    if (!cpus.empty())
        machine::CpuMask(cpus).apply();
}

} // namespace quadric::trainer
