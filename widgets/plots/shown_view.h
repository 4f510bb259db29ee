// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

class QWidget;

namespace quadric::widgets {

/// Says that `widget` shows the view with this id (ViewKind::id), so that help and search find it.
void markView(QWidget& widget, const std::string& id);

/// The view that `widget` shows or is a part of; of the bar of tabs, the one in front. Empty: none.
std::string viewShownBy(const QWidget* widget);

/// The widget below `root` that shows the view; null: none does.
QWidget* findShownView(const QWidget& root, const std::string& id);

/// Brings the tabs that `widget` lies in to the front, scrolls to it and gives it the focus, or the first in
/// it that takes it.
void revealWidget(QWidget& widget);

} // namespace quadric::widgets
