// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric::study {

/// An id that no other study has: 32 random hexadecimal digits. A study keeps it whatever is edited, and so
/// do its copies.
std::string makeStudyId();

/// Tells a study from another one in the file of the same name: its id; of a document without one, a hash of
/// its name and of what is measured (workload, command, fixed settings).
std::string computeIdentity(const Study& study);

} // namespace quadric::study
