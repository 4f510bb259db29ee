// SPDX-License-Identifier: GPL-3.0-or-later
#include "emulated_device.h"

#include <array>
#include <cstdlib>
#include <mutex>
#include <vector>

#include <ucontext.h>

namespace quadric::trainer::testing {

namespace {

constexpr std::size_t kMostThreads = 512; ///< of a block
constexpr std::size_t kStackBytes = 65536;

/// A thread of a block as a coroutine.
struct Thread {
    ucontext_t context{};
    std::vector<char> stack = std::vector<char>(kStackBytes);
    Extent place;
    bool hasEnded = true;
};

/// One block at a time: its threads take turns at every wait.
struct Processor {
    std::vector<Thread> threads = std::vector<Thread>(kMostThreads);
    ucontext_t scheduler{};
    Thread* current = nullptr;
    const std::function<void()>* kernel = nullptr;
    std::array<float, kMostThreads> passed{};

    void runBlock(Extent block);
};

Processor& processor()
{
    static Processor one;
    return one;
}

void runThread()
{
    Processor& p = processor();
    (*p.kernel)();
    p.current->hasEnded = true;
    swapcontext(&p.current->context, &p.scheduler);
}

void Processor::runBlock(Extent block)
{
    const unsigned count = block.x * block.y;
    for (unsigned i = 0; i < count; ++i) {
        Thread& thread = threads.at(i);
        getcontext(&thread.context);
        thread.context.uc_stack.ss_sp = thread.stack.data();
        thread.context.uc_stack.ss_size = thread.stack.size();
        thread.place = {i % block.x, i / block.x};
        thread.hasEnded = false;
        makecontext(&thread.context, runThread, 0);
    }
    for (bool someWait = true; someWait;) {
        someWait = false;
        for (unsigned i = 0; i < count; ++i) {
            if (threads[i].hasEnded)
                continue;
            current = &threads[i];
            threadIdx = current->place;
            swapcontext(&scheduler, &current->context);
            someWait = someWait || !current->hasEnded;
        }
    }
}

} // namespace

void waitForBlock()
{
    Processor& p = processor();
    swapcontext(&p.current->context, &p.scheduler);
}

float valueOfLater(float value, int distance)
{
    constexpr unsigned kWarp = 32;
    Processor& p = processor();
    p.passed[threadIdx.x] = value;
    waitForBlock();
    const unsigned later = threadIdx.x + static_cast<unsigned>(distance);
    const float found = threadIdx.x / kWarp == later / kWarp ? p.passed[later] : value;
    waitForBlock();
    return found;
}

void runKernel(Extent grid, Extent block, const std::function<void()>& kernel)
{
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    processor().kernel = &kernel;
    gridDim = grid;
    blockDim = block;
    for (blockIdx.y = 0; blockIdx.y < grid.y; ++blockIdx.y) {
        for (blockIdx.x = 0; blockIdx.x < grid.x; ++blockIdx.x)
            processor().runBlock(block);
    }
}

} // namespace quadric::trainer::testing
