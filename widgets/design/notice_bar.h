// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace quadric::widgets {

/// One sentence about what the user does or has just done, with the button that takes it back. Hidden while
/// there is nothing to say.
class NoticeBar : public QWidget {
    Q_OBJECT

public:
    enum class Tone { Plain, Warning };

    explicit NoticeBar(QWidget* parent = nullptr);
    void say(const QString& sentence, Tone tone, bool canUndo = false);
    void clear();
    QString sentence() const;

signals:
    void undoClicked();

private:
    QLabel* m_mark;
    QLabel* m_sentence;
    QPushButton* m_undo;
};

} // namespace quadric::widgets
