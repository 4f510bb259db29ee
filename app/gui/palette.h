// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"
#include "widgets/plots/view_kind.h"

#include <QKeySequence>
#include <QString>
#include <QStringList>

#include <functional>
class QMainWindow;

namespace quadric::app {

/// Something that the command palette finds and does.
struct PaletteEntry {
    QString title; ///< "Export plots…"
    QString where; ///< "Study", "Explore", "Factor": what it is, or where it stands in the window
    QKeySequence keys = {};
    std::function<void()> run;
    QString whyNot = {}; ///< why it cannot be done now; empty: it can
};

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
