// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

// A GPU that is played on the processor: CUDA's runtime, cuDNN, cuBLASLt and NCCL as far as the engine calls
// them. Work in streams is kept until somebody waits for it, and then done in the least convenient order that
// the events allow, so that a missing one gives wrong numbers. What the real libraries forbid, or punish with
// wrong results, is noted as a violation.
namespace quadric::trainer::testing {

/// Which of two streams goes first where no event decides: the one that is waited for, or all others.
enum class Order { OthersLate, OthersEarly };

/// A fresh GPU for all threads of the test, each of which stands for the process of a rank.
void newPlayedGpu(Order order);
/// What was done that must not be done, in words.
std::vector<std::string> violations();
void noteViolation(const std::string& what);
/// Calls of one kind so far.
int callsOf(const std::string& name);
void countCall(const std::string& name);
/// From now on no other rank answers this thread: work with NCCL never ends, and NCCL reports an error where
/// `isReported`.
void loseTheOtherRanks(bool isReported);
bool othersAreLost();
/// From now on NCCL gets no memory for its messages.
void denyMemoryToNccl();
bool ncclGetsNoMemory();
bool lossIsReported();
/// What a convolution takes on the GPU of this thread with an engine of cuDNN, by its place in the ranking;
/// 5 ms where nothing is set.
std::function<double(int)>& engineMilliseconds();
/// The clock of this thread's GPU, in milliseconds: convolutions move it.
double& playedClock();
/// What this thread has given back so far: "graph destroyed", "communicator aborted", "communicator
/// finalized", "memory freed".
std::vector<std::string>& endOfExchange();

/// Forgets what waits in the streams of this thread, as an aborted communicator makes its kernels end.
void dropWork();

/// Puts work into a stream, or into the graph that is being recorded from it.
void enqueue(cudaStream_t stream, std::function<void()> work);
/// Work with NCCL: waits for other ranks.
void enqueueCollective(cudaStream_t stream, std::function<void()> work);
/// Notes a violation where this thread records a graph.
void mustNotRecord(const char* call);
/// Whether all bytes lie in one piece of device memory that is not freed.
bool isDeviceMemory(const void* begin, std::size_t bytes);

} // namespace quadric::trainer::testing
