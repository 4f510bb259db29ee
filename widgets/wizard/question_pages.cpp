// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/question_pages.h"

#include "core/study/derived.h"
#include "core/study/response.h"
#include "core/templates/templates.h"
#include "core/workload/response_table.h"
#include "widgets/base/style.h"
#include "widgets/text/wording.h"
#include "widgets/wizard/command/reading_form.h"
#include "widgets/wizard/forms/choice_cards.h"
#include "widgets/wizard/forms/workload_form.h"
#include "widgets/wizard/sheets/response_table_model.h"
#include "widgets/wizard/sheets/spreadsheet.h"

#include <QFormLayout>
#include <QGridLayout>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <stdexcept>

namespace quadric::widgets {

namespace {

constexpr int kCardColumns = 2;

QStringList goalNames()
{
    QStringList names;
    for (const auto goal :
         {study::Goal::Maximize, study::Goal::Minimize, study::Goal::Target, study::Goal::None})
        names << QString::fromUtf8(study::nameOf(goal).data());
    return names;
}

QStringList measureNames()
{
    QStringList names;
    for (const workload::Response& known : workload::kResponses)
        names << QString::fromUtf8(known.name);
    return names;
}

/// The first quantity of the built-in workload that is not asked for yet.
std::optional<study::Response> suggestedResponse(const study::Study& study)
{
    if (study.benchmark.workload != "builtin")
        return std::nullopt;
    for (const workload::Response& known : workload::kResponses) {
        if (study::findResponse(study, known.name))
            continue;
        const bool isMaximized = known.aim == workload::Aim::Maximize;
        return study::Response{.name = std::string(known.name),
                               .unit = std::string(known.unit),
                               .goal = isMaximized ? study::Goal::Maximize : study::Goal::Minimize,
                               .bounds = study::knownBounds(known.name)};
    }
    return std::nullopt;
}

std::vector<std::string> namesOf(const std::vector<study::Response>& responses)
{
    std::vector<std::string> names;
    names.reserve(responses.size());
    for (const study::Response& response : responses)
        names.push_back(response.name);
    return names;
}

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
    connect(m_name, &QLineEdit::textEdited, this, &QuestionPage::commitTexts);
    connect(m_question, &QPlainTextEdit::textChanged, this, &QuestionPage::commitTexts);

