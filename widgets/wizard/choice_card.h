// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

namespace quadric::widgets {

/// One of a few things to choose from: a title and a sentence about it. Exclusive among its siblings.
class ChoiceCard : public QAbstractButton {
    Q_OBJECT

public:
    ChoiceCard(const QString& title, QString about, QWidget* parent = nullptr);
    void setAbout(const QString& about);
    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QRect aboutArea(int width) const;

    QString m_about;
};

} // namespace quadric::widgets
