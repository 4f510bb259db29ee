// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>
#include <type_traits>

namespace quadric::trainer::cuda {

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

} // namespace quadric::trainer::cuda
