// SPDX-License-Identifier: GPL-3.0-or-later

// Pictures of every page and every tab of a study's window in two sizes, and of the wizard, for people to
// look at:
//   window_gallery STUDY FOLDER      (with QT_SCALE_FACTOR=2 in one, 2560 x 1440 pixels; "dark" or "contrast"
//                                    in the folder's name chooses the theme)
#include "app/gui/frame/rail.h"
#include "app/gui/main_window.h"
#include "test_surroundings.h"
#include "widgets/explore/explore_page.h"
#include "widgets/explore/views/explore_views.h"
#include "widgets/wizard/study_wizard.h"

#include <QSettings>
#include <QTabBar>

#include <cstdio>
#include <filesystem>

using namespace quadric;

namespace {

void keep(app::MainWindow& window, const QString& name)
{
    QTest::qWait(400); // searches in the background
    test::keepPicture(window, qPrintable(QStringLiteral("%1-%2").arg(window.width()).arg(name)));
}

/// The tabs of the page that is shown, one after the other.
void keepTabs(app::MainWindow& window, const QString& page)
{
    keep(window, page);
    for (QTabBar* tabs : window.findChildren<QTabBar*>()) {
        if (!tabs->isVisible())
            continue;
        const int first = tabs->currentIndex();
        for (int tab = 0; tab < tabs->count(); ++tab) {
            tabs->setCurrentIndex(tab);
            if (tab != first)
                keep(window, QStringLiteral("%1-%2").arg(page, tabs->tabText(tab).remove(QLatin1Char('&'))));
        }
        tabs->setCurrentIndex(first);
    }
}

/// All views of Explore, one after the other.
void keepViews(app::MainWindow& window)
{
    auto* page = window.findChild<widgets::ExplorePage*>();
    for (const auto& view : widgets::exploreViews()) {
        page->showView(view.id);
        keep(window, QStringLiteral("explore-") + QString::fromStdString(view.id));
    }
    page->showView("surface");
}

void keepWizard(app::MainWindow& window)
{
    window.newStudy();
    auto* wizard = window.findChild<widgets::StudyWizard*>();
    for (int step = 0; step < 6; ++step) {
        wizard->setStep(static_cast<widgets::WizardStep>(step));
        QTest::qWait(400);
        test::keepPicture(*wizard,
                          qPrintable(QStringLiteral("%1-wizard-%2").arg(window.width()).arg(step + 1)));
    }
    wizard->reject();
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 3)
        return std::fputs("window_gallery STUDY FOLDER\n", stderr), 2;
    qputenv("QUADRIC_SHOTS", argv[2]);
    QApplication application(argc, argv);
    QTemporaryDir home;
    test::startAfresh(home);
    const std::filesystem::path study = std::filesystem::path(home.path().toStdString()) / "study.quadric";
    std::filesystem::copy_file(argv[1], study);
    QSettings store(home.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    const bool isFine = qEnvironmentVariable("QT_SCALE_FACTOR") == QStringLiteral("2");
    const std::vector<QSize> sizes =
        isFine ? std::vector{QSize(1280, 720)} : std::vector{QSize(1024, 700), QSize(1440, 900)};
    for (const QSize size : sizes) {
        app::MainWindow window(store);
        window.resize(size);
        window.show();
        window.openStudy(QString::fromStdString(study.string()));
        for (int step = 0; step < app::kSteps; ++step) {
            window.showStep(static_cast<widgets::Step>(step));
            keepTabs(window, app::stepName(static_cast<widgets::Step>(step)).toLower());
            if (static_cast<widgets::Step>(step) == widgets::Step::Explore)
                keepViews(window);
        }
        keepWizard(window);
    }
    return 0;
}
