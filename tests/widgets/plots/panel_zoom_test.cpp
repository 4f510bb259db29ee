// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/qt_tests.h"
#include "widgets/plots/base/plot_picture.h"
#include "widgets/plots/panel/panel_plot.h"

#include <QApplication>
#include <QTest>
#include <QWheelEvent>

#include <cmath>

using namespace quadric::widgets;

namespace {

class BoardPlot : public PanelPlot {
public:
    explicit BoardPlot(const PanelBoard& board)
    {
        resize(600, 400);
        setBoard(board);
    }
    using PanelPlot::setBoard;

    PanelFrame frame(std::size_t panel = 0) const { return layoutOnScreen().frames()[panel]; }
    QPoint pixelAt(double x, double y, std::size_t panel = 0) const
    {
        return frame(panel).at(x, y).toPoint();
    }

    void drag(QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton,
              Qt::KeyboardModifiers keys = {})
    {
        QTest::mousePress(this, button, keys, from);
        QMouseEvent move(QEvent::MouseMove, to, mapToGlobal(to), button, button, keys);
        QApplication::sendEvent(this, &move);
        QTest::mouseRelease(this, button, keys, to);
    }

    bool turnWheel(QPointF at, int eighths)
    {
        QWheelEvent event(at, mapToGlobal(at), {}, {0, eighths}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        event.ignore();
        QApplication::sendEvent(this, &event);
        return event.isAccepted();
    }
};

/// A linear axis from 0 to 10 and a log2 axis from 1 to 256, with a dot in the middle.
PanelBoard onePanel()
{
    Panel panel;
    panel.x = {QStringLiteral("batch"), {0.0, 10.0, false}};
    panel.y = {QStringLiteral("rate"), {1.0, 256.0, true}};
    panel.lines.push_back({{0.0, 10.0}, {1.0, 256.0}});
    panel.dots.push_back({.x = 5.0, .y = 16.0, .run = 7, .tip = QStringLiteral("Run 7")});
    PanelBoard board;
    board.panels.push_back(panel);
    return board;
}

bool isNear(double value, double expected, double tolerance)
{
    return std::abs(value - expected) <= tolerance;
}

} // namespace

class PanelZoomTest : public QObject {
    Q_OBJECT

private slots:
    void theWheelZoomsAboutThePointer()
    {
        BoardPlot plot(onePanel());
        const QPointF at = plot.frame().at(2.0, 64.0);
        QVERIFY(plot.turnWheel(at, 480)); // a quarter of the panel remains
        const PanelFrame frame = plot.frame();
        QVERIFY(isNear(frame.xScale.high - frame.xScale.low, 5.0, 1e-6));
        QVERIFY(isNear(std::log2(frame.yScale.high / frame.yScale.low), 4.0, 1e-6));
        QVERIFY(isNear(frame.xScale.low, 1.0, 0.05) && isNear(frame.xScale.high, 6.0, 0.05));
        QVERIFY(isNear(std::log2(frame.yScale.low), 3.0, 0.05));
        QVERIFY(isNear(frame.at(2.0, 64.0).x(), at.x(), 2.0) && isNear(frame.at(2.0, 64.0).y(), at.y(), 2.0));
        QVERIFY(plot.turnWheel(at, -480));
        QCOMPARE(plot.frame().xScale.low, 0.0);
        QCOMPARE(plot.frame().xScale.high, 10.0);
    }

    void theWheelIsLeftToThePageWhereItDoesNothing()
    {
        BoardPlot plot(onePanel());
        QVERIFY(!plot.turnWheel({2.0, 2.0}, 480));
        QVERIFY(!plot.turnWheel(plot.frame().inner.center(), -480)); // all is seen already
    }

    void aRectangleIsZoomedInto()
    {
        BoardPlot plot(onePanel());
        plot.drag(plot.pixelAt(2.0, 128.0), plot.pixelAt(4.0, 2.0));
        const PanelFrame frame = plot.frame();
        QVERIFY(isNear(frame.xScale.low, 2.0, 0.02) && isNear(frame.xScale.high, 4.0, 0.02));
        QVERIFY(isNear(frame.yScale.low, 2.0, 0.05) && isNear(frame.yScale.high, 128.0, 2.0));
    }

    void aClickIsNoRectangle()
    {
        BoardPlot plot(onePanel());
        plot.drag(plot.pixelAt(2.0, 128.0), plot.pixelAt(2.0, 128.0) + QPoint(3, 3));
        QCOMPARE(plot.frame().view, PanelView{});
    }

