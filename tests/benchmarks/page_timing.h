// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"

#include <QObject>
#include <QTest>

#include <chrono>
#include <cstdio>
#include <set>
#include <utility>
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

/// A page as it stands in the window, with somebody who answers its requests as the editor does.
template <typename PageType> struct ShownPage {
    ShownPage(const study::Study& study, std::vector<model::Fit> known)
        : fits(std::move(known))
    {
        QObject::connect(&page, &widgets::Page::changeRequested, &page,
                         [this](const study::Study& after) { page.setContext(contextOf(after, fits)); });
        page.setContext(contextOf(study, fits));
        page.resize(1120, 760);
        page.show();
        if (!QTest::qWaitForWindowExposed(&page))
            std::fputs("the window does not appear\n", stderr);
        QTest::qWait(500);
    }
    std::vector<model::Fit> fits;
    PageType page;
};

} // namespace quadric
