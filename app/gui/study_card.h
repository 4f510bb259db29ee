// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QPixmap>

namespace quadric::app {

/// A study to open: thumbnail, title, one line of facts, one line about it.
class StudyCard : public QAbstractButton {
    Q_OBJECT

public:
    StudyCard(QString path, const QString& title, QString about, QWidget* parent = nullptr);
    const QString& path() const { return m_path; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void readStudy();
    void paintWords(QPainter& painter) const;

    QString m_path;
    QString m_about;
    QString m_facts;
    QPixmap m_thumbnail;
    bool m_isRead = false;
};

} // namespace quadric::app
