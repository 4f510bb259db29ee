// SPDX-License-Identifier: GPL-3.0-or-later
// How long the real Optimize page takes from an event of a weight slider until the profiler has been painted
// again, and until the view below it has, which for front, probability and others is after a search in the
// background; and how much of that the window's own thread works. Drives it through slider positions and
// prints percentiles, with two yardsticks measured in the same run: the search alone, and one plain repaint
// of the page.
//   optimize_page_benchmark [POSITIONS]      (QT_QPA_PLATFORM says where: offscreen, xcb, …)
#include "core/optimize/merit/optimum.h"
#include "page_timing.h"
#include "slider_study.h"
#include "widgets/base/theme.h"
#include "widgets/optimize/optimize_page.h"
#include "widgets/plots/base/plot.h"

#include <QApplication>
#include <QSlider>
#include <QTabWidget>
#include <QTest>
#include <QThreadPool>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace quadric;
using namespace quadric::widgets;

namespace {

constexpr double kPatience = 3000; ///< milliseconds

/// Back and forth over the whole slider; never the same value twice in a row.
int positionOf(int step)
{
    const int place = step % 100;
    return place <= 50 ? place : 100 - place;
}

using Shown = ShownPage<OptimizePage>;

/// Lets the searches in the background end and be shown.
void settle()
{
    do
        QTest::qWait(20);
    while (QThreadPool::globalInstance()->activeThreadCount() > 0);
    QTest::qWait(20);
}

struct Times {
    std::vector<double> profiler, all, work;

    void print() const
    {
        printTimes("event to the profiler painted", profiler);
        printTimes("event to all plots painted", all);
        printTimes("work of the window's thread", work);
    }
};

/// What `step` does to the page, until all plots that it changes have been painted.
template <typename Step> void timeStep(PaintWatch& profiler, PaintWatch& all, Times& times, Step step)
{
    profiler.begin();
    all.begin();
    const Clock::time_point start = Clock::now();
    const double work = threadMilliseconds();
    step();
    while (!profiler.isDone() && millisecondsSince(start) < kPatience)
        QCoreApplication::processEvents();
    times.profiler.push_back(millisecondsSince(start));
    while (!all.isDone() && millisecondsSince(start) < kPatience)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
    times.all.push_back(millisecondsSince(start));
    times.work.push_back(threadMilliseconds() - work);
}

Times drag(Shown& shown, int positions)
{
    std::vector<QSlider*> sliders;
    for (QSlider* slider : shown.page.findChildren<QSlider*>())
        if (slider->accessibleName().startsWith(QStringLiteral("Weight of")))
            sliders.push_back(slider);
    PaintWatch profiler({shown.page.findChild<Plot*>(QStringLiteral("profiler"))});
    PaintWatch all(visiblePlots(shown.page));
    Times times;
    const int each = positions / static_cast<int>(sliders.size());
    for (QSlider* slider : sliders) {
        slider->setSliderDown(true);
        slider->setSliderPosition(25);
        settle();
        for (int step = 0; step < each; ++step)
            timeStep(profiler, all, times, [&] { slider->setSliderPosition(positionOf(step)); });
        slider->setSliderDown(false);
        slider->setSliderPosition(10);
        settle();
    }
    return times;
}

/// The dot of the map, from step to step by key.
Times moveCrosshair(Shown& shown, int steps)
{
    auto* map = shown.page.findChild<Plot*>(QStringLiteral("map"));
    PaintWatch profiler({shown.page.findChild<Plot*>(QStringLiteral("profiler"))});
    PaintWatch all(visiblePlots(shown.page));
    Times times;
    for (int step = 0; step < steps; ++step)
        timeStep(profiler, all, times, [&] {
            QTest::keyClick(map, step % 20 < 10 ? Qt::Key_Left : Qt::Key_Right, Qt::ShiftModifier);
        });
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
    Shown shown(study, model::fitStudy(study));
    auto* deck = shown.page.findChild<QTabWidget*>();
    for (int tab = 0; tab < deck->count(); ++tab) {
        const Clock::time_point start = Clock::now();
        deck->setCurrentIndex(tab);
        settle();
        std::printf("%d factors, %d responses, below the profiler: %s (%zu plots), complete after %.0f ms\n",
                    factors, responses, qPrintable(deck->tabText(tab)), visiblePlots(shown.page).size(),
                    millisecondsSince(start));
        const Times times = drag(shown, tab == 0 ? positions : std::max(40, positions / 10));
        times.print();
        if (tab > 0)
            continue;
        std::puts(" the same, moving the crosshair");
        moveCrosshair(shown, 100).print();
        const std::vector<double> search = searchAlone(study, shown.fits, 60);
        const std::vector<double> repaint = repaintAlone(shown.page, 60);
        printTimes("yardstick: findOptimum() alone", search);
        printTimes("yardstick: repaint of the page", repaint);
        std::printf("  ratio to both yardsticks together  %.2f\n",
                    quantile(times.all, 0.5) / (quantile(search, 0.5) + quantile(repaint, 0.5)));
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
