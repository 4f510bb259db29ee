// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/theme.h"

#include "core/text/numbers.h"
#include "widgets/base/application_behavior.h"

#include <QApplication>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace quadric::widgets {

namespace {

/// The few grays and the accent from which a whole palette follows.
struct Tones {
    QRgb window, base, alternate, button, text, mutedText, disabledText, accent, accentText, link, toolTip,
        edge;
};

constexpr Tones kLight{0xf4f5f6, 0xffffff, 0xf7f8f9, 0xeceef0, 0x1d2125, 0x5c646d,
                       0x9aa1a9, 0x1667ad, 0xffffff, 0x1667ad, 0xfdfdfd, 0xc9ced3};
constexpr Tones kDark{0x1f2225, 0x17191c, 0x1c1f22, 0x2b2f33, 0xe4e7ea, 0xa3abb3,
                      0x6b737b, 0x2873b8, 0xffffff, 0x74b6f0, 0x2b2f33, 0x3b4046};
constexpr Tones kHighLight{0xffffff, 0xffffff, 0xffffff, 0xffffff, 0x000000, 0x202020,
                           0x595959, 0x0000a8, 0xffffff, 0x0000a8, 0xffffff, 0x000000};
constexpr Tones kHighDark{0x000000, 0x000000, 0x000000, 0x000000, 0xffffff, 0xe8e8e8,
                          0xa6a6a6, 0xffe100, 0x000000, 0x7fd4ff, 0x000000, 0xffffff};

void setShades(QPalette& palette, const Tones& tones, bool dark)
{
    const QColor edge = QColor::fromRgb(tones.edge);
    palette.setColor(QPalette::Light, dark ? edge.lighter(115) : QColor(Qt::white));
    palette.setColor(QPalette::Midlight, dark ? edge : edge.lighter(112));
    palette.setColor(QPalette::Mid, dark ? edge.darker(115) : edge.darker(108));
    palette.setColor(QPalette::Dark, dark ? QColor(0x101214) : edge.darker(135));
    palette.setColor(QPalette::Shadow, dark ? QColor(Qt::black) : edge.darker(190));
}

void setDisabled(QPalette& palette, const Tones& tones)
{
    const QColor text = QColor::fromRgb(tones.disabledText);
    for (const auto role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, text);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor::fromRgb(tones.edge));
}

QPalette makePalette(const Tones& tones, bool dark)
{
    QPalette palette;
    const auto set = [&palette](QPalette::ColorRole role, QRgb tone) {
        palette.setColor(role, QColor::fromRgb(tone));
    };
    set(QPalette::Window, tones.window);
    set(QPalette::WindowText, tones.text);
    set(QPalette::Base, tones.base);
    set(QPalette::AlternateBase, tones.alternate);
    set(QPalette::Text, tones.text);
    set(QPalette::BrightText, tones.accentText);
    set(QPalette::PlaceholderText, tones.mutedText);
    set(QPalette::Button, tones.button);
    set(QPalette::ButtonText, tones.text);
    set(QPalette::Highlight, tones.accent);
    set(QPalette::HighlightedText, tones.accentText);
    set(QPalette::Link, tones.link);
    set(QPalette::LinkVisited, tones.link);
    set(QPalette::ToolTipBase, tones.toolTip);
    set(QPalette::ToolTipText, tones.text);
    setShades(palette, tones, dark);
    setDisabled(palette, tones);
    return palette;
}

/// Okabe & Ito (2008), "Color Universal Design"; black last, where it is least likely to meet text.
constexpr std::array<QRgb, 8> kCategories{0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7,
                                          0x56b4e9, 0xd55e00, 0xf0e442, 0x000000};

/// Every eighth entry of matplotlib's viridis (van der Walt & Smith, CC0); linear in between.
constexpr std::array<QRgb, 33> kViridis{0x440154, 0x470d60, 0x48186a, 0x482374, 0x472d7b, 0x453781, 0x424086,
                                        0x3e4989, 0x3b528b, 0x375b8d, 0x33638d, 0x2f6b8e, 0x2c728e, 0x297a8e,
                                        0x26828e, 0x23898e, 0x21918c, 0x1f988b, 0x1fa088, 0x22a785, 0x28ae80,
                                        0x32b67a, 0x3fbc73, 0x4ec36b, 0x5ec962, 0x70cf57, 0x84d44b, 0x98d83e,
                                        0xaddc30, 0xc2df23, 0xd8e219, 0xece51b, 0xfde725};

constexpr auto kTypeset = text::Typography::Typeset;

} // namespace

QPalette lightPalette()
{
    return makePalette(kLight, false);
}

QPalette darkPalette()
{
    return makePalette(kDark, true);
}

QPalette highContrastPalette(bool dark)
{
    return makePalette(dark ? kHighDark : kHighLight, dark);
}

