// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/wizard/wizard_page.h"

class QLineEdit;
class QPlainTextEdit;

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
    void takeTexts();

    study::Study m_study;
    QLineEdit* m_name;
    QPlainTextEdit* m_question;
    QWidget* m_cards;
};

} // namespace quadric::widgets
