// SPDX-License-Identifier: GPL-3.0-or-later
// How long a view of the real Explore page takes from a step of a slider that holds a factor until it has
// been painted again, and how much of that the window's own thread works. Prints percentiles.
//   explore_page_benchmark [STEPS]      (QT_QPA_PLATFORM says where: offscreen, xcb, …)
#include "core/model/select/model_choice.h"
#include "page_timing.h"
#include "slider_study.h"
#include "widgets/base/theme.h"
#include "widgets/explore/explore_page.h"

#include <QApplication>
#include <QSlider>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace quadric;
using namespace quadric::widgets;

namespace {

constexpr const char* kViews[] = {
    "main-effects", "interactions", "interaction-profiler", "perturbation", "cube", "surface", "contour"};

using Shown = ShownPage<ExplorePage>;

/// Of the last factor, which no view has on an axis.
QSlider* sliderOf(const Shown& shown, const std::string& factor)
{
    const QList<QSlider*> all = shown.page.findChildren<QSlider*>();
    const auto found = std::ranges::find(all, QString::fromStdString(factor), &QSlider::accessibleName);
    return found == all.end() ? nullptr : *found;
}

bool measure(const study::Study& study, const std::vector<model::Fit>& fits, const char* view, int steps)
{
    Shown shown(study, fits);
    shown.page.showView(view);
    QCoreApplication::processEvents();
    QSlider* slider = sliderOf(shown, study.factors.back().name);
    if (slider == nullptr)
        return false;
    PaintWatch watch(visiblePlots(shown.page));
    std::vector<double> painted, worked;
    for (int step = 0; step < steps; ++step) {
        const int place = 1 + step % (slider->maximum() - 1);
        watch.begin();
        const Clock::time_point start = Clock::now();
        const double work = threadMilliseconds();
        slider->setSliderPosition(place == slider->sliderPosition() ? 0 : place);
        while (!watch.isDone() && millisecondsSince(start) < 1000)
            QCoreApplication::processEvents();
        painted.push_back(millisecondsSince(start));
        worked.push_back(threadMilliseconds() - work);
    }
    std::printf("%s (%zu plots)\n", view, watch.size());
    printTimes("step to all plots painted", painted);
    printTimes("work of the window's thread", worked);
    return true;
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    applyTheme(application, ThemeChoice::Light);
    const int steps = argc > 1 ? std::max(10, std::atoi(argv[1])) : 100;
    const study::Study study = model::withChosenModels(sliderStudy(6, 2, 60, BenchmarkFactors::Mixed));
    const std::vector<model::Fit> fits = model::fitStudy(study);
    bool areAllMeasured = true;
    for (const char* view : kViews)
        areAllMeasured = measure(study, fits, view, steps) && areAllMeasured;
    return areAllMeasured ? 0 : 1;
}
