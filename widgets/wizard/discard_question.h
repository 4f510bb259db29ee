// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAbstractButton;
class QWidget;

namespace quadric::widgets {

/// Asks, over a window that it belongs to, whether what was entered there is to be lost. Returns at once,
/// with the button that says so.
QAbstractButton* askToDiscard(QWidget& window);

} // namespace quadric::widgets
