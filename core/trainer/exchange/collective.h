// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/exchange_options.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace quadric::trainer {

/// Sums over all ranks. Every rank calls the same functions in the same order with spans of the same size.
/// Functions throw Failure (communication) when a peer is gone.
class Collective {
public:
    virtual ~Collective() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0;
    virtual void sum(std::span<float> values) = 0;
    virtual void sum(std::span<double> values) = 0;
    /// Sums numbers of 16 bits; every partial sum is rounded to the type.
    virtual void sum(std::span<std::uint16_t> values, WireType type) = 0;
    /// Puts what every rank has, in the order of the ranks, into `all`, which holds size() times as much.
    virtual void gather(std::span<const std::byte> mine, std::span<std::byte> all) = 0;
    /// Payload that this rank has handed to the network so far, in bytes.
    virtual std::uint64_t bytesSent() const = 0;
};

/// The collective of a single rank: every sum is what it was.
std::unique_ptr<Collective> makeLocalCollective();

/// How the ranks of one run find each other.
struct Rendezvous {
    std::string
        folder; ///< empty at first, and every rank can write to it; may go once all ranks are connected
    std::string address = "127.0.0.1"; ///< name or address of this host as its peers reach it
};

/// Ring all-reduce and all-gather over TCP: by Gloo, or makeRingCollective() in a build without it. Throws
/// Failure (communication).
std::unique_ptr<Collective> makeCollective(int rank, int size, const Rendezvous& rendezvous);

/// What makeCollective() uses, for example "Gloo 0.5.0".
std::string collectiveLibrary();

/// The same sums and messages over sockets of its own, so that ranks can meet on machines without Gloo.
/// Throws Failure (communication).
std::unique_ptr<Collective> makeRingCollective(int rank, int size, const Rendezvous& rendezvous);

/// Seconds that a rank needs to send that many bytes in that many messages, one after the other.
double transferSeconds(const LinkSpeed& link, double bytes, int messages);

/// The same collective, but no operation is faster than the link allows: messages as a ring sends them,
/// 2(N − 1) for a sum, N − 1 for a gathering. `inner` must outlive it.
std::unique_ptr<Collective> makeEmulatedLink(Collective& inner, const LinkSpeed& link);

/// The place of this process among ranks that a cluster started, perhaps on several hosts.
struct ClusterPlace {
    int rank = 0;
    int ranks = 1;
    int nodes = 1;
    int ranksOnNode = 1;       ///< of the fullest node
    int placeOnNode = 0;       ///< among the ranks of this node
    std::string job;           ///< unlike that of every other start: names the rendezvous
    std::string rendezvous;    ///< folder that all hosts share
    std::string address;       ///< of this host, as its peers reach it
    std::string failures = {}; ///< folder where a rank leaves why it failed; empty: nobody looks for it
};

/// Value of an environment variable, null where it is not set.
using Environment = std::function<const char*(const char*)>;

/// Reads what a launcher tells the processes that it starts together: srun the tasks of a step
/// (SLURM_STEP_ID, SLURM_PROCID, SLURM_NTASKS; a batch script alone has no step), mpirun of Open MPI 5
/// (OMPI_COMM_WORLD_RANK, …, PMIX_NAMESPACE), torchrun (RANK, WORLD_SIZE, …, TORCHELASTIC_RUN_ID). The
/// rendezvous is a folder named after the start in QUADRIC_RENDEZVOUS, or in the working directory; the
/// address is QUADRIC_ADDRESS, or this host's name, or the loopback interface where there is one node only.
/// Nothing where several were not started together. Throws Failure (bad-settings) for variables that
/// contradict each other.
std::optional<ClusterPlace> clusterPlace(const Environment& environment, const std::string& host);

} // namespace quadric::trainer
