// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/launch/launch.h"
#include "widgets/design/design_page.h"

#include <QDialog>

#include <filesystem>
#include <functional>
#include <optional>

namespace quadric::widgets {

class FactorsPage;
class LayoutPage;
class MeasurementPage;
class QuestionPage;
class RunSearch;
class SummaryPage;
class WizardFrame;
class WizardPage;
struct LaidOutRuns;
struct WizardProblem;

/// Six pages from the question to a study with laid out runs, which can be finished from every page. Writes
/// nothing and starts nothing: whoever opened it takes study() when it is accepted.
class StudyWizard : public QDialog {
    Q_OBJECT

public:
    /// A new study from the first template for this machine.
    explicit StudyWizard(const run::Machine& machine, QWidget* parent = nullptr);
    ~StudyWizard() override;

    /// A new study with the definition of this one and without its runs.
    void startFrom(const study::Study& study);

    /// A new study that is measured by this script or program.
    void startWithScript(const QString& path);

    /// Edits this study. One that has results keeps its runs; factors and design are locked then.
    void editStudy(const study::Study& study);

    /// What the built-in workload can be measured on here.
    void setDevices(const run::TrainerDevices& devices);

    /// Tells which file a study will be in.
    void setDestination(std::function<QString(const study::Study&)> destination);
    /// Where the study is or will be: files of its command are looked for from there.
    void setDocument(const std::filesystem::path& document, bool isNew);

    /// Results of the command shall be read in this way.
    void setParse(const study::ParseSpec& parse);

    void setStep(WizardStep step);
    WizardStep step() const;
    const study::Study& study() const { return m_study; }

    /// What keeps the study from being finished, in words; empty: nothing.
    QStringList problems() const;

    /// Asks before anything that was entered is lost.
    void reject() override;

signals:
    /// The command of the study shall be tried with one of its settings.
    void testRequested(const quadric::study::Study& study);
    /// The help text about a page is wanted; `topic` is a file of resources/help without its ending.
    void helpRequested(const QString& topic);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void addPages();
    void take(const study::Study& after);
    void proposeFromScript(int mostRanks);
    void applyTemplate(const study::Study& made);
    void layOutRuns();
    void endSearch(const LaidOutRuns& laidOut);
    void searchAgain();
    void applyLaidOutRuns(const LaidOutRuns& laidOut);
    void showStudy();
    void showProblems();
    std::vector<WizardProblem> findProblems() const;
    std::optional<WizardProblem> layoutProblem() const;
    bool isTouched() const;
    void commitOpenCell();
    void finish();

    study::Study m_study;
    study::Study m_start;    ///< as the user found it: from the template, or the study that is edited
    QString m_script;        ///< that the study was started with
    study::Study m_proposed; ///< with the factors and responses that it says
    QString m_layoutProblem;
    bool m_wasStopped = false; ///< the last search, before its end
    RunSearch* m_search;
    bool m_isLocked = false;
    std::vector<WizardPage*> m_pages;
    QuestionPage* m_question;
    FactorsPage* m_factors;
    LayoutPage* m_layout;
    MeasurementPage* m_measurement;
    SummaryPage* m_summary;
    WizardFrame* m_frame;
};

} // namespace quadric::widgets
