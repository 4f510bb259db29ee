// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
};

/// The collective of a single rank: every sum is what it was.
std::unique_ptr<Collective> makeLocalCollective();

/// Ring all-reduce over TCP on this host (Gloo). The ranks find each other through an empty folder,
/// `rendezvous`, that all of them can write to; it may be removed once every rank has returned from here.
std::unique_ptr<Collective> makeGlooCollective(int rank, int size, const std::string& rendezvous);

/// Version of Gloo, for example "0.5.0".
std::string glooVersion();

} // namespace quadric::trainer