    void theMiddleButtonOrCtrlMoves()
    {
        BoardPlot plot(onePanel());
        for (const bool isMiddle : {true, false}) {
            plot.turnWheel(plot.frame().at(5.0, 16.0), 480); // 2.5 to 7.5
            const double low = plot.frame().xScale.low;
            plot.drag(plot.pixelAt(6.0, 16.0), plot.pixelAt(5.0, 16.0),
                      isMiddle ? Qt::MiddleButton : Qt::LeftButton,
                      isMiddle ? Qt::NoModifier : Qt::ControlModifier);
            QVERIFY(isNear(plot.frame().xScale.low, low + 1.0, 0.03));
            QVERIFY(isNear(plot.frame().xScale.high - plot.frame().xScale.low, 5.0, 1e-6));
            QTest::keyClick(&plot, Qt::Key_Home);
        }
    }

    void nothingBeyondThePanelIsShown()
    {
        BoardPlot plot(onePanel());
        plot.turnWheel(plot.frame().at(5.0, 16.0), 480);
        plot.drag({300, 200}, {3000, 200}, Qt::MiddleButton);
        QCOMPARE(plot.frame().xScale.low, 0.0);
        QVERIFY(isNear(plot.frame().xScale.high, 5.0, 1e-6));
        plot.turnWheel(plot.frame().at(1.0, 16.0), 48000);
        QVERIFY(isNear(plot.frame().view.right - plot.frame().view.left, 1e-3, 1e-9));
    }

    void aDoubleClickShowsAll()
    {
        BoardPlot plot(onePanel());
        plot.turnWheel(plot.frame().inner.center(), 480);
        QVERIFY(plot.frame().view != PanelView{});
        QTest::mouseDClick(&plot, Qt::LeftButton, {}, plot.frame().inner.center().toPoint() + QPoint(40, 40));
        QCOMPARE(plot.frame().view, PanelView{});
    }

    void keysZoomAndMove()
    {
        BoardPlot plot(onePanel());
        QTest::keyClick(&plot, Qt::Key_Plus); // 8 of 10, about the middle
        QVERIFY(isNear(plot.frame().xScale.low, 1.0, 1e-6) && isNear(plot.frame().xScale.high, 9.0, 1e-6));
        QTest::keyClick(&plot, Qt::Key_Right, Qt::ControlModifier); // a tenth of what is seen
        QVERIFY(isNear(plot.frame().xScale.low, 1.8, 1e-6));
        QTest::keyClick(&plot, Qt::Key_Up, Qt::ControlModifier);
        QVERIFY(isNear(std::log2(plot.frame().yScale.low), 0.8 + 0.64, 1e-6));
        QTest::keyClick(&plot, Qt::Key_Minus);
        QCOMPARE(plot.frame().view, PanelView{});
    }

    void theCrosshairReadsTheAxes()
    {
        BoardPlot plot(onePanel());
        QVERIFY(plot.crosshairText().isEmpty());
        const QPoint at = plot.pixelAt(2.5, 16.0);
        QMouseEvent move(QEvent::MouseMove, at, plot.mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
        QApplication::sendEvent(&plot, &move);
        const QStringList words = plot.crosshairText().split(QLatin1Char(' '));
        QCOMPARE(words.size(), 4);
        QCOMPARE(words[0], QStringLiteral("batch"));
        QVERIFY(isNear(words[1].chopped(1).toDouble(), 2.5, 10.0 / plot.frame().inner.width()));
        QCOMPARE(words[2], QStringLiteral("rate"));
        QVERIFY(isNear(words[3].toDouble(), 16.0, 0.2));
        if (const QString folder = qEnvironmentVariable("QUADRIC_SHOTS"); !folder.isEmpty())
            plot.grab().save(folder + QStringLiteral("/crosshair.png")); // to be looked at
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(&plot, &leave);
        QVERIFY(plot.crosshairText().isEmpty());
    }

    void theCrosshairReadsNamesOfRows()
    {
        PanelBoard board;
        Panel panel;
        panel.x = {QStringLiteral("length"), {0.0, 10.0, false}};
        panel.y = {
            {}, {-1.6, 0.6, false}, {{0.0, QStringLiteral("first")}, {-1.0, QStringLiteral("second")}}, true};
        board.panels.push_back(panel);
        BoardPlot plot(board);
        QMouseEvent move(QEvent::MouseMove, QPointF(plot.pixelAt(5.0, -0.8)), QPointF(), Qt::NoButton,
                         Qt::NoButton, {});
        QApplication::sendEvent(&plot, &move);
        QVERIFY(plot.crosshairText().endsWith(QStringLiteral("second")));
    }

    void aClickOnADotPicksItsRunAndDoesNotZoom()
    {
        BoardPlot plot(onePanel());
        int picked = -1;
        connect(&plot, &Plot::runsPicked, this, [&picked](const PickedRuns& runs) { picked = runs.current; });
        QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.pixelAt(5.0, 16.0));
        QCOMPARE(picked, 7);
        plot.drag(plot.pixelAt(7.0, 128.0), plot.pixelAt(9.0, 2.0)); // the dot is out of sight
        picked = -1;
        QTest::mouseClick(&plot, Qt::LeftButton, {}, plot.frame().at(5.0, 16.0).toPoint());
        QCOMPARE(picked, -1);
    }

