// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/model_bar.h"

#include "core/model/fit/reduce.h"
#include "core/model/select/term_choice.h"
#include "core/report/equation.h"
#include "core/study/response.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/explore/model_menu.h"
#include "widgets/text/wording.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr int kRowsPerColumn = 14;

/// Terms of the model that the study asks for; those of the fit where it says which ones or the formula is
/// not understood.
std::vector<model::Term> termsIn(const std::vector<study::Factor>& factors, const std::string& choice,
                                 const model::Fit& fit)
{
    if (choice == "auto")
        return fit.terms;
    try {
        return model::parseModel(choice, factors);
    } catch (const std::invalid_argument&) {
        return fit.terms;
    }
}

/// Selects the item with this data, adding it when the list does not have it (own terms, a Box–Cox power).
void select(QComboBox& chooser, const QString& data, const QString& text)
{
    int index = chooser.findData(data);
    if (index < 0) {
        chooser.addItem(text, data);
        index = chooser.count() - 1;
    }
    chooser.setCurrentIndex(index);
}

void fillModels(QComboBox& chooser)
{
    chooser.clear();
    chooser.addItem(ModelBar::tr("automatic"), QStringLiteral("auto"));
    chooser.addItem(ModelBar::tr("linear"), QStringLiteral("linear"));
    chooser.addItem(ModelBar::tr("interactions"), QStringLiteral("interactions"));
    chooser.addItem(ModelBar::tr("quadratic"), QStringLiteral("quadratic"));
}

/// Those that keep the response within its bounds.
void fillTransforms(QComboBox& chooser, const study::Response& response)
{
    chooser.clear();
    using Kind = study::TransformKind;
    for (const Kind kind : {Kind::None, Kind::Log, Kind::Sqrt, Kind::Inverse, Kind::Logit}) {
        const study::Transform transform{.kind = kind};
        if (!study::whyNotWithinBounds(response, transform).empty())
            continue;
        const QString text = kind == Kind::None ? ModelBar::tr("none") : transformText(transform);
        chooser.addItem(text, QString::fromStdString(study::nameOf(transform)));
    }
}

} // namespace

