// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/wizard/wizard_page.h"

class QButtonGroup;
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

    /// An existing study has no template to choose any more.
    void hideTemplates();

private:
    QWidget* buildTemplates();
    void takeTemplate(std::string_view name);
    void takeTexts();

    int m_cores;
    study::Study m_study;
    QLineEdit* m_name;
    QPlainTextEdit* m_question;
    QWidget* m_cards;
    bool m_isNameTyped = false;
};

} // namespace quadric::widgets
