// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <optional>

namespace quadric::run {

/// The runs to come, by id, in the order in which they will be executed; each at most once.
class RunQueue {
public:
    void append(int id) { m_ids.push_back(id); }
    void prepend(int id) { m_ids.push_front(id); }

    /// The next run, taken out.
    std::optional<int> takeFirst();

    /// False when it was not in the queue.
    bool remove(int id);

    bool contains(int id) const;
    bool isEmpty() const { return m_ids.empty(); }
    int size() const { return static_cast<int>(m_ids.size()); }
    const std::deque<int>& ids() const { return m_ids; }

private:
    std::deque<int> m_ids;
};

} // namespace quadric::run
