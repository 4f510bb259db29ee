// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/proposal/renames.h"
#include "widgets/wizard/wizard_frame.h"

class QLineEdit;
class QPlainTextEdit;
class QMenu;
class QPushButton;

namespace quadric::widgets {

/// Name, question and template of the study.
class QuestionPage : public WizardPage {
    Q_OBJECT

public:
    /// Templates are fitted to so many cores.
    explicit QuestionPage(int cores, QWidget* parent = nullptr);
    void setStudy(const study::Study& study) override;

    /// As if its card were clicked.
    void chooseTemplate(const QString& name);

    /// An existing study has no template to choose any more.
    void hideTemplates();

signals:
    /// Another template is chosen; `made` is its study.
    void templateChosen(const quadric::study::Study& made);

private:
    QWidget* buildTemplates(int cores);
    void commitTexts();

    study::Study m_study;
    QLineEdit* m_name;
    QPlainTextEdit* m_question;
    QWidget* m_cards;
};

class ChoiceDelegate;
class FieldNote;
class ResponseTableModel;
class Spreadsheet;

/// What is measured and what is wanted of it.
class ResponsesPage : public WizardPage {
    Q_OBJECT

public:
    explicit ResponsesPage(QWidget* parent = nullptr);
    void setStudy(const study::Study& study) override;
    QStringList refusals() const override;

private:
    void take();
    void addResponse();
    void removeResponse();
    void fillOffers();
    void showExpression();
    void commitExpression();
    std::string currentName() const;

    study::Study m_study;
    run::RenameTracker m_names;
    ResponseTableModel* m_model;
    Spreadsheet* m_table;
    ChoiceDelegate* m_measured;
    QPushButton* m_remove = nullptr;
    QPushButton* m_offer = nullptr; ///< adds what the runner can tell of any command
    QMenu* m_offers = nullptr;
    QLineEdit* m_expression = nullptr; ///< of the current response
    FieldNote* m_expressionNote = nullptr;
};

} // namespace quadric::widgets
