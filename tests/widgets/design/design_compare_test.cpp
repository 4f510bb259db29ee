// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/qt_tests.h"
#include "widgets/design/compare_dialog.h"
#include "widgets/plots/scene/design_cube.h"

#include <QLabel>
#include <QListWidget>
#include <QTableView>
#include <QTest>

#include <algorithm>

using namespace quadric;
using namespace quadric::widgets;

namespace {

study::Study mixedStudy()
{
    study::Study study;
    for (const char* name : {"temperature_of_reactor", "time", "flow"})
        study.factors.push_back({.name = name, .low = 10.0, .high = 20.0});
    study.design.type = "box-behnken";
    return design::layOut(std::move(study));
}

QListWidgetItem* findItem(const QListWidget& list, const QString& name)
{
    const QList<QListWidgetItem*> found = list.findItems(name, Qt::MatchStartsWith);
    return found.isEmpty() ? nullptr : found.front();
}

} // namespace

class CompareTest : public QObject {
    Q_OBJECT

private slots:
    void comparesSeveralDesignsAtOnce()
    {
        CompareDialog dialog(mixedStudy(), {});
        dialog.show();
        auto* list = dialog.findChild<QListWidget*>("comparedDesigns");
        auto* table = dialog.findChild<QTableView*>("comparisonTable");
        QTRY_VERIFY_WITH_TIMEOUT(table->model()->columnCount() == 3,
                                 kPatienceMs); // this one and the first offer
        for (const char* name : {"Full factorial", "Definitive screening"})
            findItem(*list, QLatin1String(name))->setCheckState(Qt::Checked);
        QTRY_VERIFY_WITH_TIMEOUT(table->model()->columnCount() == 5, kPatienceMs);
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const QString name = table->model()->index(row, 0).data().toString();
            QVERIFY2(table->fontMetrics().horizontalAdvance(name) < table->columnWidth(0), qPrintable(name));
        }
        QVERIFY(dialog.findChild<QLabel*>("comparisonNote")->isVisible());
        std::vector<int> widths;
        for (const DesignCube* cube : dialog.findChildren<DesignCube*>())
            if (cube->isVisible())
                widths.push_back(cube->width());
        QCOMPARE(widths.size(), size_t(4));
        const auto [least, most] = std::ranges::minmax(widths);
        QVERIFY2(most - least <= 2, qPrintable(QStringLiteral("%1 … %2 px").arg(least).arg(most)));
        QVERIFY(least >= 160);
    }

    void theFirstChosenGivesWayToAFourth()
    {
        const study::Study study = mixedStudy();
        CompareDialog dialog(study, {});
        auto* list = dialog.findChild<QListWidget*>("comparedDesigns");
        for (const char* name : {"one", "two", "three", "four"})
            dialog.compareWith(QLatin1String(name), study);
        QTRY_VERIFY(findItem(*list, QStringLiteral("four")));
        QCOMPARE(findItem(*list, QStringLiteral("one"))->checkState(), Qt::Unchecked);
        for (const char* name : {"two", "three", "four"})
            QCOMPARE(findItem(*list, QLatin1String(name))->checkState(), Qt::Checked);
        auto* table = dialog.findChild<QTableView*>("comparisonTable");
        QTRY_VERIFY_WITH_TIMEOUT(table->model()->columnCount() == 5, kPatienceMs);
    }
};

QUADRIC_QT_TEST(CompareTest)
#include "design_compare_test.moc"
