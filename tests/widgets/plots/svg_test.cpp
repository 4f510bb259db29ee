// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_data.h"
#include "tests/support/qt_tests.h"
#include "widgets/plots/base/plot_picture.h"
#include "widgets/plots/scene/surface_view.h"

#include <QBuffer>
#include <QPainter>
#include <QPainterPath>
#include <QSvgGenerator>
#include <QSvgRenderer>
#include <QTest>

#include <cstdlib>

using namespace quadric;
using namespace quadric::widgets;

namespace {

constexpr QSize kSvgSize(340, 290);

QByteArray generated(const auto& paint)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(kSvgSize);
    generator.setViewBox(QRect(QPoint(0, 0), kSvgSize));
    QPainter painter(&generator);
    paint(painter);
    painter.end();
    return buffer.data();
}

QImage rendered(const QByteArray& svg)
{
    QImage image(2 * kSvgSize, QImage::Format_RGB32);
    image.fill(Qt::white);
    QSvgRenderer renderer(svg);
    QPainter painter(&image);
    renderer.render(&painter);
    return image;
}

/// Share of the pixels of which a color differs by more than what half a tenth of a pixel of an edge makes.
double difference(const QImage& a, const QImage& b)
{
    constexpr int kEdge = 48;
    int different = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const QColor one = a.pixelColor(x, y), other = b.pixelColor(x, y);
            different += std::abs(one.red() - other.red()) > kEdge ||
                         std::abs(one.green() - other.green()) > kEdge ||
                         std::abs(one.blue() - other.blue()) > kEdge;
        }
    return double(different) / (a.width() * a.height());
}

/// Something of everything that plots draw.
void paintAll(QPainter& painter)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRectF(0, 0, 340, 290), Qt::white);
    painter.setPen(QPen(QColor(0x1667ad), 2.0, Qt::DashLine, Qt::FlatCap));
    painter.drawPolyline(QPolygonF({{10, 10}, {60, 40}, {110, 12}, {160, 12.5}, {210, 13}}));
    painter.drawLine(QPointF(10, 60), QPointF(200, 61));
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(200, 30, 30, 90));
    QPainterPath ring;
    ring.addEllipse(QPointF(260, 80), 60, 50);
    ring.addRect(240, 60, 40, 40);
    painter.drawPath(ring);
    for (int i = 0; i < 12; ++i) {
        const QColor color = QColor::fromHsv(30 * i, 200, 200);
        painter.setBrush(color);
        painter.setPen(QPen(color, 0.8));
        painter.drawConvexPolygon(QPolygonF(
            {{10.0 + 20 * i, 150}, {30.0 + 20 * i, 152}, {28.0 + 20 * i, 180}, {12.0 + 20 * i, 176}}));
        painter.setPen(QPen(color.darker(160), 0.8));
        painter.drawLine(QPointF(10 + 20 * i, 150), QPointF(30 + 20 * i, 152));
    }
    painter.setBrush(QColor(0xd55e00));
    painter.setPen(QPen(Qt::black, 1.5));
    painter.drawEllipse(QPointF(50, 110), 9, 9);
    painter.drawRoundedRect(QRectF(80, 95, 60, 30), 6, 6);
    painter.rotate(-10);
    painter.drawText(QPointF(20, 260), QStringLiteral("a < b & \"c\"  two spaces"));
    QFont bold = painter.font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(Qt::darkGreen);
    painter.drawText(QPointF(180, 240), QStringLiteral("bold"));
}

} // namespace

class SvgTest : public QObject {
    Q_OBJECT

private slots:
    void linesKeepWhatBends()
    {
        const QByteArray tidy =
            tidySvg(generated([](QPainter& painter) {
                        painter.drawPolyline(QPolygonF({{1, 1}, {5, 1.04}, {9, 1}, {9, -0.24}}));
                        painter.drawRect(QRectF(0.5, 20.0, 120.0, -0.001));
                    }),
                    1);
        QVERIFY2(tidy.contains("d=\"M1,1l8,0 0-1.2\""), tidy); // .04 is less than the last decimal
        QVERIFY2(tidy.contains("width=\"120\" x=\".5\" y=\"20\""), tidy);
    }

    void nothingIsLostThatCanBeSeen()
    {
        const QByteArray raw = generated(paintAll);
        for (const int decimals : {1, 2}) {
            const QByteArray tidy = tidySvg(raw, decimals);
            QVERIFY(QSvgRenderer(tidy).isValid());
            QVERIFY(difference(rendered(raw), rendered(tidy)) < 0.002);
            QVERIFY(tidy.size() < raw.size() / 2);
            QVERIFY(tidy.contains("a &lt; b &amp; &quot;c&quot;  two spaces"));
        }
    }

    void aSurfaceStaysTheSameAndBecomesSmall()
    {
        SurfaceView view;
        view.setGrid(samples::surface());
        const QByteArray raw = generated([&view](QPainter& painter) {
            view.paintTo(painter, QRectF(QPointF(0, 0), QSizeF(kSvgSize)), true);
        });
        const QByteArray tidy = tidySvg(raw, 1);
        QVERIFY(difference(rendered(raw), rendered(tidy)) < 0.004);
        QVERIFY2(tidy.size() < 90000, QByteArray::number(tidy.size()));
    }

    /// Another font may be all that a browser has: the text takes the room that it was given all the same.
    void textKeepsItsRoomInAnyFont()
    {
        QFont font(QStringLiteral("Sans Serif"));
        font.setPixelSize(20);
        font.setHintingPreference(QFont::PreferNoHinting);
        const QByteArray tidy = tidySvg(generated([&font](QPainter& painter) {
            painter.setFont(font);
            painter.setPen(Qt::black);
            painter.drawText(QPointF(20, 60), QStringLiteral("a < b"));
        }));
        QVERIFY2(tidy.contains(", sans-serif\""), tidy);
        QVERIFY2(!tidy.contains("\"Sans Serif"), tidy);
        const qsizetype begin = tidy.indexOf("textLength=\"") + 12;
        const double width = tidy.sliced(begin, tidy.indexOf('"', begin) - begin).toDouble();
        QVERIFY2(std::abs(width - QFontMetricsF(font).horizontalAdvance(QStringLiteral("a < b"))) < 0.5,
                 tidy);
    }

    void nothingButTheElementIsLeft()
    {
        const QByteArray tidy = tidySvg(generated(paintAll));
        QVERIFY(tidy.startsWith("<svg") && tidy.trimmed().endsWith("</svg>"));
        QVERIFY(!tidy.contains("Generated with Qt") && !tidy.contains("<defs>"));
        QCOMPARE(tidy.count("<g") - tidy.count("</g>"), 0);
    }
};

QUADRIC_QT_TEST(SvgTest)
#include "svg_test.moc"
