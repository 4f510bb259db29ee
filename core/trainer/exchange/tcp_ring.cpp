// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/exchange/tcp_ring.h"

#include "core/trainer/base/failure.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace quadric::trainer {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kLongestMeeting{120};
/// Peers that die close their connection at once; the time-out is only for peers that were stopped.
constexpr std::chrono::minutes kLongestWait{60};

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

std::filesystem::path fileOf(const std::string& folder, int rank)
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
    const std::filesystem::path file = fileOf(folder, rank);
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
        if (std::ifstream(fileOf(folder, rank)) >> place.address >> place.port >> place.token)
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

} // namespace

Socket::~Socket()
{
    if (m_descriptor >= 0)
        close(m_descriptor);
}

Socket& Socket::operator=(Socket&& other) noexcept
{
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

TcpRing::TcpRing(int rank, int size, const Rendezvous& rendezvous)
{
    const Socket listener = listenAt(rendezvous.address);
    std::random_device random;
    const Place here{rendezvous.address, portOf(listener), (std::uint64_t{random()} << 32U) | random()};
    publish(rendezvous.folder, rank, here);
    m_next = connectTo(waitFor(rendezvous.folder, (rank + 1) % size));
    m_previous = acceptPrevious(listener, here.token);
}

void TcpRing::exchange(std::span<const std::byte> sent, std::span<std::byte> received) const
{
    while (!sent.empty() || !received.empty()) {
        std::array<pollfd, 2> states{{{sent.empty() ? -1 : m_next.get(), POLLOUT, 0},
                                      {received.empty() ? -1 : m_previous.get(), POLLIN, 0}}};
        const int count = poll(states.data(), states.size(),
                               static_cast<int>(std::chrono::milliseconds(kLongestWait).count()));
        if (count == 0)
            fail("a peer said nothing for " + std::to_string(kLongestWait.count()) + " minutes");
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

} // namespace quadric::trainer
