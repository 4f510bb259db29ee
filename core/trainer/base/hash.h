// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

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
    void add(std::string_view text)
    {
        for (const char letter : text)
            add(std::uint64_t{static_cast<unsigned char>(letter)});
    }
    std::uint64_t value() const { return m_hash; }

private:
    std::uint64_t m_hash = 0xcbf29ce484222325ULL;
};

/// As 16 hexadecimal digits.
inline std::string hexText(std::uint64_t value)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text(16, '0');
    for (std::size_t i = text.size(); i-- > 0; value >>= 4)
        text[i] = kDigits[value & 15U];
    return text;
}

} // namespace quadric::trainer
