// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/compared_run.h"
#include "core/study/response.h"

#include <string>
#include <utility>
#include <vector>

class QWidget;

namespace quadric::widgets {

class LiveChart;

/// A chart for each response of which a program has printed values while it ran.
class ResponseCharts {
public:
    /// `parent` owns the charts.
    explicit ResponseCharts(QWidget& parent);

    /// Makes charts for these responses, hidden ones. False where they are there.
    bool setResponses(const std::vector<study::Response>& responses);

    /// Shows the charts that have a line, and hides the others. The shown ones, in the order of the
    /// responses.
    std::vector<LiveChart*> fill(const run::RunSamples& samples,
                                 const std::vector<run::ComparedRun>& others = {});

    std::vector<LiveChart*> all() const;

private:
    QWidget& m_parent;
    std::vector<study::Response> m_responses;
    std::vector<LiveChart*> m_charts; ///< one for each
};

} // namespace quadric::widgets
