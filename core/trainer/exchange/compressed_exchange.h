// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/exchange/bucket_exchange.h"

#include <cstdint>
#include <vector>

namespace quadric::trainer {

/// What both compressions share: the residual and the clock.
class CompressedExchange : public BucketExchange {
public:
    CompressedExchange(Collective& collective, const ExchangeOptions& options, std::size_t gradients)
        : m_collective(collective)
        , m_options(options)
        , m_residual(gradients, 0.0F)
    {
    }

    void sum(std::span<float> gradients, const Bucket& bucket) final;
    void reset() final;
    std::span<const float> residual() const final { return m_residual; }
    double selectionSeconds() const final { return m_selectionSeconds; }

protected:
    /// `pending` holds the gradients of a bucket with the residual of earlier steps; on return it holds what
    /// this rank did not send, and `sums` what all ranks sent. `gradients` of them are gradients.
    virtual void exchange(std::span<float> pending, std::size_t gradients, std::span<float> sums) = 0;

    /// Runs `work` and counts its time as selection.
    template <typename Work> void timed(const Work& work);

    Collective& m_collective;
    ExchangeOptions m_options;

private:
    std::vector<float> m_residual;
    double m_selectionSeconds = 0.0;
};

class TopkExchange final : public CompressedExchange {
public:
    using CompressedExchange::CompressedExchange;

protected:
    void exchange(std::span<float> pending, std::size_t gradients, std::span<float> sums) override;

private:
    void pack(std::span<float> pending);
    void addSent(std::span<const std::byte> message, std::span<float> sums) const;

    std::vector<std::uint32_t> m_positions;
    std::vector<std::byte> m_mine;
    std::vector<std::byte> m_all;
};

class AlignedExchange final : public CompressedExchange {
public:
    using CompressedExchange::CompressedExchange;

protected:
    void exchange(std::span<float> pending, std::size_t gradients, std::span<float> sums) override;

private:
    void score(std::span<const float> pending);
    void pack(std::span<float> pending);
    void sumPacked();
    void unpack(std::span<float> sums) const;

    std::vector<float> m_scores;
    std::vector<std::uint32_t> m_chunks;
    std::vector<float> m_packed;
    std::vector<std::uint16_t> m_encoded;
};

} // namespace quadric::trainer
