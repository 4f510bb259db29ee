// SPDX-License-Identifier: GPL-3.0-or-later
// Draws every page of the window into PNG files, light and dark, large and small, to be looked at:
//   pages_gallery STUDY FOLDER
#include "core/study/document/document.h"
#include "widgets/base/theme.h"
#include "widgets/explore/explore_page.h"
#include "widgets/monitor/run_page.h"
#include "widgets/optimize/optimize_page.h"
#include "widgets/plan/plan_page.h"
#include "widgets/report/page_preview.h"
#include "widgets/report/report_page.h"

#include <QApplication>
#include <QTabWidget>
#include <QTest>

#include <cmath>
#include <cstdio>

using namespace quadric;
using namespace quadric::widgets;

namespace {

struct NamedPage {
    QString name;
    std::unique_ptr<Page> page;
};

std::vector<NamedPage> makePages()
{
    std::vector<NamedPage> pages;
    pages.push_back({QStringLiteral("run"), std::make_unique<RunPage>()});
    pages.push_back({QStringLiteral("explore"), std::make_unique<ExplorePage>()});
    pages.push_back({QStringLiteral("optimize"), std::make_unique<OptimizePage>()});
    pages.push_back({QStringLiteral("plan"), std::make_unique<PlanPage>()});
    pages.push_back({QStringLiteral("report"), std::make_unique<ReportPage>()});
    return pages;
}

/// News as a runner sends them, so that charts, log and progress have something to show.
void feed(RunPage& page, const study::Study& study)
{
    const int run = study::inRunOrder(study)[2]->id;
    run::RunnerNews news;
    news.active[run] = {.done = 0.42, .phase = "measure", .waitsFor = {}, .devices = {}};
    news.remaining = run::TimeLeft{130.0, 100.0, 170.0};
    page.showNews(news);
    page.pickRuns(run);
    run::RunSamples samples;
    for (int i = 0; i < 200; ++i) {
        samples.steps.push_back({0.1 * i, 41.8 + 1.5 * std::sin(i / 9.0) + (i % 37 == 0 ? 6.0 : 0.0)});
        samples.machine.push_back({.seconds = 0.1 * i,
                                   .clockMhz = 1755.0 - 15.0 * (i % 20 == 0),
                                   .powerW = 610.0 + 8.0 * std::sin(i / 5.0),
                                   .temperatureC = 61.0 + 0.02 * i,
                                   .busyPct = 40.0,
                                   .foreignPct = 2.0 + (i % 50 == 0 ? 6.0 : 0.0)});
    }
    page.showSamples(run, samples, true);
    QString log;
    for (int i = 0; i < 30; ++i)
        log += QStringLiteral("step %1: loss 2.3%2\n").arg(i * 10).arg(i);
    page.showLog(run, log, true);
}

void save(QWidget& page, const QString& file)
{
    page.show();
    QTest::qWait(150);
    if (const auto* preview = page.findChild<PagePreview*>()) {
        if (!QTest::qWaitFor([preview] { return preview->report() != nullptr; }, 60000))
            std::fputs("the pages of the report were not set in a minute\n", stderr);
        QTest::qWait(500); // the first pages are drawn
    }
    QPixmap shot(page.size() * 2);
    shot.setDevicePixelRatio(2);
    page.render(&shot);
    shot.save(file);
}

void saveTabs(QWidget& page, const QString& stem)
{
    auto* tabs = page.findChild<QTabWidget*>();
    for (int tab = 0; tabs != nullptr && tab < tabs->count(); ++tab) {
        tabs->setCurrentIndex(tab);
        QTest::qWait(400);
        save(page, QStringLiteral("%1-tab%2.png").arg(stem).arg(tab));
    }
}

void saveAll(ContextPointer context, const QString& folder, const QString& theme)
{
    for (const QSize size : {QSize(1080, 740), QSize(720, 540)})
        for (NamedPage& each : makePages()) {
            each.page->resize(size);
            each.page->setContext(context);
            if (auto* run = qobject_cast<RunPage*>(each.page.get()))
                feed(*run, context->study);
            const QString stem =
                QStringLiteral("%1/%2-%3-%4").arg(folder, each.name, theme).arg(size.width());
            if (each.page->findChild<QTabWidget*>() != nullptr)
                saveTabs(*each.page, stem);
            else
                save(*each.page, stem + QStringLiteral(".png"));
        }
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    if (argc != 3) {
        std::fputs("pages_gallery STUDY FOLDER\n", stderr);
        return 2;
    }
    const QString folder = QString::fromLocal8Bit(argv[2]);
    auto context = std::make_shared<StudyContext>();
    context->study = study::loadStudy(argv[1]).study;
    context->fits = model::fitStudy(context->study);
    applyTheme(application, ThemeChoice::Light);
    saveAll(context, folder, QStringLiteral("light"));
    QString problem;
    for (const auto& [name, isLetter] :
         {std::pair("report.pdf", false), std::pair("letter.pdf", true), std::pair("report.html", false)})
        problem +=
            writeReport(context, {.letterPaper = isLetter}, folder + QLatin1Char('/') + QLatin1String(name));
    std::fputs(qPrintable(problem), stderr);
    applyTheme(application, ThemeChoice::Dark);
    saveAll(context, folder, QStringLiteral("dark"));
    return problem.isEmpty() ? 0 : 1;
}
