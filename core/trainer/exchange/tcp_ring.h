// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/exchange/collective.h"

#include <cstddef>
#include <span>

namespace quadric::trainer {

/// A file descriptor that is closed with its owner.
class Socket {
public:
    explicit Socket(int descriptor = -1)
        : m_descriptor(descriptor)
    {
    }
    ~Socket();
    Socket(Socket&& other) noexcept
        : m_descriptor(other.m_descriptor)
    {
        other.m_descriptor = -1;
    }
    Socket& operator=(Socket&& other) noexcept;
    int get() const { return m_descriptor; }

private:
    int m_descriptor;
};

/// TCP connections of a rank to the next one and from the previous one, in a circle of ranks. All functions
/// throw Failure (communication).
class TcpRing {
public:
    /// Meets the neighbors: each rank writes its address into the folder, connects to the next, and waits
    /// for the previous.
    TcpRing(int rank, int size, const Rendezvous& rendezvous);

    /// Sends to the next rank while it receives from the previous one.
    void exchange(std::span<const std::byte> sent, std::span<std::byte> received) const;

private:
    Socket m_next, m_previous;
};

} // namespace quadric::trainer