bool isHighContrast(const QPalette& palette)
{
    const auto reach = [&palette](QPalette::ColorRole front, QPalette::ColorRole back) {
        return std::abs(palette.color(QPalette::Active, front).lightness() -
                        palette.color(QPalette::Active, back).lightness());
    };
    constexpr int kWhole = 255;
    return reach(QPalette::Text, QPalette::Base) == kWhole &&
           reach(QPalette::WindowText, QPalette::Window) == kWhole;
}

bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::Base).lightness() < palette.color(QPalette::Text).lightness();
}

void applyTheme(QApplication& application, ThemeChoice choice)
{
    static const QPalette kSystem = application.palette(); // before ours replaces it
    const bool isSystem = choice == ThemeChoice::System;
    const bool isHigh = choice == ThemeChoice::HighContrast || (isSystem && isHighContrast(kSystem));
    const bool dark = choice == ThemeChoice::Dark || ((isSystem || isHigh) && isDark(kSystem));
    const QPalette palette = isHigh ? highContrastPalette(dark) : dark ? darkPalette() : lightPalette();
    QApplication::setStyle(new WindowStyle);
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
}

QColor blend(const QColor& over, const QColor& under, double opacity)
{
    const double a = std::clamp(opacity, 0.0, 1.0);
    const auto mix = [a](int o, int u) { return static_cast<int>(std::lround(a * o + (1.0 - a) * u)); };
    return {mix(over.red(), under.red()), mix(over.green(), under.green()), mix(over.blue(), under.blue())};
}

PlotColors plotColors(const QPalette& palette, bool forPrint)
{
    const QPalette used = forPrint ? lightPalette() : palette;
    const bool dark = isDark(used);
    const bool isHigh = isHighContrast(used);
    PlotColors colors;
    colors.background = used.color(QPalette::Active, QPalette::Base);
    colors.text = used.color(QPalette::Active, QPalette::Text);
    colors.mutedText = blend(colors.text, colors.background, isHigh ? 0.85 : 0.66);
    colors.grid = blend(colors.text, colors.background, isHigh ? 0.35 : dark ? 0.13 : 0.10);
    colors.axis = blend(colors.text, colors.background, isHigh ? 0.9 : 0.52);
    colors.accent = dark ? QColor(0x62aeee) : QColor(0x1667ad);
    colors.band = blend(colors.accent, colors.background, dark ? 0.26 : 0.17);
    colors.observed = dark ? QColor(0xf0742e) : QColor(0xd55e00);
    colors.observedRim = Qt::white;
    colors.warning = dark ? QColor(0xe0a11b) : QColor(0xa86400);
    colors.error = dark ? QColor(0xf0625d) : QColor(0xc4262e);
    colors.good = dark ? QColor(0x35b78a) : QColor(0x0b7d5a);
    return colors;
}

QColor categoryColor(int index)
{
    const int count = static_cast<int>(kCategories.size());
    return QColor::fromRgb(kCategories[static_cast<std::size_t>(((index % count) + count) % count)]);
}

QColor viridis(double fraction)
{
    const double last = static_cast<double>(kViridis.size() - 1);
    const double position = std::isfinite(fraction) ? std::clamp(fraction, 0.0, 1.0) * last : 0.0;
    const auto below = static_cast<std::size_t>(position);
    const auto above = std::min(below + 1, kViridis.size() - 1);
    return blend(QColor::fromRgb(kViridis[above]), QColor::fromRgb(kViridis[below]),
                 position - static_cast<double>(below));
}

QString formatNumber(double value, std::optional<double> uncertainty)
{
    return QString::fromStdString(text::formatNumber(value, uncertainty, kTypeset));
}

QString formatInterval(double value, double low, double high)
{
    return QString::fromStdString(text::formatInterval(value, low, high, kTypeset));
}

QString formatP(double p)
{
    return QString::fromStdString(text::formatP(p));
}

QString formatPClause(double p)
{
    return QString::fromStdString(text::formatPClause(p));
}

QString formatPercent(double share, int decimals)
{
    return QString::fromStdString(text::formatPercent(share, decimals, kTypeset));
}

QString formatPower(double power)
{
    return QString::fromStdString(text::formatPower(power));
}

QString formatDuration(double seconds)
{
    return QString::fromStdString(text::formatDuration(seconds));
}

QString formatRoughDuration(double seconds)
{
    return QString::fromStdString(text::formatRoughDuration(seconds));
}

QString formatCount(qint64 count, const char* thing)
{
    return QString::fromStdString(text::formatCount(count, thing));
}

QString formatList(const QStringList& items)
{
    std::vector<std::string> words;
    for (const QString& item : items)
        words.push_back(item.toStdString());
    return QString::fromStdString(text::formatList(words));
}

} // namespace quadric::widgets
