// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace quadric::trainer {

/// Fowler–Noll–Vo hash, 64 bits (variant 1a), fed with whole numbers instead of bytes.
class Hash {
public:
    void add(std::uint64_t value) { m_hash = (m_hash ^ value) * 0x100000001b3ULL; }
    void add(std::span<const float> values)
    {
        for (const float value : values)
            add(std::uint64_t{std::bit_cast<std::uint32_t>(value)});
    }
    std::uint64_t value() const { return m_hash; }

private:
    std::uint64_t m_hash = 0xcbf29ce484222325ULL;
};

} // namespace quadric::trainer
