// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QMetaObject>
#include <QThreadPool>

#include <functional>
#include <memory>
#include <stop_token>

namespace quadric::widgets {

/// Runs one kind of job in the thread pool, on values that the job owns. The newest request wins: starting a
/// job asks the older one to stop and drops its result; one that has not begun never does. `done` is called
/// on the thread of the application, and never after the runner is gone, so it may use the object that owns
/// the runner.
template <typename Result> class JobRunner {
public:
    using Job = std::function<Result(std::stop_token)>;
    using Done = std::function<void(const Result&)>;

    JobRunner() = default;
    ~JobRunner() { cancel(); }
    JobRunner(const JobRunner&) = delete;
    JobRunner& operator=(const JobRunner&) = delete;

    void start(Job job, Done done)
    {
        cancel();
        m_current = std::make_shared<Request>();
        m_current->done = std::move(done);
        QThreadPool::globalInstance()->start(
            [job = std::move(job), token = m_current->stop.get_token(), request = std::weak_ptr(m_current)] {
                if (request.expired())
                    return;
                auto result = std::make_shared<const Result>(job(token));
                QMetaObject::invokeMethod(QCoreApplication::instance(),
                                          [result, request] { deliver(request, *result); });
            });
    }

    /// Asks the running job to stop; its result will not be delivered.
    void cancel()
    {
        if (m_current)
            m_current->stop.request_stop();
        m_current.reset();
    }

    /// Asks the running job to end with what it has, which will be delivered.
    void finish()
    {
        if (m_current)
            m_current->stop.request_stop();
    }

    bool isBusy() const { return m_current != nullptr && !m_current->isDelivered; }

private:
    struct Request {
        std::stop_source stop;
        Done done;
        bool isDelivered = false;
    };

    /// Only the runner owns the request: it is gone as soon as a newer one has begun.
    static void deliver(const std::weak_ptr<Request>& waiting, const Result& result)
    {
        if (const auto request = waiting.lock()) {
            request->isDelivered = true;
            request->done(result);
        }
    }

    std::shared_ptr<Request> m_current;
};

} // namespace quadric::widgets
