// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/output_channel.h"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include <poll.h>
#include <unistd.h>

namespace quadric::app {

namespace {

/// Whoever shares the open file may have made it non-blocking: waiting is done here then.
int writeWhole(int descriptor, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t count = ::write(descriptor, text.data(), text.size());
        if (count > 0)
            text.remove_prefix(static_cast<std::size_t>(count));
        else if (count < 0 && errno == EAGAIN) {
            pollfd room{.fd = descriptor, .events = POLLOUT, .revents = 0};
            ::poll(&room, 1, -1);
        } else if (count < 0 && errno != EINTR)
            return errno;
    }
    return 0;
}

} // namespace

struct OutputChannel::Mailbox {
    std::mutex mutex;
    std::condition_variable changed;
    std::string waiting;
    bool isClosed = false, keepsEverything = false;
    std::size_t underWay = 0; ///< bytes that the thread has taken and not written yet
    int error = 0;
    std::size_t missing = 0; ///< lines left out since the last one that was not
    MissingLines missingText;

    bool isEmpty() const { return waiting.empty() && underWay == 0; }

    void noteMissing()
    {
        if (missing > 0)
            waiting += missingText(missing);
        missing = 0;
    }

    void put(std::string_view lines)
    {
        const std::lock_guard guard(mutex);
        if (!keepsEverything && underWay + waiting.size() + lines.size() > kMostWaiting) {
            missing += static_cast<std::size_t>(std::ranges::count(lines, '\n'));
            return;
        }
        noteMissing();
        waiting += lines;
        changed.notify_all();
    }

    /// What the thread does.
    void deliver(int descriptor)
    {
        std::unique_lock guard(mutex);
        while (true) {
            changed.wait(guard, [this] { return isClosed || !waiting.empty(); });
            if (waiting.empty())
                return;
            const std::string lines = std::exchange(waiting, {});
            underWay = lines.size();
            guard.unlock();
            const int failure = writeWhole(descriptor, lines);
            guard.lock();
            underWay = 0;
            error = error != 0 ? error : failure;
            changed.notify_all();
        }
    }
};

OutputChannel::OutputChannel(int descriptor)
    : m_descriptor(descriptor)
{
}

OutputChannel::~OutputChannel()
{
    if (!m_mailbox)
        return;
    const std::lock_guard guard(m_mailbox->mutex);
    m_mailbox->isClosed = true;
    m_mailbox->changed.notify_all();
}

void OutputChannel::write(std::string_view lines)
{
    if (m_mailbox)
        m_mailbox->put(lines);
    else if (m_error == 0)
        m_error = writeWhole(m_descriptor, lines);
}

void OutputChannel::writeInBackground(MissingLines missing)
{
    m_mailbox = std::make_shared<Mailbox>();
    m_mailbox->missingText = std::move(missing);
    std::thread([mailbox = m_mailbox, descriptor = m_descriptor] { mailbox->deliver(descriptor); }).detach();
}

void OutputChannel::keepEverything()
{
    if (!m_mailbox)
        return;
    const std::lock_guard guard(m_mailbox->mutex);
    m_mailbox->keepsEverything = true;
}

void OutputChannel::finish(std::optional<std::chrono::milliseconds> patience)
{
    if (!m_mailbox)
        return;
    std::unique_lock guard(m_mailbox->mutex);
    m_mailbox->noteMissing();
    m_mailbox->changed.notify_all();
    const auto isDone = [this] { return m_mailbox->isEmpty(); };
    if (!patience)
        m_mailbox->changed.wait(guard, isDone);
    else if (!m_mailbox->changed.wait_for(guard, *patience, isDone))
        m_mailbox->error = ETIMEDOUT;
}

int OutputChannel::error() const
{
    if (!m_mailbox || m_error != 0)
        return m_error;
    const std::lock_guard guard(m_mailbox->mutex);
    return m_mailbox->error;
}

} // namespace quadric::app
