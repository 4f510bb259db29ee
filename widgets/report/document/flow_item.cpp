// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/document/flow_item.h"

#include "widgets/report/print/print_text.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr double kBulletIndent = 16.0;
constexpr double kCaptionGap = 4.0; ///< between plots and caption
constexpr double kHighest = 1.25;   ///< share of its height up to which a plot grows to fill a page

} // namespace

QFont fontOf(const HeadingBlock& heading)
{
    constexpr double kPixels[] = {28, 18, 14};
    return printFont(kPixels[std::clamp(heading.level, 0, 2)], true);
}

QFont fontOf(const ParagraphBlock& paragraph)
{
    switch (paragraph.kind) {
    case ParagraphBlock::Kind::Lead:
        return printFont(15);
    case ParagraphBlock::Kind::Small:
        return printFont(12);
    case ParagraphBlock::Kind::Plain:
    case ParagraphBlock::Kind::Bullet:
        break;
    }
    return printFont(13);
}

double indentOf(const ParagraphBlock& paragraph)
{
    return paragraph.kind == ParagraphBlock::Kind::Bullet ? kBulletIndent : 0.0;
}

double captionHeight(const FigureBlock& figure, double width)
{
    return figure.caption.isEmpty()
               ? 0.0
               : kCaptionGap + textHeight(figure.caption, printFont(kFigureCaptionPixels), width);
}

double spaceBefore(const FlowItem& item)
{
    if (const auto* heading = std::get_if<HeadingBlock>(&item))
        return heading->level <= 1 ? 24 : 16;
    const auto* figure = std::get_if<FigureBlock>(&item);
    if (figure != nullptr && figure->continues)
        return kCaptionGap;
    const auto* paragraph = std::get_if<ParagraphBlock>(&item);
    if (paragraph == nullptr || paragraph->keepsWithNext)
        return 16;
    return paragraph->kind == ParagraphBlock::Kind::Bullet ? 4 : 8;
}

double slackOf(const FlowItem& item)
{
    const auto* figure = std::get_if<FigureBlock>(&item);
    return figure == nullptr ? 0.0 : (1.0 - figure->lowest) * figure->height;
}

double growthOf(const FlowItem& item)
{
    const auto* figure = std::get_if<FigureBlock>(&item);
    return figure == nullptr || figure->isFixed() ? 0.0 : (kHighest - 1.0) * figure->height;
}

} // namespace quadric::widgets
