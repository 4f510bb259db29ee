// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_queue.h"

namespace quadric::run {

std::optional<int> RunQueue::takeFirst()
{
    if (m_ids.empty())
        return std::nullopt;
    const int id = m_ids.front();
    m_ids.pop_front();
    return id;
}

} // namespace quadric::run
