// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

namespace quadric::app {

/// Covers its window while a file is dragged over it, and says what dropping it does, or why nothing.
class DropOverlay : public QWidget {
    Q_OBJECT

public:
    explicit DropOverlay(QWidget& window);

    void showWords(const QString& words, bool isWelcome);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_words;
    bool m_isWelcome = false;
};

} // namespace quadric::app
