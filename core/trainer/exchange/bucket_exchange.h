// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/exchange_options.h"
#include "core/trainer/base/gradient_arena.h"
#include "core/trainer/exchange/collective.h"

#include <memory>
#include <span>

namespace quadric::trainer {

/// Gradients of `aligned` compression that are chosen together.
inline constexpr std::size_t kAlignedChunk = 256;

/// Turns the gradients of one bucket into what all ranks sent of them, summed. What is not sent stays in a
/// residual and is added to the gradients of the next step (error feedback: Seide et al. 2014, Stich et al.
/// 2018), so that sent + new residual = gradient + old residual on every rank. All ranks end up with the same
/// bits.
class BucketExchange {
public:
    virtual ~BucketExchange() = default;

    /// Sums `bucket` of the gradient arena over all ranks. Throws Failure (communication).
    virtual void sum(std::span<float> gradients, const Bucket& bucket) = 0;

    /// Forgets the residual.
    virtual void reset() {}

    /// What the gradients of this rank still hold back; empty without compression.
    virtual std::span<const float> residual() const { return {}; }

    /// Time spent on choosing and packing, over all calls.
    virtual double selectionSeconds() const { return 0.0; }
};

/// An exchange for an arena of that many gradients.
std::unique_ptr<BucketExchange> makeBucketExchange(Collective& collective, const ExchangeOptions& options,
                                                   std::size_t gradients);

} // namespace quadric::trainer
