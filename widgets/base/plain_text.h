// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace quadric::widgets {

/// Shows texts as they are, whoever wrote them: while it lives, every label of the application that was not
/// told its format, tooltips and message boxes among them, shows markup as text instead of following it.
class PlainTexts : public QObject {
    Q_OBJECT

public:
    explicit PlainTexts(QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace quadric::widgets
