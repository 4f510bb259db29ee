// SPDX-License-Identifier: GPL-3.0-or-later
// One slice through all views of the page, and what is chosen in those of effects.
#include "core/study/shown_study.h"
#include "explore_samples.h"
#include "tests/support/qt_tests.h"
#include "widgets/base/typed_value.h"
#include "widgets/explore/explore_page.h"
#include "widgets/explore/views/slice_view.h"
#include "widgets/explore/views/speed_up_view.h"
#include "widgets/plots/effect_plots.h"
#include "widgets/plots/interaction_matrix.h"
#include "widgets/plots/response_plots.h"
#include "widgets/plots/scene/cube_plot.h"
#include "widgets/plots/scene/surface_view.h"

#include <QComboBox>
#include <QSignalSpy>
#include <QSlider>
#include <QStringList>
#include <QTest>
#include <QToolButton>

#include <cmath>

using namespace quadric;
using namespace quadric::samples;
using namespace quadric::widgets;

namespace {

/// Five factors, one of them categorical, at all their corners: y = 100 + 20 A + 8 AB − 5 B·mode + 3 C, with
/// a little noise.
study::Study fiveFactors()
{
    study::Study study{.name = "five"};
    for (const char* name : {"A", "B", "C"})
        study.factors.push_back({.name = name, .low = 0, .high = 10});
    study.factors.push_back({.name = "ranks",
                             .unit = "ranks",
                             .type = study::FactorType::Integer,
                             .low = 4,
                             .high = 16,
                             .multipleOf = 4});
    study.factors.push_back(
        {.name = "mode", .type = study::FactorType::Categorical, .categories = {"slow", "fast"}});
    study.responses = {{.name = "speed", .unit = "img/s"}};
    study.model["speed"] = "interactions";
    for (int i = 0; i < 32; ++i) {
        const auto bit = [i](int place) { return ((i >> place) & 1) != 0; };
        const auto sign = [&bit](int place) { return bit(place) ? 1.0 : -1.0; };
        study::Run run{.id = i + 1, .order = i + 1};
        run.settings = {{"A", bit(0) ? 10.0 : 0.0},
                        {"B", bit(1) ? 10.0 : 0.0},
                        {"C", bit(2) ? 10.0 : 0.0},
                        {"ranks", bit(3) ? 16.0 : 4.0},
                        {"mode", bit(4) ? "fast" : "slow"}};
        run.status = study::RunStatus::Done;
        run.results["speed"] = 100 + 20 * sign(0) + 8 * sign(0) * sign(1) - 5 * sign(1) * sign(4) +
                               3 * sign(2) + 0.3 * std::sin(17.0 * i);
        study.runs.push_back(run);
    }
    return study;
}

struct FivePage {
    ExplorePage page;
    ContextPointer context;
    QSignalSpy changes{&page, &Page::changeRequested};

    explicit FivePage(const char* large)
    {
        context = contextOf(fiveFactors());
        page.resize(1400, 700);
        page.setContext(context);
        page.showView(large);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page, kPatienceMs));
    }
    study::Study asked() const { return changes.last()[0].value<study::Study>(); }
    void follow(const study::Study& study)
    {
        auto next = std::make_shared<StudyContext>(*context);
        next->study = study;
        page.setContext(next);
    }
    /// The line of a view that says where factors are held.
    QToolButton* bar(const char* view) const
    {
        return page.findChild<QWidget*>(QLatin1String(view))
            ->findChild<QToolButton*>(QStringLiteral("slice"));
    }
    template <typename Widget> Widget* named(const QString& name) const
    {
        for (Widget* each : page.findChildren<Widget*>())
            if (each->accessibleName() == name && each->isVisible())
                return each;
        return nullptr;
    }
};

/// The first row of a table in one text.
QString firstRow(const Plot* plot)
{
    return plot->table().rows.front().join(QLatin1Char(' '));
}

void choose(QComboBox* chooser, int index)
{
    QVERIFY(chooser != nullptr && index >= 0 && index < chooser->count());
    chooser->setCurrentIndex(index);
    emit chooser->activated(index);
}

} // namespace

