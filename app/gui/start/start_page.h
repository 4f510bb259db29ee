// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/study_files.h"

#include <QStringList>
#include <QTimer>
#include <QWidget>

#include <vector>

class QFileInfo;
class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace quadric::app {

class StudyCard;

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
