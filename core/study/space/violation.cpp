// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/space/violation.h"

#include <stdexcept>

namespace quadric::study {

std::string findViolation(const Study& study, const Settings& settings)
{
    try {
        return describeViolation(study, settings);
    } catch (const std::invalid_argument&) {
        return {};
    }
}

} // namespace quadric::study
