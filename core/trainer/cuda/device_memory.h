// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace quadric::trainer::cuda {

/// Memory of the current GPU, zeroed. Throws Failure (out-of-memory) where it does not fit.
class DeviceMemory {
public:
    DeviceMemory() = default;
    explicit DeviceMemory(std::size_t bytes);

    void* data() const { return m_memory.get(); }
    std::size_t bytes() const { return m_bytes; }
    template <typename Number> Number* as(std::size_t offsetBytes = 0) const
    {
        return reinterpret_cast<Number*>(static_cast<std::byte*>(data()) + offsetBytes);
    }

    /// Copies between host and device, and waits for it.
    void upload(const void* from, std::size_t bytes, std::size_t offsetBytes = 0) const;
    void download(void* to, std::size_t bytes, std::size_t offsetBytes = 0) const;

private:
    struct Free {
        void operator()(void* memory) const noexcept;
    };
    std::unique_ptr<void, Free> m_memory;
    std::size_t m_bytes = 0;
};

/// What is left of the memory of the current GPU.
std::size_t freeBytes();

/// Host memory that the GPU reads and writes without the processor.
class PinnedMemory {
public:
    explicit PinnedMemory(std::size_t bytes);
    template <typename Number> Number* as() const { return static_cast<Number*>(m_memory.get()); }

private:
    struct Free {
        void operator()(void* memory) const noexcept;
    };
    std::unique_ptr<void, Free> m_memory;
};

} // namespace quadric::trainer::cuda
