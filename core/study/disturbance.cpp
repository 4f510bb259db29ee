// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/disturbance.h"

namespace quadric::study {

bool isDisturbed(const Run& run)
{
    return run.provenance.disturbed.value_or(false);
}

std::string disturbanceOf(const Run& run)
{
    return isDisturbed(run) ? run.provenance.disturbedBecause : std::string();
}

} // namespace quadric::study
