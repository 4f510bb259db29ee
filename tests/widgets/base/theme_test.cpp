// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/theme.h"
#include "widgets/base/typed_number.h"

#include <QApplication>
#include <QTest>

#include <cmath>
#include <limits>

using namespace quadric::widgets;

namespace {

double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color)
{
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

/// Contrast ratio of WCAG 2.1.
double contrast(const QColor& a, const QColor& b)
{
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

void checkPlotContrast(const PlotColors& colors)
{
    QVERIFY(contrast(colors.text, colors.background) >= 4.5);
    QVERIFY(contrast(colors.mutedText, colors.background) >= 4.5);
    for (const QColor& mark :
         {colors.axis, colors.accent, colors.observed, colors.warning, colors.error, colors.good})
        QVERIFY2(contrast(mark, colors.background) >= 3.0, qPrintable(mark.name()));
}

void checkPaletteContrast(const QPalette& palette)
{
    const auto pair = [&palette](QPalette::ColorRole front, QPalette::ColorRole back) {
        return contrast(palette.color(front), palette.color(back));
    };
    QVERIFY(pair(QPalette::WindowText, QPalette::Window) >= 4.5);
    QVERIFY(pair(QPalette::Text, QPalette::AlternateBase) >= 4.5);
    QVERIFY(pair(QPalette::ButtonText, QPalette::Button) >= 4.5);
    QVERIFY(pair(QPalette::PlaceholderText, QPalette::Base) >= 4.5);
    QVERIFY(pair(QPalette::Link, QPalette::Base) >= 4.5);
    QVERIFY(pair(QPalette::ToolTipText, QPalette::ToolTipBase) >= 4.5);
    QVERIFY(pair(QPalette::HighlightedText, QPalette::Highlight) >= 4.2);
}

} // namespace

class ThemeTest : public QObject {
    Q_OBJECT

private slots:
    void numberWithoutUncertainty_data();
    void numberWithoutUncertainty();
    void numberWithUncertainty_data();
    void numberWithUncertainty();
    void pValue_data();
    void pValue();
    void typedNumbersAreNeverGuessed();
    void textIsReadableInBothThemes();
    void printIsLightOnWhiteWhateverThePalette();
    void choiceDecidesThePalette();
    void viridisEndsAndMiddle();
    void categoriesRepeatAfterEight();
};

void ThemeTest::numberWithoutUncertainty_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<QString>("text");
    QTest::newRow("zero") << 0.0 << "0";
    QTest::newRow("minus zero") << -0.0 << "0";
    QTest::newRow("whole") << 36.0 << "36";
    QTest::newRow("four digits") << 3.14159 << "3.142";
    QTest::newRow("negative") << -0.4567891 << "−0.4568";
    QTest::newRow("below ten thousand") << 9999.0 << "9999";
    QTest::newRow("thousands") << 12345.6 << "12\u2009346";
    QTest::newRow("millions") << -1234567.0 << "−1\u2009234\u2009567";
    QTest::newRow("rounds up to the next power") << 9.9999 << "10";
    QTest::newRow("smallest plain") << 0.00012344 << "0.0001234";
    QTest::newRow("tiny") << 0.0000123 << "1.23 × 10⁻⁵";
    QTest::newRow("huge") << 3.5e15 << "3.5 × 10¹⁵";
    QTest::newRow("not a number") << std::nan("") << "–";
    QTest::newRow("infinite") << std::numeric_limits<double>::infinity() << "–";
}

void ThemeTest::numberWithoutUncertainty()
{
    QFETCH(double, value);
    QTEST(formatNumber(value), "text");
}

