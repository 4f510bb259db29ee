// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/exchange/engine.h"

namespace quadric::trainer {

/// The engine that the workload asks for. Throws Failure (bad-settings, out-of-memory, internal).
std::unique_ptr<Engine> makeEngine(const Workload& workload, Collective& collective);

} // namespace quadric::trainer
