// SPDX-License-Identifier: GPL-3.0-or-later
// How long the real Optimize page takes from an event of a weight slider until everything that can be seen
// has been painted again. Drives it through slider positions and prints percentiles, with two yardsticks
// measured in the same run: the search alone, and one plain repaint of the whole page.
//   optimize_page_benchmark [POSITIONS]      (QT_QPA_PLATFORM says where: offscreen, xcb, …)
#include "core/optimize/merit/optimum.h"
#include "slider_study.h"
#include "widgets/base/theme.h"
#include "widgets/optimize/optimize_page.h"
#include "widgets/plots/base/plot.h"

#include <QApplication>
#include <QSlider>
#include <QTabWidget>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>

using namespace quadric;
using namespace quadric::widgets;

namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Sees which plots are painted.
class PaintWatch : public QObject {
public:
    explicit PaintWatch(QWidget& page)
    {
        for (Plot* plot : page.findChildren<Plot*>())
            if (plot->isVisible() && !plot->visibleRegion().isEmpty()) {
                plot->installEventFilter(this);
                m_plots.insert(plot);
            }
    }
    std::size_t plots() const { return m_plots.size(); }
    void begin() { m_waiting = m_plots; }
    bool isDone() const { return m_waiting.empty(); }

private:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::Paint)
            m_waiting.erase(watched);
        return false;
    }

    std::set<QObject*> m_plots, m_waiting;
};

double quantile(std::vector<double> values, double share)
{
    std::ranges::sort(values);
    const double last = static_cast<double>(values.size() - 1);
    return values[static_cast<std::size_t>(std::lround(share * last))];
}

void print(const char* what, const std::vector<double>& times)
{
    std::printf("  %-34s median %6.2f  p90 %6.2f  p99 %6.2f  max %6.2f ms\n", what, quantile(times, 0.5),
                quantile(times, 0.9), quantile(times, 0.99), quantile(times, 1.0));
}

/// Back and forth over the whole slider; never the same value twice in a row.
int positionOf(int step)
{
    const int place = step % 100;
    return place <= 50 ? place : 100 - place;
}

ContextPointer contextOf(study::Study study, const std::vector<model::Fit>& fits)
{
    auto context = std::make_shared<StudyContext>();
    context->study = std::move(study);
    context->fits = fits;
    return context;
}

/// The page as it stands in the window, with somebody who answers its requests as the editor does.
struct Shown {
    explicit Shown(const study::Study& study)
        : fits(model::fitStudy(study))
    {
        QObject::connect(&page, &Page::changeRequested, &page,
                         [this](const study::Study& after) { page.setContext(contextOf(after, fits)); });
        page.setContext(contextOf(study, fits));
        page.resize(1120, 760);
        page.show();
        if (!QTest::qWaitForWindowExposed(&page))
            std::fputs("the window does not appear\n", stderr);
        QTest::qWait(500);
    }
    std::vector<model::Fit> fits;
    OptimizePage page;
};

std::vector<double> drag(Shown& shown, int positions)
{
    std::vector<QSlider*> sliders;
    for (QSlider* slider : shown.page.findChildren<QSlider*>())
        if (slider->accessibleName().startsWith(QStringLiteral("Weight of")))
            sliders.push_back(slider);
    PaintWatch watch(shown.page);
    std::vector<double> times;
    const int each = positions / static_cast<int>(sliders.size());
    for (QSlider* slider : sliders) {
        slider->setSliderDown(true);
        slider->setSliderPosition(25);
        QTest::qWait(200);
        for (int step = 0; step < each; ++step) {
            watch.begin();
            const Clock::time_point start = Clock::now();
            slider->setSliderPosition(positionOf(step));
            QCoreApplication::processEvents();
            while (!watch.isDone() && millisecondsSince(start) < 1000)
                QCoreApplication::processEvents();
            times.push_back(millisecondsSince(start));
        }
        slider->setSliderDown(false);
        slider->setSliderPosition(10);
        QTest::qWait(50);
    }
    return times;
}

/// The crosshair of the contour profiler, from step to step by key.
std::vector<double> moveCrosshair(Shown& shown, int steps)
{
    auto* map = shown.page.findChild<Plot*>(QStringLiteral("contourProfiler"));
    PaintWatch watch(shown.page);
    std::vector<double> times;
    for (int step = 0; step < steps; ++step) {
        watch.begin();
        const Clock::time_point start = Clock::now();
        QTest::keyClick(map, step % 20 < 10 ? Qt::Key_Left : Qt::Key_Right, Qt::ShiftModifier);
        QCoreApplication::processEvents();
        while (!watch.isDone() && millisecondsSince(start) < 1000)
            QCoreApplication::processEvents();
        times.push_back(millisecondsSince(start));
    }
    return times;
}

std::vector<double> searchAlone(const study::Study& start, const std::vector<model::Fit>& fits, int positions)
{
    study::Study study = start;
    optimize::Optimum best = optimize::findOptimum(study, fits);
    std::vector<double> times;
    for (int step = 0; step < positions; ++step) {
        study.responses[0].weight = positionOf(step) / 10.0;
        const Clock::time_point begin = Clock::now();
        best = optimize::findOptimum(study, fits);
        times.push_back(millisecondsSince(begin));
    }
    return times;
}

std::vector<double> repaintAlone(QWidget& page, int times)
{
    std::vector<double> each;
    for (int i = 0; i < times; ++i) {
        const Clock::time_point begin = Clock::now();
        page.repaint();
        QCoreApplication::processEvents();
        each.push_back(millisecondsSince(begin));
    }
    return each;
}

void measure(int factors, int responses, int runs, int positions)
{
    const study::Study study = sliderStudy(factors, responses, runs, BenchmarkFactors::Mixed);
    Shown shown(study);
    auto* deck = shown.page.findChild<QTabWidget*>();
    for (int tab = 0; tab < deck->count(); ++tab) {
        deck->setCurrentIndex(tab);
        QTest::qWait(600);
        std::printf("%d factors, %d responses, below the profiler: %s (%zu plots)\n", factors, responses,
                    qPrintable(deck->tabText(tab)), PaintWatch(shown.page).plots());
        const std::vector<double> times = drag(shown, tab == 0 ? positions : std::max(40, positions / 10));
        print("event to all plots painted", times);
        if (tab == 0)
            print("the same, moving the crosshair", moveCrosshair(shown, 100));
        if (tab > 0)
            continue;
        const std::vector<double> search = searchAlone(study, shown.fits, 60);
        const std::vector<double> repaint = repaintAlone(shown.page, 60);
        print("yardstick: findOptimum() alone", search);
        print("yardstick: repaint of the page", repaint);
        std::printf("  ratio to both yardsticks together  %.2f\n",
                    quantile(times, 0.5) / (quantile(search, 0.5) + quantile(repaint, 0.5)));
    }
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    applyTheme(application, ThemeChoice::Light);
    const int positions = argc > 1 ? std::atoi(argv[1]) : 1000;
    std::printf("platform %s\n", qPrintable(QGuiApplication::platformName()));
    measure(3, 4, 27, positions);
    measure(6, 5, 60, positions);
    return 0;
}
