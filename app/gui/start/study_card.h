// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QPixmap>

namespace quadric::app {

/// A study to open: thumbnail, title, one line of facts, one line about it.
class StudyCard : public QAbstractButton {
    Q_OBJECT

public:
    /// What its picture shows.
    enum class Picture { Study, Claims };

    /// Without a title it has the study's name.
    StudyCard(QString path, QString title, QString about, Picture picture = Picture::Study,
              QWidget* parent = nullptr);
    const QString& path() const { return m_path; }
    /// "running · 3 of 15 runs done"; empty before it was first shown.
    const QString& facts() const { return m_facts; }
    /// The line below: what was said about it, or how long its runs still take.
    const QString& about() const { return m_timeLeft.isEmpty() ? m_about : m_timeLeft; }
    bool isRunning() const { return m_isRunning; }
    /// Reads again how far a study is that is run, or was a moment ago.
    void followRunner();
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// By the Delete key.
    void removeRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void readStudy();
    void paintWords(QPainter& painter) const;

    QString m_path;
    QString m_title;
    QString m_about;
    Picture m_picture;
    QString m_facts;
    QString m_timeLeft;
    QPixmap m_thumbnail;
    bool m_isRead = false;
    bool m_isRunning = false;
};

} // namespace quadric::app