void ThemeTest::numberWithUncertainty_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<double>("uncertainty");
    QTest::addColumn<QString>("text");
    QTest::newRow("tens") << 27312.0 << 912.0 << "27\u2009310";
    QTest::newRow("whole") << 27312.4 << 12.0 << "27\u2009312";
    QTest::newRow("one decimal") << 88.0 << 1.04 << "88.0";
    QTest::newRow("two decimals") << 0.5 << 0.123 << "0.50";
    QTest::newRow("uncertainty rounds up") << 1.0 << 0.0996 << "1.00";
    QTest::newRow("rounds to zero") << -0.001 << 0.5 << "0.00";
    QTest::newRow("none given") << 1.23456 << 0.0 << "1.235";
    QTest::newRow("not finite") << 1.23456 << std::nan("") << "1.235";
    QTest::newRow("more digits than a double holds") << 1.5 << 1e-30 << "1.50000000000000";
    QTest::newRow("tiny") << 1.5e-7 << 2.34e-9 << "1.500 × 10⁻⁷";
}

void ThemeTest::numberWithUncertainty()
{
    QFETCH(double, value);
    QFETCH(double, uncertainty);
    QTEST(formatNumber(value, uncertainty), "text");
}

void ThemeTest::pValue_data()
{
    QTest::addColumn<double>("p");
    QTest::addColumn<QString>("text");
    QTest::newRow("tiny") << 3e-9 << "< 0.0001";
    QTest::newRow("small") << 0.000321 << "0.00032";
    QTest::newRow("usual") << 0.0321 << "0.032";
    QTest::newRow("rounds to a tenth") << 0.0996 << "0.10";
    QTest::newRow("large") << 0.4567 << "0.46";
    QTest::newRow("one") << 1.0 << "> 0.99";
    QTest::newRow("none") << std::nan("") << "–";
}

void ThemeTest::pValue()
{
    QFETCH(double, p);
    QTEST(formatP(p), "text");
}

void ThemeTest::typedNumbersAreNeverGuessed()
{
    QCOMPARE(typedNumber(QStringLiteral(" 64 ")), std::optional(64.0));
    QCOMPARE(typedNumber(QStringLiteral("0,5")), std::optional(0.5));
    QCOMPARE(typedNumber(QStringLiteral("0,125")), std::optional(0.125));
    QCOMPARE(typedNumber(QStringLiteral("-1.5e3")), std::optional(-1500.0));
    for (const char* bad : {"", "many", "nan", "inf", "1 2", "1,234", "-12,500", "1,234.5", "1.234,5"})
        QVERIFY2(!typedNumber(QLatin1String(bad)), bad);
}

void ThemeTest::textIsReadableInBothThemes()
{
    for (const QPalette& palette : {lightPalette(), darkPalette()}) {
        checkPaletteContrast(palette);
        checkPlotContrast(plotColors(palette));
    }
}

void ThemeTest::printIsLightOnWhiteWhateverThePalette()
{
    const PlotColors colors = plotColors(darkPalette(), true);
    QCOMPARE(colors.background, QColor(Qt::white));
    checkPlotContrast(colors);
    QCOMPARE(colors.accent, plotColors(lightPalette()).accent);
}

void ThemeTest::choiceDecidesThePalette()
{
    auto& application = *qobject_cast<QApplication*>(QCoreApplication::instance());
    const bool systemIsDark = isDark(QApplication::palette());
    applyTheme(application, ThemeChoice::Dark);
    QVERIFY(isDark(QApplication::palette()));
    applyTheme(application, ThemeChoice::Light);
    QVERIFY(!isDark(QApplication::palette()));
    applyTheme(application, ThemeChoice::Dark);
    applyTheme(application, ThemeChoice::System);
    QCOMPARE(isDark(QApplication::palette()), systemIsDark);
}

void ThemeTest::viridisEndsAndMiddle()
{
    QCOMPARE(viridis(0.0), QColor(0x440154));
    QCOMPARE(viridis(1.0), QColor(0xfde725));
    QCOMPARE(viridis(0.5), QColor(0x21918c));
    QCOMPARE(viridis(-3.0), viridis(0.0));
    QCOMPARE(viridis(std::nan("")), viridis(0.0));
}

void ThemeTest::categoriesRepeatAfterEight()
{
    QCOMPARE(categoryColor(0), QColor(0x0072b2));
    QCOMPARE(categoryColor(8), categoryColor(0));
    QCOMPARE(categoryColor(-1), categoryColor(7));
}

QTEST_MAIN(ThemeTest)
#include "theme_test.moc"
