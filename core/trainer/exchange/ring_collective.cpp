// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/base/failure.h"
#include "core/trainer/exchange/collective.h"
#include "core/trainer/exchange/sum_elements.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace quadric::trainer {

namespace {

/// A file descriptor that is closed with its owner.
class Socket {
public:
    explicit Socket(int descriptor = -1)
        : m_descriptor(descriptor)
    {
    }

    ~Socket()
    {
        if (m_descriptor >= 0)
            close(m_descriptor);
    }

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

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kLongestMeeting{120};

/// Peers that die close their connection at once; the time-out is only for peers that were stopped.
constexpr std::chrono::minutes kLongestSilence{60};

[[noreturn]] void fail(const std::string& what)
{
    throw Failure(kCommunication, what);
}

[[noreturn]] void failWithErrno(const std::string& what)
{
    fail(what + ": " + std::strerror(errno));
}

/// Where a rank listens. Whoever connects says the token, so that nobody else is taken for the neighbor.
struct Place {
    std::string address;
    std::string port;
    std::uint64_t token = 0;
};

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Addresses resolve(const std::string& address, const std::string& port)
{
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int status = getaddrinfo(address.c_str(), port.c_str(), &wanted, &found);
    if (status != 0)
        fail("the address " + address + " cannot be resolved: " + gai_strerror(status));
    return {found, freeaddrinfo};
}

Socket newSocket(const addrinfo& address)
{
    Socket made(socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (made.get() < 0)
        failWithErrno("a socket cannot be opened");
    return made;
}

Socket listenAt(const std::string& address)
{
    const Addresses found = resolve(address, "0");
    Socket listener = newSocket(*found);
    if (bind(listener.get(), found->ai_addr, found->ai_addrlen) != 0 || listen(listener.get(), 16) != 0)
        failWithErrno("ranks cannot listen at " + address);
    return listener;
}

std::string portOf(const Socket& listener)
{
    sockaddr_storage name{};
    socklen_t length = sizeof name;
    std::array<char, NI_MAXSERV> port{};
    auto* generic = reinterpret_cast<sockaddr*>(&name);
    if (getsockname(listener.get(), generic, &length) != 0 ||
        getnameinfo(generic, length, nullptr, 0, port.data(), port.size(), NI_NUMERICSERV) != 0)
        fail("the port of a listening socket is not known");
    return port.data();
}

std::filesystem::path rankAddressFile(const std::string& folder, int rank)
{
    return std::filesystem::path(folder) / ("rank-" + std::to_string(rank));
}

/// A new file, whatever had its name: nothing is written through a link.
bool writeAnew(const std::filesystem::path& path, const std::string& text)
{
    constexpr mode_t kMode = 0666; // less the umask
    ::unlink(path.c_str());
    const Socket file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kMode));
    return ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

/// Whoever reads it sees all of it or nothing.
void publish(const std::string& folder, int rank, const Place& place)
{
    const std::filesystem::path file = rankAddressFile(folder, rank);
    const std::filesystem::path part = file.string() + ".part";
    std::error_code error;
    const bool isWritten =
        writeAnew(part, place.address + ' ' + place.port + ' ' + std::to_string(place.token) + '\n');
    if (isWritten)
        std::filesystem::rename(part, file, error);
    if (!isWritten || error)
        fail("the folder " + folder + ", where the ranks meet, cannot be written to");
}

Place waitFor(const std::string& folder, int rank)
{
    for (const auto end = Clock::now() + kLongestMeeting; Clock::now() < end;) {
        Place place;
        if (std::ifstream(rankAddressFile(folder, rank)) >> place.address >> place.port >> place.token)
            return place;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    fail("rank " + std::to_string(rank) + " did not come to " + folder + " within " +
         std::to_string(kLongestMeeting.count()) + " s");
}

/// Connections are used without blocking once they are made.
Socket ready(Socket connection)
{
    const int on = 1;
    setsockopt(connection.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    fcntl(connection.get(), F_SETFL, fcntl(connection.get(), F_GETFL) | O_NONBLOCK);
    return connection;
}

Socket connectTo(const Place& place)
{
    const Addresses found = resolve(place.address, place.port);
    Socket connection = newSocket(*found);
    if (connect(connection.get(), found->ai_addr, found->ai_addrlen) != 0 ||
        send(connection.get(), &place.token, sizeof place.token, MSG_NOSIGNAL) != sizeof place.token)
        failWithErrno("no connection to " + place.address + " port " + place.port);
    return ready(std::move(connection));
}

Socket acceptPrevious(const Socket& listener, std::uint64_t token)
{
    for (const auto end = Clock::now() + kLongestMeeting;;) {
        pollfd waiting{listener.get(), POLLIN, 0};
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        const int count = left > 0 ? poll(&waiting, 1, static_cast<int>(left)) : 0;
        if (count == 0)
            fail("the previous rank did not connect within " + std::to_string(kLongestMeeting.count()) +
                 " s");
        if (count < 0) // a signal
            continue;
        Socket connection(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (connection.get() < 0)
            continue;
        const timeval patience{5, 0}; // for strangers who say nothing
        setsockopt(connection.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        std::uint64_t said = 0;
        if (recv(connection.get(), &said, sizeof said, MSG_WAITALL) == sizeof said && said == token)
            return ready(std::move(connection));
    }
}

bool isOnlyBusy()
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

Socket& Socket::operator=(Socket&& other) noexcept
{
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

/// TCP connections of a rank to the next one and from the previous one, in a circle of ranks. All functions
/// throw Failure (communication).
class TcpRing {
public:
    /// Meets the neighbors: each rank writes its address into the folder, connects to the next, and waits
    /// for the previous.
    TcpRing(int rank, int size, const Rendezvous& rendezvous)
    {
        const Socket listener = listenAt(rendezvous.address);
        std::random_device random;
        const Place here{rendezvous.address, portOf(listener), (std::uint64_t{random()} << 32U) | random()};
        publish(rendezvous.folder, rank, here);
        m_next = connectTo(waitFor(rendezvous.folder, (rank + 1) % size));
        m_previous = acceptPrevious(listener, here.token);
    }

    /// Sends to the next rank while it receives from the previous one.
    void exchange(std::span<const std::byte> sent, std::span<std::byte> received) const
    {
        while (!sent.empty() || !received.empty()) {
            std::array<pollfd, 2> states{{{sent.empty() ? -1 : m_next.get(), POLLOUT, 0},
                                          {received.empty() ? -1 : m_previous.get(), POLLIN, 0}}};
            const int count = poll(states.data(), states.size(),
                                   static_cast<int>(std::chrono::milliseconds(kLongestSilence).count()));
            if (count == 0)
                fail("a peer said nothing for " + std::to_string(kLongestSilence.count()) + " minutes");
            if (count > 0 && states[0].revents != 0) {
                const ssize_t bytes = send(m_next.get(), sent.data(), sent.size(), MSG_NOSIGNAL);
                if (bytes < 0 && !isOnlyBusy())
                    failWithErrno("the next rank is gone");
                sent = sent.subspan(static_cast<std::size_t>(std::max<ssize_t>(bytes, 0)));
            }
            if (count > 0 && states[1].revents != 0) {
                const ssize_t bytes = recv(m_previous.get(), received.data(), received.size(), 0);
                if (bytes == 0 || (bytes < 0 && !isOnlyBusy()))
                    fail("the previous rank is gone");
                received = received.subspan(static_cast<std::size_t>(std::max<ssize_t>(bytes, 0)));
            }
        }
    }

private:
    Socket m_next, m_previous;
};

/// Each rank's part of an array is summed on its way around the circle, then goes around once more.
class RingCollective final : public Collective {
public:
    RingCollective(int rank, int size, const Rendezvous& rendezvous)
        : m_rank(rank)
        , m_size(size)
        , m_ring(rank, size, rendezvous)
    {
    }

    int rank() const override { return m_rank; }
    int size() const override { return m_size; }
    void sum(std::span<float> values) override { allReduce(values, sumElements<float>); }
    void sum(std::span<double> values) override { allReduce(values, sumElements<double>); }
    void sum(std::span<std::uint16_t> values, WireType type) override
    {
        allReduce(values, selectSumElements(type));
    }

    void gather(std::span<const std::byte> mine, std::span<std::byte> all) override
    {
        const auto part = [&](int rank) { return all.subspan(mine.size() * partNumber(rank), mine.size()); };
        std::ranges::copy(mine, part(m_rank).begin());
        for (int step = 0; step < m_size - 1; ++step)
            exchange(part(m_rank - step), part(m_rank - step - 1));
        m_bytesSent += mine.size() * static_cast<std::size_t>(m_size - 1);
    }

    std::uint64_t bytesSent() const override { return m_bytesSent; }

private:
    /// Ranks are counted around the circle.
    std::size_t partNumber(int rank) const { return static_cast<std::size_t>((rank + m_size) % m_size); }

    template <typename Number> void allReduce(std::span<Number> values, SumElements add)
    {
        const auto ranks = static_cast<std::size_t>(m_size);
        const auto part = [&](int rank) {
            const std::size_t number = partNumber(rank);
            const std::size_t begin = values.size() * number / ranks;
            return values.subspan(begin, values.size() * (number + 1) / ranks - begin);
        };
        std::vector<Number> received(values.size() / ranks + 1);
        for (int step = 0; step < m_size - 1; ++step) {
            const std::span<Number> sum = part(m_rank - step - 1);
            const std::span<Number> theirs = std::span(received).first(sum.size());
            exchange(std::as_bytes(part(m_rank - step)), std::as_writable_bytes(theirs));
            add(sum.data(), sum.data(), theirs.data(), sum.size());
        }
        for (int step = 0; step < m_size - 1; ++step)
            exchange(std::as_bytes(part(m_rank + 1 - step)), std::as_writable_bytes(part(m_rank - step)));
        m_bytesSent += 2 * (ranks - 1) * values.size_bytes() / ranks;
    }

    void exchange(std::span<const std::byte> sent, std::span<std::byte> received) const
    {
        try {
            m_ring.exchange(sent, received);
        } catch (const Failure& failure) {
            throw Failure(failure.kind(), "rank " + std::to_string(m_rank) +
                                              " lost the connection to a peer: " + failure.what());
        }
    }

    int m_rank;
    int m_size;
    TcpRing m_ring;
    std::uint64_t m_bytesSent = 0;
};

} // namespace

std::unique_ptr<Collective> makeRingCollective(int rank, int size, const Rendezvous& rendezvous)
{
    try {
        return std::make_unique<RingCollective>(rank, size, rendezvous);
    } catch (const Failure& failure) {
        throw Failure(failure.kind(),
                      "rank " + std::to_string(rank) + " could not reach its peers: " + failure.what());
    }
}

} // namespace quadric::trainer
