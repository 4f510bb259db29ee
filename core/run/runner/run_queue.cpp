// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/run_queue.h"

#include <algorithm>

namespace quadric::run {

std::optional<int> RunQueue::takeFirst()
{
    if (m_ids.empty())
        return std::nullopt;
    const int id = m_ids.front();
    m_ids.pop_front();
    return id;
}

bool RunQueue::remove(int id)
{
    return std::erase(m_ids, id) > 0;
}

bool RunQueue::contains(int id) const
{
    return std::ranges::find(m_ids, id) != m_ids.end();
}

} // namespace quadric::run
