// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"

#include <QStringList>

class QMainWindow;

namespace quadric::app {

class Pages;
class StudyEditor;

/// Opens the command palette over everything that the window offers at this moment.
class Palette : public QObject {
    Q_OBJECT

public:
    Palette(const StudyEditor& editor, Pages& pages, QMainWindow& window);

    void show(const QStringList& recentStudies);

signals:
    void stepRequested(quadric::widgets::Step step);
    void studyPicked(const QString& path);

private:
    void showFactor(const std::string& name);
    void showResponse(const std::string& name);

    const StudyEditor& m_editor;
    Pages& m_pages;
    QMainWindow& m_window;
};

} // namespace quadric::app
