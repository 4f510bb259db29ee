// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/qt_tests.h"
#include "widgets/base/theme.h"
#include "widgets/base/typed_value.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTest>
#include <QVBoxLayout>

#include <cmath>

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
    QVERIFY(pair(QPalette::Highlight, QPalette::Window) >= 3.0); // what shows the focus
    QVERIFY(pair(QPalette::Link, QPalette::Window) >= 3.0);
    QVERIFY(pair(QPalette::ToolTipText, QPalette::ToolTipBase) >= 4.5);
    QVERIFY(pair(QPalette::HighlightedText, QPalette::Highlight) >= 4.5);
}

} // namespace

class ThemeTest : public QObject {
    Q_OBJECT

private slots:
    void numbersAreTypeset()
    {
        QCOMPARE(formatNumber(-12345.6), QStringLiteral("−12\u202F346"));
        QCOMPARE(formatNumber(27312.0, 912.0), QStringLiteral("27\u202F310"));
        QCOMPARE(formatNumber(0.0000123), QStringLiteral("1.23 × 10⁻⁵"));
        QCOMPARE(formatInterval(-1234.0, -1290.0, -1178.0), QStringLiteral("−1234 ± 56"));
        QCOMPARE(formatPercent(-0.305), QStringLiteral("−30.5 %"));
        QCOMPARE(formatList({QStringLiteral("A"), QStringLiteral("B")}), QStringLiteral("A and B"));
    }

    void typedNumbersAreNeverGuessed()
    {
        QCOMPARE(parseTypedNumber(QStringLiteral(" 64 ")), std::optional(64.0));
        QCOMPARE(parseTypedNumber(QStringLiteral("0,5")), std::optional(0.5));
        QCOMPARE(parseTypedNumber(QStringLiteral("0,125")), std::optional(0.125));
        QCOMPARE(parseTypedNumber(QStringLiteral("-1.5e3")), std::optional(-1500.0));
        for (const char* clear : {"1,234.5", "1.234,5", "1 234.5", "1'234,5", "\u22121234.5"})
            QCOMPARE(std::abs(parseTypedNumber(QString::fromUtf8(clear)).value_or(0.0)), 1234.5);
        for (const char* bad : {"", "many", "nan", "inf", "1 2", "1,234", "-12,500", "1,23,456", "1.2.3"})
            QVERIFY2(!parseTypedNumber(QLatin1String(bad)), bad);
    }

    void textIsReadableInEveryTheme()
    {
        for (const QPalette& palette :
             {lightPalette(), darkPalette(), highContrastPalette(false), highContrastPalette(true)}) {
            checkPaletteContrast(palette);
            checkPlotContrast(plotColors(palette));
            QCOMPARE(plotColors(palette).background, palette.color(QPalette::Base));
        }
        for (const bool dark : {false, true}) {
            const QPalette palette = highContrastPalette(dark);
            QVERIFY(isHighContrast(palette));
            QCOMPARE(isDark(palette), dark);
            QVERIFY(contrast(palette.color(QPalette::PlaceholderText), palette.color(QPalette::Base)) >= 7.0);
            QVERIFY(contrast(palette.color(QPalette::Disabled, QPalette::Text),
                             palette.color(QPalette::Base)) >= 4.5);
            QVERIFY(contrast(plotColors(palette).mutedText, palette.color(QPalette::Base)) >= 7.0);
        }
        QVERIFY(!isHighContrast(lightPalette()) && !isHighContrast(darkPalette()));
    }

    void printIsLightOnWhiteWhateverThePalette()
    {
        const PlotColors colors = plotColors(darkPalette(), true);
        QCOMPARE(colors.background, QColor(Qt::white));
        checkPlotContrast(colors);
        QCOMPARE(colors.accent, plotColors(lightPalette()).accent);
    }

    void choiceDecidesThePalette()
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
        applyTheme(application, ThemeChoice::HighContrast);
        QVERIFY(isHighContrast(QApplication::palette()));
        applyTheme(application, ThemeChoice::Light);
    }

    void viridisEndsAndMiddle()
    {
        QCOMPARE(viridis(0.0), QColor(0x440154));
        QCOMPARE(viridis(1.0), QColor(0xfde725));
        QCOMPARE(viridis(0.5), QColor(0x21918c));
        QCOMPARE(viridis(-3.0), viridis(0.0));
        QCOMPARE(viridis(std::nan("")), viridis(0.0));
    }

    void categoriesRepeatAfterEight()
    {
        QCOMPARE(categoryColor(0), QColor(0x0072b2));
        QCOMPARE(categoryColor(8), categoryColor(0));
        QCOMPARE(categoryColor(-1), categoryColor(7));
    }

    /// The handle is what one sees and holds, not the groove.
    void handlesOfScrollBarsStandOut()
    {
        for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            applyTheme(*qApp, choice);
            QScrollBar bar(Qt::Vertical);
            bar.resize(bar.sizeHint().width(), 300);
            bar.setRange(0, 100);
            bar.setPageStep(50);
            bar.setValue(0);
            const QImage image = bar.grab().toImage();
            const QColor window = qApp->palette().color(QPalette::Window);
            const int middle = image.width() / 2;
            const QColor handle = image.pixelColor(middle, 60), groove = image.pixelColor(middle, 240);
            QVERIFY2(contrast(handle, window) >= 3.0, qPrintable(handle.name()));
            QVERIFY2(contrast(groove, window) < 1.2, qPrintable(groove.name()));
        }
    }

    /// The outline of a field, a box and a button is seen against the window and what is in it.
    void outlinesOfControlsStandOut()
    {
        applyTheme(*qApp, ThemeChoice::Light);
        for (const QPalette& palette :
             {lightPalette(), darkPalette(), highContrastPalette(false), highContrastPalette(true)}) {
            QWidget page;
            page.setPalette(palette);
            auto* rows = new QVBoxLayout(&page);
            auto* line = new QLineEdit;
            auto* box = new QCheckBox;
            auto* combo = new QComboBox;
            auto* button = new QPushButton(QStringLiteral("Go"));
            for (QWidget* each : std::initializer_list<QWidget*>{line, box, combo, button})
                rows->addWidget(each);
            page.resize(200, 200);
            const QImage image = page.grab().toImage();
            const QColor window = page.palette().color(QPalette::Window);
            for (const QWidget* each : std::initializer_list<QWidget*>{line, box, combo, button}) {
                double best = 0.0; // across the left edge, at half height
                for (int x = 0; x < 4; ++x)
                    best = std::max(best, contrast(image.pixelColor(each->geometry().left() + x,
                                                                    each->geometry().center().y()),
                                                   window));
                QVERIFY2(best >= 2.8, qPrintable(QStringLiteral("%1 on %2: %3")
                                                     .arg(QLatin1String(each->metaObject()->className()))
                                                     .arg(window.name())
                                                     .arg(best))); // 3:1 less what the smooth corners take
            }
        }
    }
};

QUADRIC_QT_TEST(ThemeTest)
#include "theme_test.moc"
