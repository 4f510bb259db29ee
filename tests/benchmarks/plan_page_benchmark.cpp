// SPDX-License-Identifier: GPL-3.0-or-later
// How long the real Plan page takes from an event of each of its sliders until the figure has been painted,
// and until it is painted for the last time: what follows in the background is told apart so. The processor
// time until the first is what a busy machine does not change.
//   plan_page_benchmark STUDY [POSITIONS] [TAB]     (QT_QPA_PLATFORM says where: offscreen, xcb, …)
#include "core/model/fit/fit.h"
#include "core/plan/plan_choices.h"
#include "core/study/document/document.h"
#include "page_timing.h"
#include "widgets/base/theme.h"
#include "widgets/plan/plan_page.h"
#include "widgets/plan/plan_view.h"
#include "widgets/plots/panel/panel_plot.h"

#include <QApplication>
#include <QSlider>
#include <QTabWidget>

#include <cstdio>

using namespace quadric;
using namespace quadric::widgets;

namespace {

constexpr int kQuiet = 250; ///< ms without a paint: nothing more comes

/// When a figure was painted first and last since an event.
class PaintClock : public QObject {
public:
    explicit PaintClock(Plot& plot)
        : QObject(&plot)
    {
        plot.installEventFilter(this);
    }
    void begin()
    {
        m_start = Clock::now();
        m_startProcessor = threadMilliseconds();
        m_first = m_last = m_processor = 0.0;
    }
    double first() const { return m_first; }
    double processor() const { return m_processor; }
    double last() const { return m_last; }
    bool isQuiet() const { return millisecondsSince(m_start) - m_last > kQuiet; }

private:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() != QEvent::Paint)
            return false;
        watched->removeEventFilter(this); // what is painted is part of the time
        QCoreApplication::sendEvent(watched, event);
        watched->installEventFilter(this);
        m_last = millisecondsSince(m_start);
        if (m_first == 0.0) {
            m_first = m_last;
            m_processor = threadMilliseconds() - m_startProcessor;
        }
        return true;
    }

    Clock::time_point m_start;
    double m_first = 0.0, m_last = 0.0, m_startProcessor = 0.0, m_processor = 0.0;
};

using Shown = ShownPage<PlanPage>;

void drag(QSlider& slider, PaintClock& painted, int positions)
{
    std::vector<double> first, last, processor;
    const int range = slider.maximum() - slider.minimum();
    for (int i = 0; i < positions; ++i) {
        painted.begin();
        const int next = slider.minimum() + (range * (2 * i + 1) / (2 * positions));
        slider.setValue(next == slider.value() ? next + 1 : next);
        while (!painted.isQuiet())
            QCoreApplication::processEvents();
        if (painted.first() > 0.0) {
            first.push_back(painted.first());
            last.push_back(painted.last());
            processor.push_back(painted.processor());
        }
    }
    if (first.empty())
        return (void)std::printf("  %-28s changes nothing\n", qPrintable(slider.accessibleName()));
    std::printf("  %-28s painted: median %6.1f  99 %% %6.1f ms (processor %6.1f  %6.1f)   for the last time: "
                "median %6.1f  max %6.1f\n",
                qPrintable(slider.accessibleName()), quantile(first, 0.5), quantile(first, 0.99),
                quantile(processor, 0.5), quantile(processor, 0.99), quantile(last, 0.5),
                quantile(last, 1.0));
}

/// Everything that the tabs can show is asked for, so that each slider is there and has something to do.
study::Study asked(study::Study study)
{
    plan::PlanChoices choices = plan::readPlanChoices(study);
    choices.variation = 1.0;
    choices.gpuHour = 2.0;
    choices.kilowattHour = 0.3;
    for (const study::Response& response : study.responses) {
        if (response.unit.starts_with("J") && choices.energy.empty())
            choices.energy = response.name;
    }
    return plan::withPlanChoices(std::move(study), choices);
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    applyTheme(application, ThemeChoice::Light);
    if (argc < 2) {
        std::fputs("plan_page_benchmark STUDY [POSITIONS] [TAB]\n", stderr);
        return 2;
    }
    const int positions = argc > 2 ? std::atoi(argv[2]) : 20;
    std::printf("platform %s\n", qPrintable(QGuiApplication::platformName()));
    const study::Study study = asked(study::loadStudy(argv[1]).study);
    Shown shown(study, model::fitStudy(study));
    auto* tabs = shown.page.findChild<QTabWidget*>();
    for (int tab = 0; tab < tabs->count(); ++tab) {
        if (argc > 3 && tabs->tabText(tab) != QString::fromLocal8Bit(argv[3]))
            continue;
        tabs->setCurrentIndex(tab);
        QTest::qWait(2000);
        std::printf("%s\n", qPrintable(tabs->tabText(tab)));
        auto* view = qobject_cast<PlanView*>(tabs->widget(tab));
        PaintClock painted(*view->plot());
        for (QSlider* slider : view->findChildren<QSlider*>())
            if (slider->isVisible())
                drag(*slider, painted, positions);
    }
    return 0;
}
