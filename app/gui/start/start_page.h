// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/study_session.h"
#include "core/study/study.h"

#include <QAbstractButton>
#include <QPixmap>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QWidget>

#include <vector>

class QFileInfo;
class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace quadric::app {

/// What a card of the start page shows of a study.
struct StudyPreview {
    study::Study study;
    QString words;          ///< "15 of 15 runs done · simulated", "running · 3 of 15 runs done"
    bool isRunning = false; ///< a runner has it
    QString timeLeft;       ///< "about 4 minutes left"; empty where nobody knows
};

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
    QSize minimumSizeHint() const override { return {240, sizeHint().height()}; }

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

/// What the window shows while no study is open: new, open, import, recent studies, examples.
class StartPage : public QWidget {
    Q_OBJECT

public:
    explicit StartPage(QWidget* parent = nullptr);

    /// Paths of studies, latest first; those that are gone are left out.
    void setRecentStudies(const QStringList& paths);

signals:
    void newRequested();
    void openRequested();
    void importRequested();
    void studyPicked(const QString& path);
    /// The study is to be listed no longer; its file stays.
    void removeRequested(const QString& path);
    void examplePicked(const quadric::app::Example& example);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    StudyCard* addRecent(const QFileInfo& file);
    void showMenu(StudyCard& card, const QPoint& at);
    void remove(const StudyCard& card);
    void followRunners();
    void arrange();
    QVBoxLayout* buildSide();
    QWidget* buildLists();
    void addExamples(QVBoxLayout& lists);

    QLabel* m_noRecent = nullptr;
    QGridLayout* m_recent = nullptr;
    QGridLayout* m_examples = nullptr;
    QLabel* m_runsGoOn = nullptr;
    std::vector<StudyCard*> m_recentCards;
    std::vector<StudyCard*> m_exampleCards;
    QTimer m_clock; ///< asks how far the runners are, while the page is visible
    int m_columns = 0;
};

} // namespace quadric::app
