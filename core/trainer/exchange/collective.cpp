// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/exchange/collective.h"

#include <algorithm>

namespace quadric::trainer {

namespace {

class LocalCollective : public Collective {
public:
    int rank() const override { return 0; }
    int size() const override { return 1; }
    void sum(std::span<float>) override {}
    void sum(std::span<double>) override {}
    void sum(std::span<std::uint16_t>, WireType) override {}
    void gather(std::span<const std::byte> mine, std::span<std::byte> all) override
    {
        std::ranges::copy(mine, all.begin());
    }
    std::uint64_t bytesSent() const override { return 0; }
};

} // namespace

std::unique_ptr<Collective> makeLocalCollective()
{
    return std::make_unique<LocalCollective>();
}

} // namespace quadric::trainer
