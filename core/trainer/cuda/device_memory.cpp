// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/device_memory.h"

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

} // namespace quadric::trainer::cuda
