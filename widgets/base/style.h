// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QLabel>
#include <QPushButton>
#include <QSize>
#include <QString>

class QComboBox;
class QGridLayout;
class QHBoxLayout;
class QScrollArea;
class QVBoxLayout;
class QWidget;

namespace quadric::widgets {

/// Space between things that belong together, and between groups: the 8-pixel grid of the window.
inline constexpr int kGap = 8;
inline constexpr int kGroupGap = 16;
inline constexpr int kPageMargin = 24;

/// A page's or group's heading: the one larger type size.
QLabel* titleLabel(const QString& text, QWidget* parent = nullptr);

/// The font of commands, output and logs, in which columns stand below each other: the system's own where its
/// letters are equally wide, else the first installed family whose letters are.
QFont fixedFont();

/// Secondary text: wraps, in the palette's muted color.
QLabel* mutedLabel(const QString& text, QWidget* parent = nullptr);

/// The one thing that a page asks for: a button in the accent color.
QPushButton* primaryButton(const QString& text, QWidget* parent = nullptr);

/// A button that is only text until the pointer or the focus is on it.
QPushButton* quietButton(const QString& text, QWidget* parent = nullptr);

/// A small button inside a text: in the color of links, without a frame.
QPushButton* linkButton(const QString& text, QWidget* parent = nullptr);

/// Text in the weight of a heading.
QLabel* boldLabel(const QString& text, QWidget* parent = nullptr);

/// A frameless area around `content`, which takes its size and is scrolled where it needs more room.
QScrollArea* scrollAreaFor(QWidget* content);

/// A layout with nothing around it, and with so many pixels between its items (−1: as many as the style
/// says).
template <typename BoxLayout> BoxLayout* marginless(QWidget* parent = nullptr, int spacing = -1)
{
    auto* layout = new BoxLayout(parent);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing);
    return layout;
}

/// A grid with nothing around it.
QGridLayout* marginlessGrid(QWidget* parent, int horizontalSpacing, int verticalSpacing);

/// Name for tests and name for screen readers at once.
void nameWidget(QWidget* widget, const char* objectName, const QString& accessibleName);

/// Adds a caption and, beside it, a chooser that takes the room that is left in the row. The caption is the
/// chooser's accessible name.
QComboBox* addLabeledChooser(QHBoxLayout& row, const QString& label, QWidget* parent);

/// The same below its caption, as wide as the column.
QComboBox* addChooserBelowLabel(QVBoxLayout& column, const QString& label, QWidget* parent);

/// Resizes a window to `usual`, or to what of it the screen has room for beside a window manager's frame.
void resizeWithinScreen(QWidget& window, QSize usual);

/// What a window takes of a screen: this share of it, 0 … 1, but no less than `least` and no more than
/// `most`.
QSize sizeOnScreen(QSize screen, double share, QSize least, QSize most);

} // namespace quadric::widgets
