// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace quadric::widgets {

/// While it lives, the keys of Undo and Redo reach the window from every field of the application that has no
/// typing of its own to take back: an untouched spin box, combo box, line or text keeps none of them.
class UndoKeys : public QObject {
    Q_OBJECT

public:
    explicit UndoKeys(QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace quadric::widgets
