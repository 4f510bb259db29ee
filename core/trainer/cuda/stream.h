// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>

#include <cuda_runtime_api.h>

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

/// Calls a function of CUDA on what a pointer holds when it goes.
template <auto function> struct Destroy {
    template <typename Handle> void operator()(Handle handle) const noexcept { function(handle); }
};
template <typename Handle, auto function>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy<function>>;

/// A moment in a stream, with a time.
class Event {
public:
    Event();
    cudaEvent_t get() const { return m_event.get(); }

private:
    Owned<cudaEvent_t, cudaEventDestroy> m_event;
};

/// Milliseconds between two events that have happened.
double millisecondsBetween(const Event& begin, const Event& end);

/// A queue of work for the GPU that waits for no other one by itself.
class Stream {
public:
    enum class Priority { Usual, High };
    explicit Stream(Priority priority = Priority::Usual);

    cudaStream_t get() const { return m_stream.get(); }
    void wait() const; ///< until all of it is done
    bool isDone() const;
    void waitFor(const Event& event) const;
    /// Marks this place for other streams.
    void mark(const Event& event) const;
    /// Marks this place for the clock: while a graph is captured, a node that notes the time in each replay.
    void note(const Event& event) const;

private:
    Owned<cudaStream_t, cudaStreamDestroy> m_stream;
};

/// Work that was recorded once and is started as one.
class Graph {
public:
    /// Records what `enqueue` puts into the stream, and into streams that wait for it and that it waits for.
    Graph(const Stream& stream, const std::function<void()>& enqueue);
    void launch(const Stream& stream) const;

private:
    Owned<cudaGraphExec_t, cudaGraphExecDestroy> m_graph;
};

/// Work that is done again and again. The first time it goes into the stream call by call, which loads
/// kernels and opens connections; then it is recorded as a graph and started as one.
class RecordedWork {
public:
    /// `mayRecord` is false for work that a graph cannot hold.
    template <typename Enqueue> void run(const Stream& stream, bool mayRecord, const Enqueue& enqueue)
    {
        if (!m_hasRun || !mayRecord) {
            enqueue();
            m_hasRun = true;
            return;
        }
        if (!m_graph)
            m_graph.emplace(stream, enqueue);
        m_graph->launch(stream);
    }

private:
    bool m_hasRun = false;
    std::optional<Graph> m_graph;
};

} // namespace quadric::trainer::cuda