class SliceViewsTest : public QObject {
    Q_OBJECT

private slots:
    void aSliderMovesTheSliceOfEveryViewAtOnce()
    {
        FivePage five("surface");
        auto* slider = five.named<QSlider>(QStringLiteral("C"));
        QVERIFY(slider != nullptr);
        const auto* effects = five.page.findChild<MainEffectsPlot*>();
        const auto* surface = five.page.findChild<SurfaceView*>();
        const QString before[] = {firstRow(effects), firstRow(surface)};
        slider->setValue(slider->maximum());
        QVERIFY2(firstRow(effects) != before[0], qPrintable(before[0]));
        QVERIFY2(firstRow(surface) != before[1], qPrintable(before[1]));
        QCOMPARE(five.changes.count(), 1);
        QCOMPARE(five.changes.last()[2].toString(), QStringLiteral("slice-C")); // a drag is one step
        QCOMPARE(std::get<double>(study::readSlice(five.asked()).at("C")), 10.0);
        const QString held = five.bar("main-effects")->toolTip();
        QVERIFY2(held.contains(QStringLiteral("C 10")), qPrintable(held));
    }

    void levelsAreChosenByName()
    {
        FivePage five("surface");
        auto* level = five.named<QComboBox>(QStringLiteral("mode"));
        QVERIFY(level != nullptr);
        QCOMPARE(level->currentText(), QStringLiteral("slow"));
        level->setCurrentIndex(1);
        QCOMPARE(std::get<std::string>(study::readSlice(five.asked()).at("mode")), std::string("fast"));
        auto* ranks = five.named<QSlider>(QStringLiteral("ranks"));
        QCOMPARE(ranks->maximum(), 3); // 4, 8, 12, 16
    }

    void undoTakesTheSliceBack()
    {
        FivePage five("surface");
        const study::Study before = five.context->study;
        const auto* effects = five.page.findChild<MainEffectsPlot*>();
        const QString first = firstRow(effects);
        five.follow(study::withHeld(before, "mode", "fast"));
        QVERIFY(firstRow(effects) != first);
        for (const QComboBox* each : five.page.findChildren<QComboBox*>())
            if (each->accessibleName() == QStringLiteral("mode") && each->isVisible())
                QCOMPARE(each->currentText(), QStringLiteral("fast")); // under the surface
        five.follow(before);
        QCOMPARE(firstRow(effects), first);
        QCOMPARE(five.changes.count(), 0); // what is shown asks for nothing
    }

