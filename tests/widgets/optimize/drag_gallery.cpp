// SPDX-License-Identifier: GPL-3.0-or-later
// Records one drag of a weight slider on the real Optimize page as a series of pictures, to be looked at:
//   drag_gallery STUDY FOLDER [light|dark] [WIDTHxHEIGHT]     (QT_SCALE_FACTOR=2 for a fine screen)
// writes frame-000.png …, one for each position of the slider, taken as soon as the page has painted it.
#include "core/study/document/document.h"
#include "page_fixture.h"
#include "widgets/base/theme.h"
#include "widgets/optimize/optimize_page.h"

#include <QApplication>
#include <QDir>
#include <QRegularExpression>
#include <QSlider>
#include <QTabWidget>
#include <QTest>

#include <cstdio>

using namespace quadric;
using namespace quadric::widgets;

namespace {

constexpr int kFrames = 24;

QSize sizeFrom(const QString& text)
{
    const QStringList parts = text.split(QLatin1Char('x'));
    return parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize(1120, 760);
}

void record(OptimizePage& page, const QString& folder)
{
    const QList<QSlider*> sliders =
        page.findChildren<QSlider*>(QRegularExpression(QStringLiteral("^weight:")));
    QSlider* slider = sliders.first();
    slider->setSliderDown(true);
    for (int frame = 0; frame < kFrames; ++frame) {
        slider->setSliderPosition(slider->maximum() * frame / (kFrames - 1));
        QCoreApplication::processEvents();
        page.grab().save(QStringLiteral("%1/frame-%2.png").arg(folder).arg(frame, 3, 10, QLatin1Char('0')));
    }
    slider->setSliderDown(false);
}

void recordTabs(OptimizePage& page, const QString& folder)
{
    auto* tabs = page.findChild<QTabWidget*>();
    for (int tab = 0; tab < tabs->count(); ++tab) {
        tabs->setCurrentIndex(tab);
        QTest::qWait(1500);
        page.grab().save(QStringLiteral("%1/view-%2.png").arg(folder).arg(tab));
    }
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    if (argc < 3) {
        std::fputs("drag_gallery STUDY FOLDER [light|dark] [WIDTHxHEIGHT]\n", stderr);
        return 2;
    }
    const QString folder = QString::fromLocal8Bit(argv[2]);
    QDir().mkpath(folder);
    const bool isDark = argc > 3 && QString::fromLocal8Bit(argv[3]) == QLatin1String("dark");
    applyTheme(application, isDark ? ThemeChoice::Dark : ThemeChoice::Light);
    OptimizePage page;
    QObject::connect(&page, &Page::changeRequested, &page,
                     [&page](const study::Study& after) { page.setContext(contextOf(after)); });
    page.setContext(contextOf(study::loadStudy(argv[1]).study));
    page.resize(sizeFrom(argc > 4 ? QString::fromLocal8Bit(argv[4]) : QString()));
    page.show();
    QTest::qWait(500);
    record(page, folder);
    recordTabs(page, folder);
    return 0;
}
