// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/wire_type.h"

#include <cstddef>
#include <cstdint>
#include <memory>
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

} // namespace quadric::trainer
