// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/response_charts.h"

#include "core/run/follow/live_series.h"
#include "widgets/monitor/live_chart.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

bool isSameChart(const study::Response& one, const study::Response& other)
{
    return one.name == other.name && one.unit == other.unit;
}

} // namespace

ResponseCharts::ResponseCharts(QWidget& parent)
    : m_parent(parent)
{
}

bool ResponseCharts::setResponses(const std::vector<study::Response>& responses)
{
    if (std::ranges::equal(responses, m_responses, isSameChart))
        return false;
    qDeleteAll(m_charts);
    m_charts.clear();
    m_responses = responses;
    for (const study::Response& response : responses) {
        auto* chart =
            new LiveChart(QString::fromStdString(response.name), QString::fromStdString(response.unit));
        chart->setObjectName(QStringLiteral("liveResponse-%1").arg(chart->accessibleName()));
        chart->setParent(&m_parent);
        chart->hide();
        m_charts.push_back(chart);
    }
    return true;
}

std::vector<LiveChart*> ResponseCharts::fill(const run::RunSamples& samples,
                                             const std::vector<run::ComparedRun>& others)
{
    std::vector<LiveChart*> shown;
    for (std::size_t i = 0; i < m_charts.size(); ++i) {
        const std::vector<run::TimePoint> points = run::seriesOfResponse(samples, m_responses[i].name);
        const bool hasLine = points.size() > 1;
        m_charts[i]->setVisible(hasLine);
        if (!hasLine)
            continue;
        m_charts[i]->setPoints(points);
        m_charts[i]->setOthers(linesOf(others, [&](const run::RunSamples& each) {
            return run::seriesOfResponse(each, m_responses[i].name);
        }));
        shown.push_back(m_charts[i]);
    }
    return shown;
}

std::vector<LiveChart*> ResponseCharts::all() const
{
    return m_charts;
}

} // namespace quadric::widgets
