// SPDX-License-Identifier: GPL-3.0-or-later
// Draws every tab of the page Plan into PNG files, light and dark, large and small, to be looked at:
//   plan_gallery STUDY FOLDER
#include "core/study/document/document.h"
#include "page_fixture.h"
#include "widgets/base/theme.h"
#include "widgets/plan/plan_page.h"

#include <QApplication>
#include <QTabWidget>
#include <QTest>

#include <cstdio>

using namespace quadric;
using namespace quadric::widgets;

namespace {

constexpr int kTimeForJobs = 2500; ///< ms

void saveTabs(PlanPage& page, const QString& stem)
{
    auto* tabs = page.findChild<QTabWidget*>();
    for (int tab = 0; tab < tabs->count(); ++tab) {
        tabs->setCurrentIndex(tab);
        QTest::qWait(kTimeForJobs);
        page.grab().save(QStringLiteral("%1-%2.png").arg(stem, tabs->tabText(tab).toLower()));
    }
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    if (argc != 3) {
        std::fputs("plan_gallery STUDY FOLDER\n", stderr);
        return 2;
    }
    const ContextPointer context = contextOf(study::loadStudy(argv[1]).study);
    for (const auto& [theme, name] : {std::pair(ThemeChoice::Light, "light"), {ThemeChoice::Dark, "dark"}})
        for (const QSize size : {QSize(1240, 800), QSize(856, 610)}) {
            applyTheme(application, theme);
            PlanPage page;
            page.resize(size);
            page.setContext(context);
            page.show();
            saveTabs(page, QStringLiteral("%1/plan-%2-%3")
                               .arg(QString::fromLocal8Bit(argv[2]), QLatin1String(name))
                               .arg(size.width()));
        }
    return 0;
}