    void aRectangleWithShiftPicksTheRunsInIt()
    {
        PanelBoard board = onePanel();
        for (const double x : {2.0, 3.0, 8.0})
            board.panels[0].dots.push_back({.x = x, .y = 16.0, .run = static_cast<int>(x)});
        BoardPlot plot(board);
        connect(&plot, &Plot::runsPicked, &plot, &Plot::setPickedRuns);
        const auto brush = [&plot](double from, double to, Qt::KeyboardModifiers modifiers) {
            QTest::mousePress(&plot, Qt::LeftButton, modifiers, plot.pixelAt(from, 64.0));
            QMouseEvent move(QEvent::MouseMove, QPointF(plot.pixelAt(to, 4.0)), QPointF(), Qt::NoButton,
                             Qt::LeftButton, modifiers);
            QApplication::sendEvent(&plot, &move);
            QTest::mouseRelease(&plot, Qt::LeftButton, modifiers, plot.pixelAt(to, 4.0));
        };
        brush(1.5, 3.5, Qt::ShiftModifier);
        QCOMPARE(plot.pickedRuns().all, (std::vector<int>{2, 3}));
        QCOMPARE(plot.frame().view, PanelView{}); // nothing is zoomed
        brush(4.5, 5.5, Qt::ShiftModifier | Qt::ControlModifier);
        QCOMPARE(plot.pickedRuns().all, (std::vector<int>{2, 3, 7}));
        QCOMPARE(plot.pickedRun(), 7);
        QTest::mouseClick(&plot, Qt::LeftButton, Qt::ControlModifier, plot.pixelAt(3.0, 16.0));
        QCOMPARE(plot.pickedRuns().all, (std::vector<int>{2, 7}));
        QTest::keyClick(&plot, Qt::Key_Right, Qt::ShiftModifier); // beyond the current one
        QCOMPARE(plot.pickedRuns().all, (std::vector<int>{2, 7, 8}));
        brush(6.0, 7.0, Qt::ShiftModifier);
        QVERIFY(plot.pickedRuns().isEmpty());
    }

    void panelsWithOneResponseAxisKeepIt()
    {
        PanelBoard board = onePanel();
        board.panels.push_back(board.panels.front());
        board.sharesY = true;
        BoardPlot plot(board);
        plot.drag(plot.pixelAt(2.0, 128.0, 1), plot.pixelAt(4.0, 2.0, 1));
        QCOMPARE(plot.frame(0).yScale.high, plot.frame(1).yScale.high);
        QCOMPARE(plot.frame(0).xScale.high, 10.0);
        QVERIFY(isNear(plot.frame(1).xScale.high, 4.0, 0.1));
    }

    void picturesShowTheWholePlot()
    {
        BoardPlot plot(onePanel());
        const QByteArray before = renderSvg(plot);
        plot.turnWheel(plot.frame().inner.center(), 480);
        QMouseEvent move(QEvent::MouseMove, QPointF(300, 200), QPointF(), Qt::NoButton, Qt::NoButton, {});
        QApplication::sendEvent(&plot, &move);
        QCOMPARE(renderSvg(plot), before);
        BoardPlot other(onePanel());
        const PictureOptions dark{.theme = ThemeChoice::Dark};
        QCOMPARE(renderSvg(plot, dark), renderSvg(other, dark));
    }

    void whatIsSeenStaysWhenNewValuesCome()
    {
        BoardPlot plot(onePanel());
        plot.turnWheel(plot.frame().inner.center(), 480);
        const PanelView view = plot.frame().view;
        PanelBoard other = onePanel();
        other.panels[0].dots[0].x = 6.0;
        plot.setBoard(other);
        QCOMPARE(plot.frame().view, view);
        other.panels[0].x.title = QStringLiteral("another factor");
        plot.setBoard(other);
        QCOMPARE(plot.frame().view, PanelView{});
    }

    void rowsThatHaveNoRoomAreReachedByMoving()
    {
        PanelBoard board;
        Panel panel;
        for (int row = 0; row < 100; ++row)
            panel.y.ticks.push_back({-double(row), QString::number(row)});
        panel.y.isCategory = true;
        panel.y.scale = {-99.6, 0.6, false};
        board.panels.push_back(panel);
        BoardPlot plot(board);
        QVERIFY(plot.frame().yTicks.size() < 30);
        QCOMPARE(plot.frame().yTicks.front().label, QStringLiteral("0"));
        plot.drag({300, 300}, {300, 280}, Qt::MiddleButton);
        QVERIFY(plot.frame().yTicks.front().label != QStringLiteral("0"));
    }
};

QUADRIC_QT_TEST(PanelZoomTest)
#include "panel_zoom_test.moc"