    void valuesAreTypedInPlace()
    {
        FivePage five("surface");
        auto* field = five.named<ValueField>(QStringLiteral("Value of ranks"));
        QVERIFY(field != nullptr);
        QVERIFY(field->isReadOnly());
        field->setFocus();
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(field->isEdited());
        QTest::keyClicks(field, QStringLiteral("10"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY2(field->accessibleDescription().contains(QStringLiteral("not a value that can be run")),
                 qPrintable(field->accessibleDescription()));
        QTest::keyClicks(field, QStringLiteral("64"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY2(field->accessibleDescription().contains(QStringLiteral("expected 4 to 16")),
                 qPrintable(field->accessibleDescription()));
        QCOMPARE(five.changes.count(), 0);
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!field->isEdited());
        QCOMPARE(five.changes.count(), 0);
        QTest::mouseDClick(field, Qt::LeftButton);
        QTest::keyClicks(field, QStringLiteral("16 ranks"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(!field->isEdited());
        QCOMPARE(std::get<double>(study::readSlice(five.asked()).at("ranks")), 16.0);
    }

    void theLineHeldOpensSlidersForAllFactors()
    {
        FivePage five("surface");
        auto* button = five.bar("main-effects");
        QVERIFY(button != nullptr);
        QVERIFY2(button->accessibleName().contains(QStringLiteral("slow")),
                 qPrintable(button->accessibleName()));
        button->click();
        QSlider* slider = nullptr;
        for (QSlider* each : five.page.findChildren<QSlider*>())
            if (each->accessibleName() == QStringLiteral("B") && each->isVisible() &&
                each->window() != &five.page)
                slider = each;
        QVERIFY(slider != nullptr);
        slider->setValue(slider->maximum());
        QCOMPARE(std::get<double>(study::readSlice(five.asked()).at("B")), 10.0);
        QTest::keyClick(slider, Qt::Key_Escape);
        QVERIFY(!slider->isVisible());
    }

    void pairsAreChosenTheStrongestFirst()
    {
        FivePage five("interactions");
        auto* chooser = five.page.findChild<QComboBox*>(QStringLiteral("pair"));
        QVERIFY(chooser != nullptr);
        QCOMPARE(chooser->count(), 2 + 10);
        QCOMPARE(chooser->itemText(0), QStringLiteral("Significant pairs"));
        QCOMPARE(chooser->itemText(2), QStringLiteral("● A × B"));
        QCOMPARE(chooser->itemText(3), QStringLiteral("● B × mode"));
        QVERIFY(!chooser->itemText(11).startsWith(QStringLiteral("●")));
        const auto* panels = five.page.findChild<InteractionPlot*>();
        QVERIFY(panels->board().panels.size() >= 2U && panels->board().panels.size() <= 4U);
        choose(chooser, 3);
        QCOMPARE(panels->board().panels.size(), 1U);
        QCOMPARE(panels->board().panels[0].title, QStringLiteral("B × mode"));
    }

    void aCellOfTheMatrixChoosesItsPair()
    {
        FivePage five("interactions");
        auto* chooser = five.page.findChild<QComboBox*>(QStringLiteral("pair"));
        choose(chooser, 1);
        const auto* panels = five.page.findChild<InteractionPlot*>();
        QVERIFY(!panels->isVisible());
        InteractionMatrix* matrix = nullptr;
        for (auto* each : five.page.findChildren<InteractionMatrix*>()) {
            if (each->parentWidget() == panels->parentWidget())
                matrix = each;
        }
        QVERIFY(matrix != nullptr);
        QTest::mouseClick(matrix, Qt::LeftButton, {}, matrix->cellOnScreen(1, 0).center().toPoint());
        QVERIFY(panels->isVisible() && !matrix->isVisible());
        QCOMPARE(panels->board().panels[0].title, QStringLiteral("A × B"));
    }

    void theFactorsOfTheCubeAreChosen()
    {
        FivePage five("cube");
        const auto* cube = five.page.findChild<CubePlot*>();
        auto* depth = five.page.findChild<QComboBox*>(QStringLiteral("cubeAxis1"));
        choose(depth, 4); // mode
        QCOMPARE(cube->table().columns[1].title, QStringLiteral("mode"));
        auto* width = five.page.findChild<QComboBox*>(QStringLiteral("cubeAxis0"));
        const int was = width->currentIndex();
        choose(width, 4); // swaps the two
        QCOMPARE(cube->table().columns[0].title, QStringLiteral("mode"));
        QCOMPARE(depth->currentIndex(), was);
        const QString held = five.bar("cube")->accessibleName();
        QVERIFY2(!held.contains(QStringLiteral("slow")), qPrintable(held)); // on an axis, not held
    }

    /// There is no machine between two counts.
    void speedUpsHaveTicksAtWholeCounts()
    {
        const auto labelsUpTo = [](double most) {
            plan::SpeedUp speedUp{.factor = "gpus"};
            for (const double count : {1.0, most})
                speedUp.runs.push_back({.count = count, .speedUp = count, .run = 1, .runs = 1});
            SpeedUpPlot plot;
            plot.setSpeedUp(speedUp);
            QStringList labels;
            for (const Tick& tick : plot.board().panels.front().x.ticks)
                labels << tick.label;
            return labels;
        };
        QCOMPARE(labelsUpTo(2), QStringList({"1", "2"}));
        QCOMPARE(labelsUpTo(3), QStringList({"1", "2", "3"}));
        QCOMPARE(labelsUpTo(64), QStringList()); // the usual ones are whole
    }
};

QUADRIC_QT_TEST(SliceViewsTest)
#include "slice_views_test.moc"
