// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/report/document/report_content.h"
#include "widgets/report/print/print_table.h"

#include <variant>

namespace quadric::widgets {

/// What falls onto pages: a block of the report, or a part of one that is too wide.
using FlowItem = std::variant<HeadingBlock, ParagraphBlock, PrintTable, FigureBlock>;

/// Type and indent of text blocks, shared by flow and painting.
QFont fontOf(const HeadingBlock& heading);
QFont fontOf(const ParagraphBlock& paragraph);
double indentOf(const ParagraphBlock& paragraph);
inline constexpr double kFigureCaptionPixels = 11.0;

/// All lengths in logical pixels. Below a plot, with the gap above it; 0 without a caption.
double captionHeight(const FigureBlock& figure, double width);

/// Between the item and the one before it.
double spaceBefore(const FlowItem& item);

/// So much lower a plot may become to make room on its page; 0 for other items.
double slackOf(const FlowItem& item);

/// So much higher it may become to fill its page; 0 for other items.
double growthOf(const FlowItem& item);

} // namespace quadric::widgets
