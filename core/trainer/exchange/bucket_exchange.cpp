// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/exchange/bucket_exchange.h"

#include "core/trainer/exchange/compressed_exchange.h"

namespace quadric::trainer {

namespace {

/// Everything is sent, in the number format of the wire.
class PlainExchange final : public BucketExchange {
public:
    PlainExchange(Collective& collective, WireType wire)
        : m_collective(collective)
        , m_wire(wire)
    {
    }

    void sum(std::span<float> gradients, const Bucket& bucket) override
    {
        const std::span<float> values = gradients.subspan(bucket.offset, bucket.count);
        if (m_wire == WireType::Fp32) {
            m_collective.sum(values);
            return;
        }
        m_encoded.resize(values.size());
        encode16(m_wire, values, m_encoded);
        m_collective.sum(m_encoded, m_wire);
        decode16(m_wire, m_encoded, values);
    }

private:
    Collective& m_collective;
    WireType m_wire;
    std::vector<std::uint16_t> m_encoded;
};

} // namespace

std::unique_ptr<BucketExchange> makeBucketExchange(Collective& collective, const ExchangeOptions& options,
                                                   std::size_t gradients)
{
    if (options.compressionPct <= 0.0)
        return std::make_unique<PlainExchange>(collective, options.wire);
    if (options.method == CompressionMethod::Topk)
        return std::make_unique<TopkExchange>(collective, options, gradients);
    return std::make_unique<AlignedExchange>(collective, options, gradients);
}

} // namespace quadric::trainer
