// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/termination.h"

#include <QSocketNotifier>

#include <csignal>
#include <initializer_list>
#include <sys/signalfd.h>
#include <unistd.h>

namespace quadric::run {

namespace {

sigset_t terminationSignals()
{
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP})
        sigaddset(&set, signal);
    return set;
}

} // namespace

Termination::Termination(QObject* parent)
    : QObject(parent)
{
    const sigset_t caught = terminationSignals();
    pthread_sigmask(SIG_BLOCK, &caught, nullptr);
    m_file = signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
    m_notifier = new QSocketNotifier(m_file, QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &Termination::read);
}

Termination::~Termination()
{
    delete m_notifier;
    ::close(m_file);
    const sigset_t caught = terminationSignals();
    pthread_sigmask(SIG_UNBLOCK, &caught, nullptr);
}

void Termination::read()
{
    signalfd_siginfo info{};
    bool isRequested = false;
    while (::read(m_file, &info, sizeof info) == static_cast<ssize_t>(sizeof info))
        isRequested = true;
    if (isRequested)
        emit requested();
}

} // namespace quadric::run
