// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QLabel;
class QListWidget;
class QPushButton;
class QStackedWidget;

namespace quadric::widgets {

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
    void showPrimary();
    void askForHelp();

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
