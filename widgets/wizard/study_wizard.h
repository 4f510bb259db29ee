// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/launch.h"
#include "core/run/recipe/trainer_devices.h"
#include "widgets/design/design_page.h"

#include <QDialog>

class QLabel;
class QListWidget;
class QPushButton;
class QStackedWidget;

namespace quadric::widgets {

class LayoutPage;
class MeasurementPage;
class QuestionPage;
class RunSearch;
class WizardPage;
struct LaidOutRuns;

/// Six pages from the question to a study with laid out runs. Valid from the first second; can be finished
/// from every page. Writes nothing and starts nothing: whoever opened it takes study() when it is accepted.
class StudyWizard : public QDialog {
    Q_OBJECT

public:
    /// A new study from the first template for this machine.
    explicit StudyWizard(const run::Machine& machine, QWidget* parent = nullptr);
    ~StudyWizard() override;

    /// A new study with the definition of this one and without its runs.
    void startFrom(const study::Study& study);

    /// Edits this study. One that has results keeps its runs; factors and design are locked then.
    void editStudy(const study::Study& study);

    /// What the built-in workload can be measured on here.
    void setDevices(const run::TrainerDevices& devices);

    void setStep(WizardStep step);
    WizardStep step() const;
    const study::Study& study() const { return m_study; }

    /// What keeps the study from being finished, in words; empty: nothing.
    QStringList problems() const;

signals:
    /// The command of the study shall be tried with one of its settings.
    void testRequested(const quadric::study::Study& study);

private:
    void addStep(const QString& name, const QString& sentence, WizardPage* page);
    QWidget* buildHeader();
    QLayout* buildButtons();
    void take(const study::Study& after);
    void layOutRuns();
    void endSearch(const LaidOutRuns& laidOut);
    void stopSearch();
    void showStudy();
    void showStep();
    void showProblems();
    void finish();

    void takeRuns(const LaidOutRuns& laidOut);

    study::Study m_study;
    QString m_layoutProblem;
    RunSearch* m_search;
    bool m_isLocked = false;
    QStringList m_sentences;
    std::vector<WizardPage*> m_pages;
    QuestionPage* m_question;
    LayoutPage* m_layout;
    MeasurementPage* m_measurement;
    QListWidget* m_steps;
    QStackedWidget* m_stack;
    QLabel* m_title;
    QLabel* m_sentence;
    QLabel* m_problem;
    QPushButton* m_back = nullptr;
    QPushButton* m_next = nullptr;
    QPushButton* m_finish = nullptr;
};

} // namespace quadric::widgets
