// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace quadric::widgets {

/// What a page shows while it cannot work: what is missing, in words, and the button that gets it.
class EmptyState : public QWidget {
    Q_OBJECT

public:
    explicit EmptyState(QWidget* parent = nullptr);

    /// An empty `button` hides the button.
    void setTexts(const QString& title, const QString& sentence, const QString& button);

signals:
    void buttonClicked();

protected:
    void changeEvent(QEvent* event) override;

private:
    QLabel* m_title = nullptr;
    QLabel* m_sentence = nullptr;
    QPushButton* m_button = nullptr;
};

} // namespace quadric::widgets
