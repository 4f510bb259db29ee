// SPDX-License-Identifier: GPL-3.0-or-later
// Memory and devices of the played GPU. The calls stand before those of the library when the test is linked.
#include "played_streams.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace quadric::trainer::testing;

namespace {

cudaError_t takeMemory(void** memory, std::size_t bytes, std::map<const std::byte*, std::size_t>& list)
{
    constexpr std::size_t kAlignment = 256;
    const Lock lock(gpu().mutex);
    *memory = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
    std::memset(*memory, 0xff, bytes); // NaN: fresh memory holds anything
    list[static_cast<std::byte*>(*memory)] = bytes;
    return cudaSuccess;
}

void copyInStream(void* to, const void* from, std::size_t bytes, cudaStream_t stream)
{
    for (const void* place : {static_cast<const void*>(to), from}) {
        const bool isPinned = contains(gpu().pinned, place, bytes);
        if (!isDeviceMemory(place, bytes) && !isPinned && stream->recording)
            noteViolation("a graph copies from or to memory that is not pinned");
    }
    enqueue(stream, [=] { std::memcpy(to, from, bytes); });
}

} // namespace

extern "C" {

cudaError_t cudaMalloc(void** memory, std::size_t bytes)
{
    mustNotRecord("cudaMalloc");
    return takeMemory(memory, bytes, gpu().memory);
}
cudaError_t cudaFree(void* memory)
{
    touchesEverything("cudaFree");
    endOfExchange().emplace_back("memory freed");
    const Lock lock(gpu().mutex);
    gpu().memory.erase(static_cast<std::byte*>(memory));
    std::free(memory);
    return cudaSuccess;
}
cudaError_t cudaMallocHost(void** memory, std::size_t bytes)
{
    mustNotRecord("cudaMallocHost");
    return takeMemory(memory, bytes, gpu().pinned);
}
cudaError_t cudaFreeHost(void* memory)
{
    touchesEverything("cudaFreeHost");
    const Lock lock(gpu().mutex);
    gpu().pinned.erase(static_cast<std::byte*>(memory));
    std::free(memory);
    return cudaSuccess;
}
cudaError_t cudaMemset(void* memory, int value, std::size_t bytes)
{
    touchesEverything("cudaMemset");
    if (!isDeviceMemory(memory, bytes))
        noteViolation("cudaMemset beyond a piece of memory");
    std::memset(memory, value, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind)
{
    touchesEverything("cudaMemcpy");
    std::memcpy(to, from, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind,
                            cudaStream_t stream)
{
    copyInStream(to, from, bytes, stream);
    return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream)
{
    if (!isDeviceMemory(memory, bytes))
        noteViolation("cudaMemsetAsync beyond a piece of memory");
    enqueue(stream, [=] { std::memset(memory, value, bytes); });
    return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total)
{
    const Lock lock(gpu().mutex);
    std::size_t used = 0;
    for (const auto& [place, bytes] : gpu().memory)
        used += bytes;
    *total = std::size_t{80} << 30;
    *free = *total - used;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count)
{
    *count = 2;
    return cudaSuccess;
}
thread_local int currentDevice = 0;
cudaError_t cudaGetDevice(int* device)
{
    *device = currentDevice;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device)
{
    currentDevice = device;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int)
{
    std::strcpy(properties->name, "played GPU");
    return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device)
{
    std::snprintf(text, static_cast<std::size_t>(length), "0000:%02X:00.0", device + 1);
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version)
{
    *version = 13000;
    return cudaSuccess;
}
}
