// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures.h"
#include "sample_data.h"
#include "tests/support/qt_tests.h"
#include "widgets/plots/scene/design_cube.h"
#include "widgets/plots/scene/design_scene.h"

#include <QApplication>
#include <QMouseEvent>
#include <QTest>
#include <QToolTip>

using namespace quadric;
using namespace quadric::widgets;

class DesignCubeTest : public QObject {
    Q_OBJECT

private slots:
    void drawsWhileFactorsAreBeingTyped()
    {
        study::Study study = samples::boxBehnken();
        DesignCube cube;
        for (const auto& [low, high] : {std::pair{64.0, 4.0}, {0.0, 64.0}, {-1.0, 64.0}, {4.0, 4.0}}) {
            study.factors[0].low = low; // nothing that can be coded on a log2 scale
            study.factors[0].high = high;
            cube.setStudy(study);
            QCOMPARE(cube.axes().size(), size_t(2));
            QVERIFY(!samples::pictureOf(cube, {300, 200}).isNull());
        }
    }

    void showsTheFactorsThatAreChosen()
    {
        const study::Study study = fourFactors();
        DesignCube cube;
        cube.setStudy(study);
        QCOMPARE(cube.axes(), (std::vector<std::string>{study.factors[0].name, study.factors[1].name,
                                                        study.factors[2].name}));
        cube.setAxes({"fourth", "no such factor", study.factors[0].name});
        QCOMPARE(cube.axes(),
                 (std::vector<std::string>{"fourth", study.factors[0].name, study.factors[1].name}));
        const DesignScene scene(study, {cubeAxes(study, {"fourth", study.factors[0].name})});
        for (const DesignPoint& point : scene.points())
            QVERIFY(std::abs(std::abs(point.place.x) - 1.0) < 1e-9); // only the two ends of the fourth factor
    }

    void dividesByACategoricalFactor()
    {
        const study::Study study = withPrecision();
        size_t runs = 0;
        for (const char* level : {"fp32", "bf16"}) {
            const DesignScene scene(study, {cubeAxes(study), "precision", level});
            for (const DesignPoint& point : scene.points())
                for (const int run : point.runs) {
                    QCOMPARE(study::toText(study::findRun(study, run)->settings.at("precision")),
                             std::string(level));
                    ++runs;
                }
        }
        QCOMPARE(runs, study.runs.size());
        DesignCube cube;
        cube.setStudy(study);
        QVERIFY(!samples::pictureOf(cube, {500, 260}).isNull());
    }

    void facetsShareOneScale()
    {
        study::Study study = withPrecision();
        study::Run& far = study.runs[0];
        far.settings[study.factors[1].name] = 2.0 * study.factors[1].high; // an axial run outside the cube
        const std::string here = study::toText(far.settings.at("precision"));
        const DesignScene scene(study, {cubeAxes(study), "precision", here == "fp32" ? "bf16" : "fp32"});
        QVERIFY(scene.axes().y.ticks.back().at < 1.0);
    }

    /// Not tilted: the four corners are the corners of an upright square, the ends of a line are level.
    void twoFactorsAreASquareAndOneIsALine()
    {
        DesignCube cube;
        cube.setStudy(corners(2));
        const QImage square = samples::pictureOf(cube, {400, 400});
        const QRect dots = dotsIn(cube, square);
        QVERIFY(std::abs(dots.width() - dots.height()) <= 2);
        QVERIFY(dots.width() > 200);
        const QRgb accent = plotColors(cube.palette()).accent.rgb();
        for (const QPoint corner : {dots.topLeft(), dots.topRight(), dots.bottomLeft(), dots.bottomRight()}) {
            const QPoint inwards(corner.x() == dots.left() ? 4 : -4, corner.y() == dots.top() ? 4 : -4);
            QCOMPARE(square.pixel(corner + inwards), accent);
        }
        cube.setStudy(corners(1));
        const QRect ends = dotsIn(cube, samples::pictureOf(cube, {400, 300}));
        QVERIFY(ends.width() > 200);
        QVERIFY2(ends.height() < 16, "both ends at one height");
    }

    void showsOneLevelWhereThereIsNoRoomForAll()
    {
        DesignCube cube;
        cube.resize(300, 260);
        cube.setStudy(withCatalysts());
        QCOMPARE(cube.shownLevel(), std::string("Pd"));
        QTest::keyClick(&cube, Qt::Key_PageDown);
        QCOMPARE(cube.shownLevel(), std::string("Pt"));
        QTest::keyClick(&cube, Qt::Key_PageUp);
        QTest::keyClick(&cube, Qt::Key_PageUp);
        QCOMPARE(cube.shownLevel(), std::string("Ni"));
        cube.setLevel({});
        cube.resize(900, 420);
        QCOMPARE(cube.shownLevel(), std::string()); // all of them
        cube.setLevel("Pt");
        QCOMPARE(cube.shownLevel(), std::string("Pt"));
    }