TermPopup::TermPopup(QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_grid(new QGridLayout(this))
{
    setObjectName(QStringLiteral("terms"));
    setFrameShape(QFrame::StyledPanel);
    m_grid->setContentsMargins(16, 16, 16, 16);
    m_grid->setHorizontalSpacing(16);
    m_grid->setVerticalSpacing(4);
}

void TermPopup::showTerms(const std::vector<study::Factor>& factors, const std::string& choice,
                          const model::Fit& fit)
{
    m_terms = termsIn(factors, choice, fit);
    std::vector<model::Term> all = model::choosableTerms(m_terms, factors);
    std::erase_if(all, [](const model::Term& term) { return term.isIntercept(); });
    const bool isSame = m_factors == factors && std::ranges::equal(all, m_rows, {}, {}, &Row::term);
    if (!isSame)
        rebuild(factors, all);
    for (const Row& row : m_rows) {
        const QSignalBlocker quiet(row.box);
        row.box->setChecked(std::ranges::find(m_terms, row.term) != m_terms.end());
    }
    showProbabilities(fit);
}

void TermPopup::rebuild(const std::vector<study::Factor>& factors, const std::vector<model::Term>& all)
{
    for (const Row& row : m_rows) {
        row.box->deleteLater();
        row.probability->deleteLater();
    }
    m_rows.clear();
    m_factors = factors;
    for (const model::Term& term : all) {
        const std::size_t index = m_rows.size();
        const std::string name = model::nameOf(term, factors);
        Row row{term, new QCheckBox(termText(name), this), new QLabel(this)};
        row.box->setObjectName(QString::fromStdString(name));
        row.probability->setToolTip(tr("How often chance alone would give an effect this large."));
        const int line = static_cast<int>(index) % kRowsPerColumn;
        const int column = 2 * (static_cast<int>(index) / kRowsPerColumn);
        m_grid->addWidget(row.box, line, column);
        m_grid->addWidget(row.probability, line, column + 1, Qt::AlignRight);
        connect(row.box, &QCheckBox::toggled, this, [this, index](bool isOn) { toggle(index, isOn); });
        m_rows.push_back(row);
    }
}

/// Beside each term how likely it is to be chance, and which ones the runs cannot estimate.
void TermPopup::showProbabilities(const model::Fit& fit)
{
    for (const Row& row : m_rows) {
        const std::string name = model::nameOf(row.term, m_factors);
        const auto effect = std::ranges::find(fit.effects, name, &model::Effect::term);
        const bool isAliased = std::ranges::find(fit.aliased, name) != fit.aliased.end();
        QString text;
        if (effect != fit.effects.end() && effect->p)
            text = formatPClause(*effect->p);
        else if (isAliased && row.box->isChecked())
            text = tr("not estimable");
        row.probability->setText(text);
    }
    adjustSize();
}

void TermPopup::toggle(std::size_t term, bool isOn)
{
    const model::Term& changed = m_rows[term].term;
    const std::vector<model::Term> terms =
        isOn ? model::withTerm(m_terms, changed, m_factors) : model::withoutTerm(m_terms, changed);
    emit modelChosen(QString::fromStdString(model::formulaOf(terms, m_factors)));
}

ModelBar::ModelBar(QWidget* parent)
    : QWidget(parent)
{
    auto* lines = marginless<QVBoxLayout>(this, 4);
    const auto addRow = [this, lines] {
        m_row = new QHBoxLayout;
        m_row->setSpacing(8);
        lines->addLayout(m_row);
    };
    addRow();
    m_model = addChooser(tr("&Model"), tr("Which terms the fitted polynomial has."));
    m_transform = addChooser(tr("Trans&form"), tr("What is done to the values before the model is fitted."));
    addRow();
    addTermButton();
    addMenu();
    m_row->addStretch(1);
    addResetButton();
    m_chosen = mutedLabel({});
    m_chosen->setObjectName(QStringLiteral("chosenModel"));
    lines->addWidget(m_chosen);
    connect(m_model, &QComboBox::activated, this,
            [this] { emit modelChosen(m_response, m_model->currentData().toString()); });
    connect(m_transform, &QComboBox::activated, this, [this] {
        if (const auto chosen = study::transformFrom(m_transform->currentData().toString().toStdString()))
            emit transformChosen(m_response, *chosen);
    });
}

QComboBox* ModelBar::addChooser(const QString& label, const QString& tooltip)
{
    auto* chooser = new QComboBox(this);
    auto* caption = new QLabel(label, this);
    caption->setBuddy(chooser);
    chooser->setToolTip(tooltip);
    chooser->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    chooser->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_row->addWidget(caption);
    m_row->addWidget(chooser, 1);
    return chooser;
}

void ModelBar::addTermButton()
{
    m_terms = new QToolButton(this);
    m_terms->setObjectName(QStringLiteral("terms"));
    m_terms->setToolTip(tr("Switch single terms of the model on and off."));
    m_terms->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_terms->setArrowType(Qt::NoArrow);
    m_terms->setFocusPolicy(Qt::StrongFocus);
    m_row->addWidget(m_terms);
    m_popup = new TermPopup(this);
    connect(m_terms, &QToolButton::clicked, this, &ModelBar::openTerms);
    connect(m_popup, &TermPopup::modelChosen, this,
            [this](const QString& model) { emit modelChosen(m_response, model); });
}

void ModelBar::addMenu()
{
    m_menu = new ModelMenu(this);
    m_row->addWidget(m_menu);
    connect(m_menu, &ModelMenu::transformChosen, this,
            [this](const study::Transform& transform) { emit transformChosen(m_response, transform); });
    connect(m_menu, &ModelMenu::formulaChosen, this,
            [this](const QString& formula) { emit modelChosen(m_response, formula); });
    connect(m_menu, &ModelMenu::factorsChosen, this, &ModelBar::factorsChosen);
}

void ModelBar::addResetButton()
{
    m_reset = new QPushButton(tr("Choose automatically"), this);
    m_reset->setObjectName(QStringLiteral("reset"));
    m_reset->setToolTip(
        tr("Terms and transforms of all responses as the runs suggest, by AICc. Factor scales "
           "begin as stored."));
    m_row->addWidget(m_reset);
    connect(m_reset, &QPushButton::clicked, this, &ModelBar::automaticChosen);
}

void ModelBar::openTerms()
{
    m_popup->adjustSize();
    m_popup->move(m_terms->mapToGlobal(QPoint(0, m_terms->height())));
    m_popup->show();
}

void ModelBar::setStudy(const study::Study& study, const std::vector<model::Fit>& fits)
{
    m_study = study;
    m_fits = fits;
}

void ModelBar::setResponse(int index)
{
    m_response = index;
    showChoices();
}

void ModelBar::showChoices()
{
    fillModels(*m_model);
    const auto index = static_cast<std::size_t>(std::max(0, m_response));
    if (index >= m_study.responses.size())
        return fillTransforms(*m_transform, {});
    const study::Response& shown = m_study.responses[index];
    fillTransforms(*m_transform, shown);
    const auto chosen = m_study.model.find(shown.name);
    const std::string choice = chosen == m_study.model.end() ? "quadratic" : chosen->second;
    const bool isOwn = m_model->findData(QString::fromStdString(choice)) < 0;
    select(*m_model, QString::fromStdString(choice), isOwn ? tr("custom") : QString());
    if (index < m_fits.size()) {
        showTerms(choice, m_fits[index]);
        m_menu->showFit(m_study, m_fits[index]);
    }
    const study::Transform& used =
        index < m_fits.size() && m_fits[index].isOk() ? m_fits[index].transform : shown.transform;
    select(*m_transform, QString::fromStdString(study::nameOf(used)), transformText(used));
}

/// The automatic order says which one it is, the button how many terms are in the model.
void ModelBar::showTerms(const std::string& choice, const model::Fit& fit)
{
    const QString chosen = QString::fromStdString(fit.model);
    if (choice == "auto" && m_model->findData(chosen) >= 0) // a formula would be too long to be shown
        m_model->setItemText(m_model->currentIndex(), tr("automatic: %1").arg(chosen));
    m_terms->setText(fit.isOk() ? tr("&Terms: %1").arg(fit.terms.size() - 1) : tr("&Terms"));
    m_terms->setAccessibleName(tr("Terms"));
    m_terms->setEnabled(!m_study.factors.empty());
    m_popup->showTerms(m_study.factors, choice, fit);
    m_chosen->setText(fromUtf8(report::describeModel(fit)));
    m_chosen->setToolTip(fromUtf8(fit.choice));
}

} // namespace quadric::widgets
