// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"
#include "widgets/wizard/sheets/sheet_model.h"

#include <QStringList>
#include <QWidget>

#include <vector>

class QLabel;
class QListWidget;
class QPushButton;
class QStackedWidget;

namespace quadric::widgets {

/// One page of the wizard. It shows the study that is being made and asks for changes of it. Its focus proxy
/// is where typing begins.
class WizardPage : public QWidget {
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Shows the study without asking for anything; what the user is typing into is left alone where it
    /// already means the same.
    virtual void setStudy(const study::Study& study) = 0;

    /// What was typed here and cannot be in a study, in words; empty: nothing.
    virtual QStringList refusals() const { return {}; }

signals:
    void edited(const quadric::study::Study& after);
};

enum class WizardStep;

/// Something to mend, and the step of the wizard where it is mended.
struct WizardProblem {
    WizardStep step;
    QString words = {};
    bool isError = true;         ///< the study cannot be made
    bool isShownInPlace = false; ///< the page says it beside what is wrong
    bool isMissing = false;      ///< nothing is wrong, it is only not entered yet
};

/// What is wrong with a study that is being made, step by step: what study::validate() finds, what is still
/// missing, and what the built-in workload would not do. Without the runs, which are laid out by the program.
std::vector<WizardProblem> findWizardProblems(const study::Study& study);

/// A problem of study::validate() as a sentence, for people who look at a table and not at a file.
QString problemWords(const study::Study& study, const study::Problem& problem);

/// The cells of a table that study::validate() finds something in, or in which something was refused. `list`
/// is "factors" or "responses", `columns` the column of each key of the document.
std::vector<CellProblem> cellProblems(const study::Study& study, const char* list,
                                      const std::map<QString, int>& columns, const SheetModel& sheet);

/// A sentence for each.
QStringList inWords(const std::vector<CellProblem>& problems);

/// The frame of a wizard: its steps at the left, the page of one at the right, under it what is wrong and the
/// buttons. The blue button, which is pressed with Enter, is *Next*, and on the last step *Create study*.
class WizardFrame : public QWidget {
    Q_OBJECT

public:
    explicit WizardFrame(QWidget* parent = nullptr);

    /// `sentence` stands under the name while the step is shown; `help` is the topic of its help.
    void addStep(const QString& name, const QString& sentence, const QString& help, QWidget* page);
    void setSentence(int step, const QString& sentence);
    /// What the button that ends the wizard says.
    void setFinishText(const QString& text);

    void setStep(int step);
    int step() const;
    bool isLastStep() const;

    enum class Mark { None, Missing, Wrong };
    /// Marks a step in the list.
    void markStep(int step, Mark mark);
    /// What is wrong on the step that is shown, a line each; in the color of errors where one is.
    void showProblems(const QStringList& lines, bool hasErrors);
    /// Whether the step that is shown may be left for the next one.
    void allowNext(bool isAllowed);
    /// Whether the wizard can be finished; where not, why.
    void allowFinish(bool isAllowed, const QString& whyNot);
    /// What Enter does where nothing else takes it.
    void pressPrimary();

signals:
    void stepShown(int step);
    void cancelled();
    void finished();
    void helpRequested(const QString& topic);

private:
    QWidget* buildHeader();
    QLayout* buildButtons();
    void showStep();
    void askForHelp() { emit helpRequested(m_help[step()]); }

    QStringList m_names, m_sentences, m_help;
    QListWidget* m_steps;
    QStackedWidget* m_stack;
    QLabel* m_title;
    QLabel* m_sentence;
    QLabel* m_problem;
    QPushButton* m_back = nullptr;
    QPushButton* m_next = nullptr;
    QPushButton* m_finish = nullptr;
    QString m_primaryStyle, m_quietStyle;
};

} // namespace quadric::widgets
