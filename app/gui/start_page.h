// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/study_files.h"

#include <QStringList>
#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace quadric::app {

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
    void examplePicked(const quadric::app::Example& example);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();
    QVBoxLayout* buildSide();
    QWidget* buildLists();
    void addExamples(QVBoxLayout& lists);

    QLabel* m_noRecent = nullptr;
    QGridLayout* m_recent = nullptr;
    QGridLayout* m_examples = nullptr;
    std::vector<QWidget*> m_recentCards;
    std::vector<QWidget*> m_exampleCards;
    int m_columns = 0;
};

} // namespace quadric::app
