// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace quadric::trainer {

/// Memory that lives as long as the pool and is given out again once nobody claims it. Claims matter only
/// while a plan is built: whoever runs later reuses the bytes of whoever has finished by then.
class BufferPool {
public:
    using Claim = std::shared_ptr<std::byte>;

    /// A zeroed or reused buffer of at least that many bytes and less than twice as many, aligned to a cache
    /// line. It returns to the pool when the last copy of the claim is gone. Throws std::bad_alloc.
    Claim claim(std::size_t bytes);

    /// A zeroed buffer that nobody has had before.
    Claim claimNew(std::size_t bytes);

    std::size_t bytes() const;

    /// Sum of what was asked for so far: what the pool would hold if nothing were given out twice.
    std::size_t claimedBytes() const { return m_claimedBytes; }

private:
    struct Free {
        void operator()(std::byte* memory) const;
    };
    struct Buffer {
        std::unique_ptr<std::byte, Free> memory;
        std::size_t bytes = 0;
        bool claimed = false;
    };
    using Buffers = std::vector<std::unique_ptr<Buffer>>;

    static Claim handOut(const std::shared_ptr<Buffers>& buffers, Buffer* buffer);
    Claim addBuffer(std::size_t bytes);

    std::size_t m_claimedBytes = 0;
    std::shared_ptr<Buffers> m_buffers = std::make_shared<Buffers>();
};

} // namespace quadric::trainer
