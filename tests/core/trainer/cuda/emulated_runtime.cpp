// SPDX-License-Identifier: GPL-3.0-or-later
// The calls of the CUDA runtime that the kernel tests need, on the memory of the processor. They stand before
// those of the library when the test is linked.
#include "emulated_device.h"

#include <cuda_runtime_api.h>

#include <cstdlib>
#include <cstring>

void quadric::trainer::testing::enqueue(cudaStream_t, std::function<void()> work)
{
    work(); // there is one stream, and nothing else to do
}

extern "C" {

cudaError_t cudaMalloc(void** memory, std::size_t bytes)
{
    constexpr std::size_t kAlignment = 256;
    *memory = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
    return *memory == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}
cudaError_t cudaFree(void* memory)
{
    std::free(memory);
    return cudaSuccess;
}
cudaError_t cudaMallocHost(void** memory, std::size_t bytes)
{
    return cudaMalloc(memory, bytes);
}
cudaError_t cudaFreeHost(void* memory)
{
    return cudaFree(memory);
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total)
{
    *free = 0; // no kernel asks how much there is
    *total = 0;
    return cudaSuccess;
}
cudaError_t cudaMemset(void* memory, int value, std::size_t bytes)
{
    std::memset(memory, value, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind)
{
    std::memcpy(to, from, bytes);
    return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count)
{
    *count = 1;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* lowest, int* highest)
{
    *lowest = 0;
    *highest = 0;
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int)
{
    *stream = nullptr;
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize()
{
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t)
{
    return cudaSuccess;
}
cudaError_t cudaPeekAtLastError()
{
    return cudaSuccess;
}
cudaError_t cudaGetLastError()
{
    return cudaSuccess;
}
const char* cudaGetErrorString(cudaError_t)
{
    return "of the emulation";
}

// Nothing is recorded or timed here; the stream's file refers to these.
cudaError_t cudaStreamDestroy(cudaStream_t)
{
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t)
{
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t)
{
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t)
{
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t*)
{
    return cudaErrorNotSupported;
}
cudaError_t cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t)
{
    return cudaErrorNotSupported;
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t)
{
    return cudaErrorNotSupported;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t, cudaStream_t, unsigned)
{
    return cudaErrorNotSupported;
}
cudaError_t cudaStreamQuery(cudaStream_t)
{
    return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned)
{
    return cudaErrorNotSupported;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus*)
{
    return cudaErrorNotSupported;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode)
{
    return cudaErrorNotSupported;
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t*)
{
    return cudaErrorNotSupported;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t, unsigned long long)
{
    return cudaErrorNotSupported;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t)
{
    return cudaErrorNotSupported;
}
}
