// SPDX-License-Identifier: GPL-3.0-or-later
#include "page_timing.h"

#include "widgets/plots/base/plot.h"

#include <QEvent>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

namespace quadric {

double millisecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double threadMilliseconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

double quantile(std::vector<double> values, double share)
{
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)))];
}

void printTimes(const char* what, const std::vector<double>& times)
{
    std::printf("  %-40s median %6.2f  p90 %6.2f  p99 %6.2f  max %6.2f ms\n", what, quantile(times, 0.5),
                quantile(times, 0.9), quantile(times, 0.99), quantile(times, 1.0));
}

widgets::ContextPointer contextOf(study::Study study, const std::vector<model::Fit>& fits)
{
    auto context = std::make_shared<widgets::StudyContext>();
    context->study = std::move(study);
    context->fits = fits;
    return context;
}

PaintWatch::PaintWatch(const std::vector<QWidget*>& widgets)
{
    for (QWidget* widget : widgets) {
        widget->installEventFilter(this);
        m_widgets.insert(widget);
    }
}

void PaintWatch::expectAgain(QObject* widget)
{
    if (m_widgets.contains(widget))
        m_waiting.insert(widget);
}

bool PaintWatch::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Paint)
        m_waiting.erase(watched);
    return false;
}

std::vector<QWidget*> visiblePlots(const QWidget& page)
{
    std::vector<QWidget*> visible;
    for (widgets::Plot* plot : page.findChildren<widgets::Plot*>())
        if (plot->isVisible() && !plot->visibleRegion().isEmpty())
            visible.push_back(plot);
    return visible;
}

} // namespace quadric
