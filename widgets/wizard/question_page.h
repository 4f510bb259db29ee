// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/wizard/templates.h"
#include "widgets/wizard/wizard_page.h"

class QButtonGroup;
class QLineEdit;
class QPlainTextEdit;

namespace quadric::widgets {

/// Name, question and template of the study.
class QuestionPage : public WizardPage {
    Q_OBJECT

public:
    explicit QuestionPage(std::vector<StudyTemplate> templates, QWidget* parent = nullptr);
    void setStudy(const study::Study& study) override;

    /// An existing study has no template to choose any more.
    void hideTemplates();

private:
    QWidget* buildTemplates();
    void takeTemplate(size_t index);
    void takeTexts();

    std::vector<StudyTemplate> m_templates;
    study::Study m_study;
    QLineEdit* m_name;
    QPlainTextEdit* m_question;
    QWidget* m_cards;
    bool m_isNameTyped = false;
};

} // namespace quadric::widgets
