// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/run_focus.h"

#include <utility>

namespace quadric::widgets {

bool RunFocus::pick(int run)
{
    return std::exchange(m_picked, run) != run;
}

void RunFocus::noteStart()
{
    m_lastEnded = -1;
    m_isStarting = true;
}

bool RunFocus::noteRunner()
{
    return !std::exchange(m_isStarting, false) && pick(-1);
}

void RunFocus::noteNews(const run::RunnerNews& news)
{
    if (!news.active.empty())
        m_lastEnded = -1;
}

void RunFocus::noteEnded(const study::Study& before, const study::Study& after)
{
    if (before.runs.size() != after.runs.size())
        return;
    const auto hasEnded = [](const study::Run& run) {
        return run.status == study::RunStatus::Done || run.status == study::RunStatus::Failed;
    };
    for (std::size_t i = 0; i < after.runs.size(); ++i) {
        if (hasEnded(after.runs[i]) && !hasEnded(before.runs[i]))
            m_lastEnded = after.runs[i].id;
    }
}

int RunFocus::runToShow(const run::RunnerNews& news, int shown) const
{
    if (m_picked >= 0)
        return m_picked;
    if (!news.active.empty())
        return news.active.contains(shown) ? shown : news.active.begin()->first;
    return m_lastEnded >= 0 ? m_lastEnded : shown;
}

} // namespace quadric::widgets
