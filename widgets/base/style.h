// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QLabel>
#include <QPushButton>

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

/// Name for tests and name for screen readers at once.
void nameWidget(QWidget* widget, const char* objectName, const QString& accessibleName);

} // namespace quadric::widgets
