// SPDX-License-Identifier: GPL-3.0-or-later
// The plot is the page: how much of Explore and Optimize lies inside axes, and how many words stand there.
#include "app/gui/frame/workspace.h"
#include "app/gui/main_window.h"
#include "test_surroundings.h"
#include "tests/support/qt_tests.h"
#include "widgets/plots/panel/panel_layout.h"
#include "widgets/plots/panel/panel_plot.h"
#include "widgets/plots/profiler/profiler.h"
#include "widgets/plots/scene/surface_view.h"

#include <QComboBox>
#include <QHash>
#include <QLabel>
#include <QRegularExpression>
#include <QTabBar>
#include <QTextDocument>

#include <algorithm>
#include <cmath>

using namespace quadric;

namespace {

QString plainText(const QString& text)
{
    QTextDocument document;
    document.setHtml(text);
    return document.toPlainText();
}

/// What a plot with axes says: titles, names at the axes, legend.
QStringList textsOf(const widgets::PanelPlot& plot)
{
    const widgets::PanelBoard& board = plot.board();
    QStringList texts{board.title};
    for (const widgets::LegendEntry& entry : board.legend)
        texts << entry.text;
    for (const widgets::Panel& panel : board.panels) {
        texts << panel.title << panel.x.title << panel.y.title << panel.note;
        for (const widgets::PanelAxis* axis : {&panel.x, &panel.y})
            for (const widgets::Tick& tick : axis->ticks)
                texts << tick.label;
    }
    return texts;
}

QStringList textsOf(const QWidget& widget)
{
    if (const auto* label = qobject_cast<const QLabel*>(&widget))
        return {plainText(label->text())};
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        return {button->text()};
    if (const auto* chooser = qobject_cast<const QComboBox*>(&widget))
        return {chooser->currentText()};
    if (const auto* plot = qobject_cast<const widgets::PanelPlot*>(&widget))
        return textsOf(*plot);
    if (const auto* profiler = qobject_cast<const widgets::Profiler*>(&widget)) {
        QStringList names{profiler->handles().front().reading}; // the rows
        for (const widgets::PlotHandle& handle : profiler->handles())
            names << handle.name << handle.text;
        return names;
    }
    QStringList tabs;
    if (const auto* bar = qobject_cast<const QTabBar*>(&widget))
        for (int i = 0; i < bar->count(); ++i)
            tabs << bar->tabText(i);
    return tabs.isEmpty() ? QStringList{widget.property("text").toString()} : tabs;
}

qsizetype countWords(const QWidget& page)
{
    constexpr char16_t kNoBreak = 0x2060; // within names
    static const QRegularExpression word(QStringLiteral("[\\p{L}_]{2,}"));
    qsizetype words = 0;
    for (const QWidget* each : page.findChildren<QWidget*>()) {
        if (!each->isVisible())
            continue;
        const QString text = textsOf(*each).join(QLatin1Char(' ')).remove(QChar(kNoBreak));
        for (auto found = word.globalMatch(text); found.hasNext(); found.next())
            ++words;
    }
    return words;
}

/// Of a surface: the rectangle around the walls of its box, whose color is the commonest but that of the
/// page.
double areaOf(const QImage& picture)
{
    QHash<QRgb, QRect> places;
    QHash<QRgb, int> counts;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) {
            const QRgb color = picture.pixel(x, y);
            places[color] |= QRect(x, y, 1, 1);
            ++counts[color];
        }
    counts.remove(picture.pixel(0, 0));
    const QRgb walls = counts.key(*std::ranges::max_element(counts));
    return places[walls].width() * places[walls].height() / std::pow(picture.devicePixelRatio(), 2);
}

double areaInAxes(const QWidget& page)
{
    double area = 0.0;
    for (auto* plot : page.findChildren<widgets::PanelPlot*>())
        if (plot->isVisible())
            for (const widgets::PanelFrame& frame : plot->layoutOnScreen().frames())
                area += frame.inner.width() * frame.inner.height();
    for (auto* profiler : page.findChildren<widgets::Profiler*>())
        if (profiler->isVisible())
            for (const widgets::PlotHandle& handle : profiler->handles()) // cells with three lines below them
                area +=
                    handle.place.width() * (handle.place.height() - 3.5 * profiler->fontMetrics().height());
    for (auto* surface : page.findChildren<widgets::SurfaceView*>())
        if (surface->isVisible())
            area += areaOf(surface->grab().toImage());
    return area;
}

} // namespace

class PlotPagesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::startAfresh(m_folder);
        m_store = test::settingsIn(m_folder);
    }

    void thePlotIsThePage_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<double>("leastShare");
        QTest::newRow("1440x900") << QSize(1440, 900) << 0.40;
        QTest::newRow("1280x800") << QSize(1280, 800) << 0.30;
    }

    void thePlotIsThePage()
    {
        QFETCH(QSize, size);
        QFETCH(double, leastShare);
        app::MainWindow window(*m_store);
        window.resize(size);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window, kPatienceMs));
        window.findChild<QAbstractButton*>(QStringLiteral("example0"))->click();
        for (const auto step : {widgets::Step::Optimize, widgets::Step::Explore}) {
            window.showStep(step);
            QTest::qWait(800); // what follows in the background
            const QWidget& page = window.findChild<app::Pages*>()->page();
            const double share = areaInAxes(page) / (double(page.width()) * page.height());
            const qsizetype words = countWords(page);
            const QString said =
                QStringLiteral("%1 at %2: %3 words, %4 % inside axes")
                    .arg(QLatin1String(app::helpPageName(step)), QLatin1String(QTest::currentDataTag()))
                    .arg(words)
                    .arg(100.0 * share, 0, 'f', 1);
            qInfo("%s", qPrintable(said));
            test::keepPicture(window, qPrintable(QStringLiteral("plot-page-%1-%2")
                                                     .arg(QLatin1String(app::helpPageName(step)))
                                                     .arg(size.width())));
            QVERIFY2(words <= 120, qPrintable(said));
            QVERIFY2(share >= leastShare, qPrintable(said));
        }
    }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<QSettings> m_store;
};

QUADRIC_QT_TEST(PlotPagesTest)
#include "plot_pages_test.moc"
