// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"

#include <QObject>

#include <chrono>
#include <set>
#include <vector>

namespace quadric {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start);
/// Processor time of the calling thread, in milliseconds: other threads and other programs do not change it.
double threadMilliseconds();
double quantile(std::vector<double> values, double share);
void printTimes(const char* what, const std::vector<double>& times);

widgets::ContextPointer contextOf(study::Study study, const std::vector<model::Fit>& fits);

/// Sees which widgets are painted.
class PaintWatch : public QObject {
public:
    explicit PaintWatch(const std::vector<QWidget*>& widgets);
    std::size_t size() const { return m_widgets.size(); }
    void begin() { m_waiting = m_widgets; }
    void expectAgain(QObject* widget);
    bool isDone() const { return m_waiting.empty(); }

private:
    bool eventFilter(QObject* watched, QEvent* event) override;

    std::set<QObject*> m_widgets, m_waiting;
};

/// The plots below a widget that can be seen.
std::vector<QWidget*> visiblePlots(const QWidget& page);

} // namespace quadric
