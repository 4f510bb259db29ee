// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/reader.h"

namespace quadric::machine {

/// Who computes on the GPUs while none of ours does: "GPU 2 is used by python3 (process 4711, 11.5 GiB)";
/// several joined by "; ". Empty: nobody.
std::string usersNow(const ReaderOptions& options);

} // namespace quadric::machine
