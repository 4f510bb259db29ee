// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/cuda/stream.h"

#include <optional>

namespace quadric::trainer::cuda {

/// Work that is done again and again. The first time it goes into the stream call by call, which loads
/// kernels and opens connections; then it is recorded as a graph and started as one.
class RecordedWork {
public:
    /// `mayRecord` is false for work that a graph cannot hold.
    template <typename Enqueue> void run(const Stream& stream, bool mayRecord, const Enqueue& enqueue)
    {
        if (!m_hasRun || !mayRecord) {
            enqueue();
            m_hasRun = true;
            return;
        }
        if (!m_graph)
            m_graph.emplace(stream, enqueue);
        m_graph->launch(stream);
    }

private:
    bool m_hasRun = false;
    std::optional<Graph> m_graph;
};

} // namespace quadric::trainer::cuda
