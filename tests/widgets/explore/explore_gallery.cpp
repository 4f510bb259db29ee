// SPDX-License-Identifier: GPL-3.0-or-later
// Writes pictures of every view of a study, light and dark, small and large, at single and double resolution,
// and of the page in a small window, to be looked at:
//     explore_gallery STUDY FOLDER [VIEW]
#include "core/study/document/document.h"
#include "widgets/base/theme.h"
#include "widgets/explore/explore_page.h"
#include "widgets/explore/views/explore_views.h"
#include "widgets/plots/scene/surface_view.h"

#include <QApplication>
#include <QTest>

#include <cstdio>

using namespace quadric;
using namespace quadric::widgets;

namespace {

void save(QWidget& widget, QSize size, int scale, const QString& file)
{
    widget.resize(size);
    widget.show();
    QTest::qWait(30);
    QImage image(size * scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    widget.render(&image);
    image.save(file);
}

void saveViews(const StudyContext& context, const QString& stem, const std::string& wanted)
{
    for (const ExploreView& row : exploreViews()) {
        if (!row.make || (!wanted.empty() && row.id != wanted))
            continue;
        const std::unique_ptr<View> view(row.make());
        view->setAutoFillBackground(true);
        view->showFit(context.study, context.fits.front());
        view->setPickedRuns(context.study.runs.front().id);
        const QString name = stem + QString::fromStdString(row.id);
        save(*view, {560, 420}, 1, name + QStringLiteral("-1x.png"));
        save(*view, {900, 600}, 2, name + QStringLiteral("-2x.png"));
        save(*view, {300, 220}, 1, name + QStringLiteral("-small.png"));
        if (auto* surface = view->findChild<SurfaceView*>()) {
            surface->setIntervalShown(true);
            surface->setContoursShown(true);
            save(*view, {900, 600}, 1, name + QStringLiteral("-extras.png"));
        }
    }
}

void savePage(ContextPointer context, const QString& stem)
{
    ExplorePage page;
    page.setContext(context);
    page.setAutoFillBackground(true);
    save(page, {1180, 780}, 1, stem + QStringLiteral("page-1x.png"));
    save(page, {760, 540}, 2, stem + QStringLiteral("page-2x.png")); // what a window of 900 × 600 leaves
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    if (argc < 3) {
        std::fputs("explore_gallery STUDY FOLDER [VIEW]\n", stderr);
        return 2;
    }
    auto context = std::make_shared<StudyContext>();
    context->study = study::loadStudy(argv[1]).study;
    context->fits = model::fitStudy(context->study);
    for (const bool dark : {false, true}) {
        applyTheme(application, dark ? ThemeChoice::Dark : ThemeChoice::Light);
        const QString stem =
            QString::fromLocal8Bit(argv[2]) + (dark ? QStringLiteral("/dark-") : QStringLiteral("/light-"));
        saveViews(*context, stem, argc > 3 ? argv[3] : "");
        savePage(context, stem);
    }
    return 0;
}
