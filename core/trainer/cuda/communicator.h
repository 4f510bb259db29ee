// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/cuda/stream.h"
#include "core/trainer/exchange/collective.h"
#include "core/trainer/gpu/nccl_log.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>
#include <nccl.h>

namespace quadric::trainer::cuda {

/// The GPU of a rank.
struct RankDevice {
    int index = 0;
    std::string name;
    std::string pciId;
    int ranksOnHost = 1;
    int ranksOnIt = 1;        ///< that compute on this GPU
    bool anyIsShared = false; ///< some ranks of the run compute on the same GPU
    bool isPart = false;      ///< of a GPU in MIG mode, which others may use at the same time
};

/// Chooses the GPU of this rank and makes it current: the ranks of a host take its visible GPUs in turn. All
/// ranks call it together.
RankDevice takeDevice(Collective& collective);

/// 64 bits of every rank, in their order.
std::vector<std::uint64_t> gatherNumbers(Collective& collective, std::uint64_t mine);

/// How many of the earlier ranks have the same number: the place of a rank among those of its host.
int placeAmongEqual(const std::vector<std::uint64_t>& numbers, int rank);

/// The GPUs of all ranks, joined by NCCL. Work goes into a stream; all ranks put the same in, in the same
/// order.
class Communicator {
public:
    /// All ranks call it together, each with its own GPU current; `collective` tells them how to meet. Throws
    /// Failure (communication).
    explicit Communicator(Collective& collective);

    /// All ranks leave together where all is well. A rank that leaves because of an exception does so alone,
    /// without waiting for the others.
    ~Communicator();
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    int size() const { return m_size; }
    /// How it reaches the other ranks, as far as it has said so by now. Where the user has NCCL_DEBUG set,
    /// what NCCL says goes where the user wants it.
    NcclPaths paths() const;
    void sum(float* values, std::size_t count, cudaStream_t stream) const;
    /// Sums numbers in the format of the wire.
    void sum(void* values, std::size_t count, WireType type, cudaStream_t stream) const;
    void gather(const void* mine, void* all, std::size_t bytes, cudaStream_t stream) const;

    /// Waits for a stream with work of all ranks. Throws Failure (communication) where NCCL reports an error
    /// or nothing comes for kLongestWait: the others are gone, and kernels of NCCL would wait for them for
    /// ever.
    void wait(const Stream& stream) const;
    /// Ends kernels that wait for other ranks. Graphs with work of this communicator go first.
    void abandon() { m_communicator.reset(); }

    static constexpr std::chrono::seconds kLongestWait{120};

private:
    struct Abort {
        void operator()(ncclComm_t communicator) const noexcept { ncclCommAbort(communicator); }
    };
    int m_size;
    int m_exceptions;  ///< in flight when it was made
    std::string m_log; ///< file that NCCL writes; empty where it does not
    std::unique_ptr<ncclComm, Abort> m_communicator;
};

/// "NCCL 2.28.9"
std::string ncclVersionText();

} // namespace quadric::trainer::cuda
