// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/failure_watch.h"

#include "core/study/outcome.h"

#include <algorithm>
#include <sstream>

namespace quadric::run {

namespace {

constexpr int kMostAlike = 3;

bool saysNothing(const study::Run& ended)
{
    if (ended.status != study::RunStatus::Failed && ended.status != study::RunStatus::Done)
        return true;
    return study::isCancelled(ended) || study::isTakenByCluster(ended);
}

/// Kind and message without the words that have digits: addresses, times and settings differ from run to run.
std::string makeSignature(const study::Failure& failure)
{
    std::string signature = failure.kind;
    std::istringstream words(failure.message);
    for (std::string word; words >> word;) {
        const bool hasDigit = std::ranges::any_of(word, [](char c) { return c >= '0' && c <= '9'; });
        signature += ' ' + (hasDigit ? std::string("#") : word);
    }
    return signature;
}

std::string asSentenceEnd(const std::string& message)
{
    return message.ends_with('.') ? message : message + '.';
}

} // namespace

bool isCertainToRepeat(const study::Run& ended, const WorkerExit& exit)
{
    // Of a shell: a command that it cannot execute, or does not find.
    constexpr int kNotExecutable = 126, kNotFound = 127;
    if (ended.status != study::RunStatus::Failed || !ended.failure)
        return false;
    return ended.failure->kind == "not-found" || ended.failure->kind == "setup-failed" ||
           (exit.kind == WorkerExit::Kind::Exited && (exit.code == kNotExecutable || exit.code == kNotFound));
}

std::string FailureWatch::note(const study::Run& ended, bool willRepeat)
{
    if (saysNothing(ended))
        return {};
    const std::string signature = ended.failure ? makeSignature(*ended.failure) : std::string();
    m_count = signature.empty() ? 0 : signature == m_last ? m_count + 1 : 1;
    m_last = signature;
    if (m_count == 0 || m_accepted.contains(signature))
        return {};
    if (willRepeat)
        return "Run " + std::to_string(ended.id) +
               " failed, and the others would fail in the same way: " + asSentenceEnd(ended.failure->message);
    return m_count < kMostAlike
               ? std::string()
               : std::to_string(m_count) +
                     " runs in a row failed in the same way: " + asSentenceEnd(ended.failure->message);
}

void FailureWatch::accept()
{
    m_accepted.insert(m_last);
    m_count = 0;
}

} // namespace quadric::run
