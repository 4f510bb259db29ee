// SPDX-License-Identifier: GPL-3.0-or-later

// Runs picked and factors held on Explore, as the other pages, undo and the saved study see it.

#include "app/gui/main_window.h"
#include "core/study/document/document.h"
#include "core/study/shown_study.h"
#include "test_surroundings.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"
#include "widgets/design/matrix/run_matrix_view.h"
#include "widgets/explore/explore_page.h"
#include "widgets/monitor/run_table.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/diagnostic_plots.h"

#include <QInputDialog>
#include <QMenu>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <filesystem>

using namespace quadric;

class LinkedViewsJourneyTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::startAfresh(m_folder);
        m_path = m_folder.filePath("study.quadric").toStdString();
    }

    void init()
    {
        std::filesystem::copy_file(sourcePath("resources/examples/resnet50-scaling.quadric"), m_path,
                                   std::filesystem::copy_options::overwrite_existing);
        m_window = std::make_unique<test::ShownWindow>(m_folder);
        m_window->openStudy(QString::fromStdString(m_path.string()));
        m_window->showStep(widgets::Step::Explore);
    }

    void runsInARectangleAreLitOnAllPagesAndExcludedTogether()
    {
        show("predicted");
        const study::Study before = now();
        auto* plot = visible<widgets::PredictedPlot>();
        QVERIFY(plot != nullptr);
        const QRectF inner = plot->layoutOnScreen().frames().front().inner;
        const QPoint from = QPointF(inner.center().x(), inner.top() + 2).toPoint();
        const QPoint to = QPointF(inner.right() - 2, inner.bottom() - 2).toPoint();
        QTest::mousePress(plot, Qt::LeftButton, Qt::ShiftModifier, from);
        QTest::mouseMove(plot, to);
        QTest::mouseRelease(plot, Qt::LeftButton, Qt::ShiftModifier, to);
        const std::vector<int> runs = plot->pickedRuns().all;
        QVERIFY(runs.size() > 1 && runs.size() < now().runs.size());
        for (const auto* each : m_window->findChildren<widgets::Plot*>())
            if (each->isVisible())
                QCOMPARE(each->pickedRuns().all, runs);
        const int last = runs.back();
        QTest::mouseClick(plot, Qt::LeftButton, Qt::ControlModifier, plot->positionOf(last)->toPoint());
        QCOMPARE(plot->pickedRuns().all, std::vector<int>(runs.begin(), runs.end() - 1));
        QTest::mouseClick(plot, Qt::LeftButton, Qt::ControlModifier, plot->positionOf(last)->toPoint());
        QCOMPARE(plot->pickedRuns().all, runs);

        m_window->showStep(widgets::Step::Design);
        auto* matrix = visible<widgets::RunMatrixView>();
        QVERIFY(matrix != nullptr);
        std::vector<int> selected = matrix->pickedRuns();
        std::ranges::sort(selected);
        QCOMPARE(selected, runs);
        m_window->showStep(widgets::Step::Run);
        if (auto* table = visible<widgets::RunTableView>()) {
            selected = table->selectedRuns();
            std::ranges::sort(selected);
            QCOMPARE(selected, runs);
        }
        m_window->showStep(widgets::Step::Explore);
        QCOMPARE(plot->pickedRuns().all, runs);

        QMenu menu;
        widgets::addPlotActions(menu, *plot);
        auto* exclude = menu.findChild<QAction*>("excludeRuns");
        QVERIFY(exclude != nullptr && menu.findChild<QAction*>("showInDesign") != nullptr);
        QTimer::singleShot(50, m_window.get(), [this] {
            auto* dialog = m_window->findChild<QInputDialog*>("excludeRuns");
            QVERIFY(dialog != nullptr);
            dialog->setTextValue(QStringLiteral("another machine"));
            dialog->accept();
        });
        exclude->trigger();
        QCOMPARE(study::countRuns(now(), study::RunStatus::Excluded), static_cast<int>(runs.size()));
        m_window->session().editor().undo();
        QCOMPARE(now(), before);
    }

    void theSliceIsUndoneAndSaved()
    {
        show("surface");
        const study::Study before = now();
        QSlider* slider = nullptr;
        QTRY_VERIFY((slider = visible<QSlider>()) != nullptr);
        const std::string factor = slider->accessibleName().toStdString();
        slider->setSliderDown(true);
        for (const int position : {1, slider->maximum() / 2, slider->maximum()})
            slider->setSliderPosition(position);
        slider->setSliderDown(false);
        const study::Factor* held = study::findFactor(now(), factor);
        QVERIFY(held != nullptr);
        QCOMPARE(std::get<double>(study::readSlice(now()).at(factor)), held->high);
        for (const auto* each : m_window->findChildren<QSlider*>())
            if (each->isVisible() && each->accessibleName() == slider->accessibleName())
                QCOMPARE(each->value(), each->maximum());
        m_window->session().autosave().saveNow();
        QCOMPARE(std::get<double>(study::readSlice(study::loadStudy(m_path).study).at(factor)), held->high);
        m_window->session().editor().undo(); // the whole drag
        QCOMPARE(now(), before);
    }

    void cleanup() { m_window.reset(); }

private:
    const study::Study& now() { return m_window->session().editor().context()->study; }

    /// Large, as the user would choose it.
    void show(const char* view)
    {
        m_window->findChild<widgets::ExplorePage*>()->showView(view);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

    template <typename Widget> Widget* visible(const QString& name = {});

    QTemporaryDir m_folder;
    std::filesystem::path m_path;
    std::unique_ptr<test::ShownWindow> m_window;
};

/// The visible widget of this class with this accessible name, or any.
template <typename Widget> Widget* LinkedViewsJourneyTest::visible(const QString& name)
{
    for (auto* each : m_window->findChildren<Widget*>())
        if (each->isVisible() && (name.isEmpty() || each->accessibleName() == name))
            return each;
    return nullptr;
}

QUADRIC_QT_TEST(LinkedViewsJourneyTest)
#include "linked_views_journey_test.moc"
