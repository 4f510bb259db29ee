// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QPushButton;

namespace quadric::widgets {

/// A tinted strip across a page with a mark and a few sentences, which can be selected.
class Banner : public QFrame {
    Q_OBJECT

public:
    enum class Tone { News, Good, Warning, Error };

    explicit Banner(QWidget* parent = nullptr);

    /// `mark`: a sign or two before the words, so that color is not alone.
    void setTone(Tone tone, const QString& mark);
    void setWords(const QString& words);
    QString words() const;

protected:
    QLabel* label() { return m_words; }
    /// Behind the words and the buttons that there are.
    QPushButton* addButton(const char* name, const QString& text);
    void changeEvent(QEvent* event) override;

private:
    void colorAgain();

    QLabel* m_mark = nullptr;
    QLabel* m_words = nullptr;
    QHBoxLayout* m_row = nullptr;
    Tone m_tone = Tone::News;
};

} // namespace quadric::widgets
