// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"
#include "widgets/base/page.h"

#include <QWidget>

#include <memory>

class QLayout;

namespace quadric::widgets {

/// Factors with their ranges and responses with their goals, a line each, with a button to edit either.
class StudySummary : public QWidget {
    Q_OBJECT

public:
    explicit StudySummary(QWidget* parent = nullptr);
    void setStudy(const study::Study& study);

signals:
    void editFactorsRequested();
    void editResponsesRequested();

private:
    QWidget* m_factors;
    QWidget* m_responses;
};

/// Pages of the wizard, as far as others ask for one.
enum class WizardStep { Question, Factors, Responses, Design, Measurement, Summary };

/// The step "Design": the matrix of runs with settings and results as they come, the cube and the quality of
/// the design beside it, factors and responses above it.
class DesignPage : public Page {
    Q_OBJECT

public:
    explicit DesignPage(QWidget* parent = nullptr);
    ~DesignPage() override;
    void setContext(ContextPointer context) override;

public slots:
    /// Asks for the reason why these runs are to be left out of all models, and asks for the change.
    void excludeRuns(const std::vector<int>& runs);
    /// Lights these runs in the table and the cube.
    void pickRuns(const PickedRuns& runs);

    /// Goes to the column of this factor or response in the table.
    void showVariable(const std::string& name);

    /// The study that the user chose to compare with (comparisonFileRequested), under its name.
    void compareWith(const QString& name, const quadric::study::Study& other);

signals:
    /// The user wants to edit the definition of the study, starting with this page of the wizard.
    void editRequested(quadric::widgets::WizardStep step);
    /// The user takes back the change that this page has just asked for.
    void undoRequested();
    /// The user wants to choose a study file whose design is shown beside this one: compareWith().
    void comparisonFileRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QLayout* buildHeader();
    QLayout* buildButtons();
    QWidget* buildLeft();
    QWidget* buildSide();
    void buildEmptyState();
    void connectSheet();
    void shareWidth();
    void announceSetting(int runId, const QString& factor, const QString& typed);
    void previewSetting(int runId, const QString& factor, const QString& typed);
    void openComparison();
    void openAugmentation();

    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace quadric::widgets
