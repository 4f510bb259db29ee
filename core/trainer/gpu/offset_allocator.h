// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>

namespace quadric::trainer::cuda {

/// A stretch of device memory, in bytes from the start of the arena that it lies in.
struct Block {
    std::size_t offset = 0;
    std::size_t bytes = 0;
    friend bool operator==(const Block&, const Block&) = default;
};

/// Hands out stretches of an arena that does not exist yet: a plan is made first, then as much memory as it
/// needs at most is taken at once.
class OffsetAllocator {
public:
    static constexpr std::size_t kAlignment = 256; ///< what vector loads and cuDNN like best

    /// The smallest free stretch that is large enough, or new space at the end.
    Block allocate(std::size_t bytes);
    /// Throws std::logic_error for a stretch that is not handed out.
    void release(const Block& block);
    /// Size of the arena that everything handed out so far fits into.
    std::size_t arenaBytes() const { return m_end; }

private:
    std::map<std::size_t, std::size_t> m_free; ///< offset → bytes
    std::map<std::size_t, std::size_t> m_used;
    std::size_t m_end = 0;
};

} // namespace quadric::trainer::cuda
