// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"

namespace quadric::app {

class Pages;
class StudyEditor;

/// Shows the warnings about the models, and does what they advise.
class Remedies : public QObject {
    Q_OBJECT

public:
    Remedies(StudyEditor& editor, Pages& pages, QWidget& window);

    void showWarnings();
    /// What the program can do about the finding; `response`: its index.
    void take(const report::Finding& finding, int response);

signals:
    void stepRequested(quadric::widgets::Step step);

private:
    void useRecommendedModels();
    void useRecommendedModel(int response);

    StudyEditor& m_editor;
    Pages& m_pages;
    QWidget& m_window;
};

} // namespace quadric::app
