// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/stream.h"

#include "core/trainer/cuda/kernels/check.h"

namespace quadric::trainer::cuda {

DeviceMemory::DeviceMemory(std::size_t bytes)
    : m_bytes(bytes)
{
    if (bytes == 0)
        return;
    void* memory = nullptr;
    QUADRIC_CHECKED(cudaMalloc(&memory, bytes));
    m_memory.reset(memory);
    QUADRIC_CHECKED(cudaMemset(memory, 0, bytes));
    QUADRIC_CHECKED(cudaDeviceSynchronize()); // our streams wait for no other one
}

void DeviceMemory::upload(const void* from, std::size_t bytes, std::size_t offsetBytes) const
{
    QUADRIC_CHECKED(cudaMemcpy(as<std::byte>(offsetBytes), from, bytes, cudaMemcpyHostToDevice));
    QUADRIC_CHECKED(cudaDeviceSynchronize());
}

void DeviceMemory::download(void* to, std::size_t bytes, std::size_t offsetBytes) const
{
    QUADRIC_CHECKED(cudaMemcpy(to, as<std::byte>(offsetBytes), bytes, cudaMemcpyDeviceToHost));
}

void DeviceMemory::Free::operator()(void* memory) const noexcept
{
    cudaFree(memory);
}

std::size_t freeBytes()
{
    std::size_t free = 0;
    std::size_t total = 0;
    QUADRIC_CHECKED(cudaMemGetInfo(&free, &total));
    return free;
}

PinnedMemory::PinnedMemory(std::size_t bytes)
{
    void* memory = nullptr;
    QUADRIC_CHECKED(cudaMallocHost(&memory, bytes));
    m_memory.reset(memory);
}

void PinnedMemory::Free::operator()(void* memory) const noexcept
{
    cudaFreeHost(memory);
}

namespace {

cudaEvent_t newEvent()
{
    cudaEvent_t event = nullptr;
    QUADRIC_CHECKED(cudaEventCreate(&event));
    return event;
}

cudaStream_t newStream(Stream::Priority priority)
{
    int lowest = 0;
    int highest = 0;
    QUADRIC_CHECKED(cudaDeviceGetStreamPriorityRange(&lowest, &highest));
    cudaStream_t stream = nullptr;
    QUADRIC_CHECKED(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking,
                                                 priority == Stream::Priority::High ? highest : lowest));
    return stream;
}

} // namespace

Event::Event()
    : m_event(newEvent())
{
}

double millisecondsBetween(const Event& begin, const Event& end)
{
    float milliseconds = 0.0F;
    QUADRIC_CHECKED(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()));
    return milliseconds;
}

Stream::Stream(Priority priority)
    : m_stream(newStream(priority))
{
}

void Stream::wait() const
{
    QUADRIC_CHECKED(cudaStreamSynchronize(get()));
}

bool Stream::isDone() const
{
    const cudaError_t status = cudaStreamQuery(get());
    if (status == cudaErrorNotReady) {
        cudaGetLastError(); // no error, but it would be found after the next launch
        return false;
    }
    QUADRIC_CHECKED(status);
    return true;
}

void Stream::waitFor(const Event& event) const
{
    QUADRIC_CHECKED(cudaStreamWaitEvent(get(), event.get(), 0));
}

void Stream::mark(const Event& event) const
{
    QUADRIC_CHECKED(cudaEventRecord(event.get(), get()));
}

void Stream::note(const Event& event) const
{
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    QUADRIC_CHECKED(cudaStreamIsCapturing(get(), &status));
    const unsigned flags =
        status == cudaStreamCaptureStatusActive ? cudaEventRecordExternal : cudaEventRecordDefault;
    QUADRIC_CHECKED(cudaEventRecordWithFlags(event.get(), get(), flags));
}

Graph::Graph(const Stream& stream, const std::function<void()>& enqueue)
{
    QUADRIC_CHECKED(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal));
    cudaGraph_t captured = nullptr;
    try {
        enqueue();
    } catch (...) {
        cudaStreamEndCapture(stream.get(), &captured);
        Owned<cudaGraph_t, cudaGraphDestroy>(captured).reset();
        throw;
    }
    QUADRIC_CHECKED(cudaStreamEndCapture(stream.get(), &captured));
    const Owned<cudaGraph_t, cudaGraphDestroy> graph(captured);
    cudaGraphExec_t executable = nullptr;
    // Nodes keep the priority of the stream that they were recorded from; without the flag all of them get
    // that of the stream that launches, and the exchange queues behind the convolutions.
    QUADRIC_CHECKED(cudaGraphInstantiate(&executable, graph.get(), cudaGraphInstantiateFlagUseNodePriority));
    m_graph.reset(executable);
}

void Graph::launch(const Stream& stream) const
{
    QUADRIC_CHECKED(cudaGraphLaunch(m_graph.get(), stream.get()));
}

} // namespace quadric::trainer::cuda