    void followsThePickedRunToItsLevel()
    {
        const study::Study study = withCatalysts();
        DesignCube cube;
        cube.resize(300, 260);
        cube.setStudy(study);
        for (const int run : {1, 2, 3}) {
            cube.setPickedRuns(run);
            QCOMPARE(cube.shownLevel(), study::toText(study::findRun(study, run)->settings.at("catalyst")));
        }
        study::Study without = study;
        std::erase_if(without.runs, [](const study::Run& run) { return run.id == 3; });
        cube.setStudy(without);
        QCOMPARE(cube.pickedRun(), -1); // a run that is gone is not ringed
    }

    void doubleClickRestoresTheView()
    {
        DesignCube cube;
        cube.setStudy(samples::boxBehnken());
        const QImage usual = samples::pictureOf(cube, {400, 300});
        cube.resize(400, 300);
        QTest::mousePress(&cube, Qt::LeftButton, {}, QPoint(8, 8));
        QTest::mouseMove(&cube, QPoint(40, 30));
        QTest::mouseMove(&cube, QPoint(90, 60));
        QTest::mouseRelease(&cube, Qt::LeftButton, {}, QPoint(90, 60));
        QTest::keyClick(&cube, Qt::Key_Left);
        QVERIFY(samples::pictureOf(cube, {400, 300}) != usual);
        QTest::mouseDClick(&cube, Qt::LeftButton, {}, QPoint(4, 4));
        QCOMPARE(samples::pictureOf(cube, {400, 300}), usual);
    }

    void saysTheSettingsOfAPoint()
    {
        study::Study study = corners(2);
        DesignCube cube;
        cube.setStudy(study);
        cube.resize(400, 400);
        cube.show();
        const QRect dots = dotsIn(cube, samples::pictureOf(cube, {400, 400}));
        const QPointF low = dots.bottomLeft() + QPoint(4, -4); // the run at the low ends
        QMouseEvent move(QEvent::MouseMove, low, cube.mapToGlobal(low), Qt::NoButton, Qt::NoButton, {});
        QApplication::sendEvent(&cube, &move);
        QTRY_VERIFY2(QToolTip::text().contains(QStringLiteral("Run 1")), qPrintable(QToolTip::text()));
        for (const study::Factor& factor : study.factors)
            QVERIFY2(QToolTip::text().contains(QString::fromStdString(study::toText(factor.low))),
                     qPrintable(QToolTip::text()));
    }

    void hasTheRunsAsATable()
    {
        const study::Study study = withCatalysts();
        DesignCube cube;
        cube.setStudy(study);
        const TextTable table = cube.table();
        QCOMPARE(table.rows.size(), study.runs.size());
        QCOMPARE(table.columns.size(), study.factors.size() + 2);
        QCOMPARE(table.rows[0][qsizetype(study.factors.size())], QStringLiteral("Pt"));
    }

private:
    static study::Study fourFactors()
    {
        study::Study study = samples::boxBehnken();
        study::Factor fourth;
        fourth.name = "fourth";
        fourth.low = 0.0;
        fourth.high = 10.0;
        study.factors.push_back(fourth);
        for (study::Run& run : study.runs)
            run.settings["fourth"] = run.id % 2 == 0 ? 0.0 : 10.0;
        return study;
    }
    /// Done runs at the corners of two factors, or the ends of one.
    static study::Study corners(size_t factors)
    {
        study::Study study = samples::boxBehnken();
        study.factors.resize(factors);
        study.runs.resize(size_t(1) << factors);
        for (size_t i = 0; i < study.runs.size(); ++i) {
            study.runs[i].status = study::RunStatus::Done;
            for (size_t f = 0; f < factors; ++f)
                study.runs[i].settings[study.factors[f].name] =
                    (i >> f) & 1 ? study.factors[f].high : study.factors[f].low;
        }
        return study;
    }
    /// Where the dots of done runs are.
    static QRect dotsIn(const DesignCube& cube, const QImage& picture)
    {
        const QRgb accent = plotColors(cube.palette()).accent.rgb();
        QRect found;
        for (int y = 0; y < picture.height() - 24; ++y) // above the legend
            for (int x = 0; x < picture.width(); ++x)
                if (picture.pixel(x, y) == accent)
                    found |= QRect(x, y, 1, 1);
        return found;
    }
    static study::Study withCatalysts()
    {
        study::Study study = samples::boxBehnken();
        study::Factor catalyst;
        catalyst.name = "catalyst";
        catalyst.type = study::FactorType::Categorical;
        catalyst.categories = {"Pd", "Pt", "Ni"};
        study.factors.push_back(catalyst);
        for (study::Run& run : study.runs)
            run.settings["catalyst"] = catalyst.categories[size_t(run.id) % 3];
        return study;
    }
    static study::Study withPrecision()
    {
        study::Study study = samples::boxBehnken();
        study::Factor precision;
        precision.name = "precision";
        precision.type = study::FactorType::Categorical;
        precision.categories = {"fp32", "bf16"};
        study.factors.push_back(precision);
        for (study::Run& run : study.runs)
            run.settings["precision"] = std::string(run.id % 3 == 0 ? "bf16" : "fp32");
        return study;
    }
};

QUADRIC_QT_TEST(DesignCubeTest)
#include "design_cube_test.moc"
