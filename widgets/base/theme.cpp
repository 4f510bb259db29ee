// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/theme.h"

#include "widgets/base/window_style.h"

#include <QApplication>
#include <QToolTip>

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

QPalette paletteOf(const Tones& tones, bool dark)
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

} // namespace

QPalette lightPalette()
{
    return paletteOf(kLight, false);
}

QPalette darkPalette()
{
    return paletteOf(kDark, true);
}

QPalette highContrastPalette(bool dark)
{
    return paletteOf(dark ? kHighDark : kHighLight, dark);
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

} // namespace quadric::widgets