    auto* layout = marginless<QVBoxLayout>(this, kGap);
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

void QuestionPage::commitTexts()
{
    study::Study study = m_study;
    study.name = m_name->text().toStdString();
    study.description = m_question->toPlainText().toStdString();
    if (study != m_study)
        emit edited(study);
}

ResponsesPage::ResponsesPage(QWidget* parent)
    : WizardPage(parent)
    , m_model(new ResponseTableModel(this))
    , m_table(new Spreadsheet(*m_model))
    , m_measured(new ChoiceDelegate(measureNames(), true, this))
{
    m_table->setItemDelegateForColumn(ResponseTableModel::GoalColumn,
                                      new ChoiceDelegate(goalNames(), false, this));
    nameWidget(m_table, "responseTable", tr("Responses"));
    setFocusProxy(m_table);

    auto* add = quietButton(tr("&Add response"));
    auto* paste = quietButton(tr("&Paste"));
    m_remove = quietButton(tr("&Remove response"));
    nameWidget(add, "addResponse", tr("Add a response"));
    nameWidget(paste, "pasteResponses", tr("Paste rows from a spreadsheet"));
    nameWidget(m_remove, "removeResponse", tr("Remove the selected response"));
    paste->setToolTip(tr("Rows from a spreadsheet: name, unit, goal, limits; with headings in any order."));
    connect(add, &QPushButton::clicked, this, &ResponsesPage::addResponse);
    connect(paste, &QPushButton::clicked, m_table, &Spreadsheet::paste);
    connect(m_remove, &QPushButton::clicked, this, &ResponsesPage::removeResponse);
    connect(m_model, &ResponseTableModel::edited, this, &ResponsesPage::take);

    m_offer = quietButton(tr("Add co&mputed response"));
    m_offers = new QMenu(m_offer);
    m_offer->setMenu(m_offers);
    nameWidget(m_offer, "offeredResponses", tr("Add a response that the program need not print"));
    connect(m_offers, &QMenu::aboutToShow, this, &ResponsesPage::fillOffers);

    layOutTable(*this, *m_table, {add, m_remove, paste, m_offer});
    m_expression = new QLineEdit;
    nameWidget(m_expression, "expression", tr("Expression of the response"));
    m_expression->setPlaceholderText(tr("measured; or an expression: tokens_per_sec / gpus"));
    m_expressionNote = new FieldNote("expressionProblem", tr("Problem of the expression"));
    auto* form = new QFormLayout;
    addLabeledRow(*form, tr("Comp&uted as"), m_expression, {m_expression, m_expressionNote});
    static_cast<QVBoxLayout*>(layout())->addLayout(form);
    connect(m_expression, &QLineEdit::editingFinished, this, &ResponsesPage::commitExpression);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &ResponsesPage::showExpression);
}

/// Names are offered where they are known: those that the built-in workload reports.
void ResponsesPage::setStudy(const study::Study& study)
{
    m_study = study;
    ChoiceDelegate* names = study.benchmark.workload == "builtin" ? m_measured : nullptr;
    if (m_table->itemDelegateForColumn(ResponseTableModel::Name) != names)
        m_table->setItemDelegateForColumn(ResponseTableModel::Name, names);
    m_model->setResponses(study.responses);
    m_names.show(namesOf(study.responses));
    m_model->setProblems(cellProblems(study, "responses",
                                      {{"name", ResponseTableModel::Name},
                                       {"target", ResponseTableModel::Target},
                                       {"low", ResponseTableModel::Low},
                                       {"high", ResponseTableModel::High},
                                       {"weight", ResponseTableModel::Weight},
                                       {"transform", ResponseTableModel::BoundsColumn},
                                       {"bounds", ResponseTableModel::BoundsColumn}},
                                      *m_model));
    m_remove->setEnabled(!study.responses.empty());
    m_offer->setVisible(study.benchmark.workload == "command");
    showExpression();
}

QStringList ResponsesPage::refusals() const
{
    return inWords(m_model->refusals());
}

void ResponsesPage::take()
{
    study::Study study = m_study;
    study.responses = m_model->responses();
    emit edited(run::withResponsesRenamed(study, m_names.take(namesOf(study.responses))));
}

void ResponsesPage::addResponse()
{
    study::Study study = m_study;
    study.responses.push_back(suggestedResponse(study).value_or(m_model->newRecord()));
    emit edited(study);
    m_table->setCurrentIndex(m_model->index(m_model->recordCount() - 1, 0));
    m_table->setFocus();
}

void ResponsesPage::removeResponse()
{
    const int row = m_table->currentRow() >= 0 ? m_table->currentRow() : m_model->recordCount() - 1;
    if (row < 0)
        return;
    study::Study study = m_study;
    study.model.erase(study.responses[size_t(row)].name);
    study::removeDerived(study, study.responses[size_t(row)].name);
    study.responses.erase(study.responses.begin() + row);
    emit edited(study);
}

void ResponsesPage::fillOffers()
{
    m_offers->clear();
    for (const OfferedResponse& offer : offeredResponses(m_study)) {
        QAction* action = m_offers->addAction(offer.title);
        connect(action, &QAction::triggered, this, [this, offer] {
            study::Study study = m_study;
            study.responses.push_back(offer.response);
            if (!offer.expression.empty())
                study::setDerived(study, offer.response.name, offer.expression);
            emit edited(study);
            m_table->setCurrentIndex(m_model->index(m_model->recordCount() - 1, 0));
        });
    }
}

std::string ResponsesPage::currentName() const
{
    const int row = m_table->currentRow();
    const bool isThere = row >= 0 && row < int(m_study.responses.size());
    return isThere ? m_study.responses[size_t(row)].name : std::string();
}

void ResponsesPage::showExpression()
{
    const std::string name = currentName();
    m_expression->setEnabled(!name.empty());
    m_expressionNote->showProblems({}, {});
    const QString text = QString::fromStdString(study::expressionOf(m_study, name));
    if (m_expression->text() != text)
        m_expression->setText(text);
}

void ResponsesPage::commitExpression()
{
    const std::string name = currentName();
    const std::string text = m_expression->text().trimmed().toStdString();
    if (name.empty() || text == study::expressionOf(m_study, name))
        return;
    study::Study study = m_study;
    try {
        if (text.empty())
            study::removeDerived(study, name);
        else
            study::setDerived(study, name, text);
    } catch (const std::invalid_argument& error) {
        m_expressionNote->showProblems({{"expression", error.what()}}, {QStringLiteral("expression")});
        return;
    }
    for (study::Run& run : study.runs)
        run = study::withComputedResults(study, std::move(run));
    emit edited(study);
}

} // namespace quadric::widgets
