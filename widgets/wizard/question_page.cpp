// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/question_page.h"

#include "core/templates/templates.h"
#include "widgets/base/style.h"
#include "widgets/text/translate.h"
#include "widgets/wizard/forms/choice_card.h"

#include <QGridLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

constexpr int kCardColumns = 2;

} // namespace

QuestionPage::QuestionPage(int cores, QWidget* parent)
    : WizardPage(parent)
    , m_name(new QLineEdit)
    , m_question(new QPlainTextEdit)
    , m_cards(buildTemplates(cores))
{
    nameWidget(m_name, "studyName", tr("Name of the study"));
    nameWidget(m_question, "studyQuestion", tr("What should be found out"));
    m_question->setPlaceholderText(
        tr("For example: which temperature and catalyst give the highest yield? (optional)"));
    m_question->setTabChangesFocus(true);
    m_question->setFixedHeight(3 * fontMetrics().lineSpacing() + 2 * kGap);
    setFocusProxy(m_name);
    connect(m_name, &QLineEdit::textEdited, this, &QuestionPage::takeTexts);
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

QWidget* QuestionPage::buildTemplates(int cores)
{
    auto* box = new QWidget;
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(kGap);
    auto* title = new QLabel(tr("Template"));
    title->setToolTip(tr("What you have entered stays when you choose another template."));
    grid->addWidget(title, 0, 0, 1, kCardColumns);
    int place = 0;
    for (const templates::Template& item : templates::templates()) {
        auto* card = new ChoiceCard(fromUtf8(item.title), fromUtf8(item.about));
        card->setObjectName(QStringLiteral("template-") + QString::fromUtf8(item.name));
        card->setChecked(place == 0);
        // As high as its words at this width, and not as they would be on a narrow card.
        QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        policy.setHeightForWidth(true);
        card->setSizePolicy(policy);
        connect(card, &QAbstractButton::clicked, this,
                [this, &item, cores] { emit templateChosen(templates::studyFrom(item.name, cores)); });
        grid->addWidget(card, 1 + place / kCardColumns, place % kCardColumns);
        ++place;
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

void QuestionPage::chooseTemplate(const QString& name)
{
    if (auto* card = findChild<QAbstractButton*>(QStringLiteral("template-") + name))
        card->click();
}

void QuestionPage::hideTemplates()
{
    m_cards->hide();
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
