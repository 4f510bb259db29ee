// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace quadric::widgets {

namespace {

/// Okabe & Ito (2008), "Color Universal Design"; black last, where it is least likely to meet text.
constexpr std::array<QRgb, 8> kCategories{0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7,
                                          0x56b4e9, 0xd55e00, 0xf0e442, 0x000000};

/// Every eighth entry of matplotlib's viridis (van der Walt & Smith, CC0); linear in between.
constexpr std::array<QRgb, 33> kViridis{0x440154, 0x470d60, 0x48186a, 0x482374, 0x472d7b, 0x453781, 0x424086,
                                        0x3e4989, 0x3b528b, 0x375b8d, 0x33638d, 0x2f6b8e, 0x2c728e, 0x297a8e,
                                        0x26828e, 0x23898e, 0x21918c, 0x1f988b, 0x1fa088, 0x22a785, 0x28ae80,
                                        0x32b67a, 0x3fbc73, 0x4ec36b, 0x5ec962, 0x70cf57, 0x84d44b, 0x98d83e,
                                        0xaddc30, 0xc2df23, 0xd8e219, 0xece51b, 0xfde725};

} // namespace

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

} // namespace quadric::widgets
