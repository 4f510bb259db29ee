// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/question_page.h"

#include "core/templates/templates.h"
#include "widgets/base/style.h"
#include "widgets/wizard/forms/choice_card.h"

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace quadric::widgets {

QuestionPage::QuestionPage(int cores, QWidget* parent)
    : WizardPage(parent)
    , m_cores(cores)
    , m_name(new QLineEdit)
    , m_question(new QPlainTextEdit)
    , m_cards(buildTemplates())
{
    nameWidget(m_name, "studyName", tr("Name of the study"));
    nameWidget(m_question, "studyQuestion", tr("What should be found out"));
    m_question->setPlaceholderText(
        tr("For example: which batch and image size train fastest without losing scaling efficiency?"));
    m_question->setTabChangesFocus(true);
    m_question->setFixedHeight(3 * fontMetrics().lineSpacing() + 2 * kGap);
    connect(m_name, &QLineEdit::textEdited, this, [this] {
        m_isNameTyped = true;
        takeTexts();
    });
    connect(m_question, &QPlainTextEdit::textChanged, this, &QuestionPage::takeTexts);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGap);
    auto* name = new QLabel(tr("&Name"));
    name->setBuddy(m_name);
    auto* question = new QLabel(tr("&What should be found out?"));
    question->setBuddy(m_question);
    layout->addWidget(name);
    layout->addWidget(m_name);
    layout->addSpacing(kGap);
    layout->addWidget(question);
    layout->addWidget(m_question);
    layout->addSpacing(kGap);
    layout->addWidget(m_cards);
    layout->addStretch();
}

QWidget* QuestionPage::buildTemplates()
{
    auto* box = new QWidget;
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGap);
    layout->addWidget(new QLabel(tr("Template")));
    for (const templates::Template& item : templates::templates()) {
        auto* card = new ChoiceCard(QString::fromUtf8(item.title), QString::fromUtf8(item.about));
        card->setObjectName(QStringLiteral("template-") + QString::fromUtf8(item.name));
        card->setChecked(layout->count() == 1);
        connect(card, &QAbstractButton::clicked, this, [this, &item] { takeTemplate(item.name); });
        layout->addWidget(card);
    }
    return box;
}

void QuestionPage::setStudy(const study::Study& study)
{
    m_study = study;
    const QString name = QString::fromStdString(study.name);
    const QString question = QString::fromStdString(study.description);
    if (m_name->text() != name)
        m_name->setText(name);
    if (m_question->toPlainText() != question)
        m_question->setPlainText(question);
}

void QuestionPage::hideTemplates()
{
    m_cards->hide();
}

void QuestionPage::takeTemplate(std::string_view name)
{
    study::Study study = templates::studyFrom(name, m_cores);
    if (m_isNameTyped)
        study.name = m_study.name;
    study.description = m_study.description;
    emit edited(study);
}

void QuestionPage::takeTexts()
{
    study::Study study = m_study;
    study.name = m_name->text().toStdString();
    study.description = m_question->toPlainText().toStdString();
    if (study != m_study)
        emit edited(study);
}

} // namespace quadric::widgets
