// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace quadric::trainer {

/// Number format of activations and their gradients.
enum class Precision { Fp32, Bf16, Fp16 };

} // namespace quadric::trainer
