// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/model_menu.h"

#include "core/model/base/term.h"
#include "core/model/select/boxcox.h"
#include "core/text/numbers.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>
#include <stdexcept>

namespace quadric::widgets {

namespace {

constexpr int kWidestEdit = 60; ///< letters of a formula that are shown at once

bool hasChoice(const study::Factor& factor)
{
    return factor.isNumeric() && factor.low > 0.0;
}

constexpr double kLargestPower = 5.0; ///< of the search for the likeliest, too

/// The terms of a fit as a formula that reads them back.
QString formatModelFormula(const model::Fit& fit)
{
    std::vector<std::string> names;
    for (const model::Term& term : fit.terms) {
        if (!term.isIntercept())
            names.push_back(model::nameOf(term, fit.factors));
    }
    return QString::fromStdString(text::joinWords(names, " + "));
}

double presentPower(const study::Transform& transform)
{
    switch (transform.kind) {
    case study::TransformKind::None:
        return 1.0;
    case study::TransformKind::Log:
        return 0.0;
    case study::TransformKind::Sqrt:
        return 0.5;
    case study::TransformKind::Inverse:
        return -1.0;
    case study::TransformKind::Logit:
        return 1.0;
    case study::TransformKind::BoxCox:
        break;
    }
    return transform.lambda;
}

QString powerText(const model::Fit& fit)
{
    const QString text =
        ModelMenu::tr("Power λ of %1: 1 leaves it as it is, 0 is the logarithm, −1 the inverse.")
            .arg(nameText(fit.response));
    const auto likeliest = fit.isOk() ? model::boxCox(fit) : std::nullopt;
    return likeliest ? text + QLatin1Char('\n') +
                           ModelMenu::tr("The likeliest is %1.").arg(formatNumber(likeliest->lambda))
                     : text;
}

study::Transform makePowerTransform(double power)
{
    if (power == 1.0)
        return {};
    return power == 0.0 ? study::Transform{.kind = study::TransformKind::Log}
                        : study::Transform{.kind = study::TransformKind::BoxCox, .lambda = power};
}

} // namespace

FormulaDialog::FormulaDialog(std::vector<study::Factor> factors, const QString& formula, QWidget* parent)
    : QDialog(parent)
    , m_factors(std::move(factors))
    , m_edit(new QLineEdit(formula, this))
    , m_verdict(new QLabel(this))
{
    setWindowTitle(tr("Formula"));
    auto* caption = new QLabel(
        tr("Terms of the model, such as A + B + A*B + A^2. Terms that these contain are added."), this);
    caption->setWordWrap(true);
    caption->setBuddy(m_edit);
    nameWidget(m_edit, "formula", tr("Formula"));
    m_edit->setMinimumWidth(kWidestEdit * fontMetrics().averageCharWidth());
    m_verdict->setObjectName(QStringLiteral("verdict"));
    m_verdict->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_accept = buttons->addButton(tr("Use formula"), QDialogButtonBox::AcceptRole);
    m_accept->setObjectName(QStringLiteral("use"));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(caption);
    layout->addWidget(m_edit);
    layout->addWidget(m_verdict);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_edit, &QLineEdit::textChanged, this, &FormulaDialog::check);
    check();
}

QString FormulaDialog::formula() const
{
    return m_edit->text().trimmed();
}

void FormulaDialog::check()
{
    try {
        const auto terms = model::parseModel(formula().toStdString(), m_factors);
        m_verdict->setText(formatCount(std::ssize(terms), "term") + tr(" with the intercept"));
        m_accept->setEnabled(!formula().isEmpty());
    } catch (const std::invalid_argument& problem) {
        m_verdict->setText(QString::fromUtf8(problem.what()));
        m_accept->setEnabled(false);
    }
}

ScaleDialog::ScaleDialog(std::vector<study::Factor> factors, QWidget* parent)
    : QDialog(parent)
    , m_factors(std::move(factors))
{
    setWindowTitle(tr("Factor scales"));
    auto* caption = new QLabel(tr("Each factor has one scale in the models of all responses."), this);
    caption->setWordWrap(true);
    auto* grid = new QGridLayout;
    for (std::size_t i = 0; i < m_factors.size(); ++i)
        addFactor(*grid, i);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_accept = buttons->addButton(tr("Use these scales"), QDialogButtonBox::AcceptRole);
    m_accept->setEnabled(false);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(caption);
    layout->addLayout(grid);
    layout->addStretch(1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    if (const auto first =
            std::ranges::find_if(m_choices, [](const QComboBox* each) { return each != nullptr; });
        first != m_choices.end())
        (*first)->setFocus();
}

void ScaleDialog::addFactor(QGridLayout& grid, std::size_t index)
{
    const study::Factor& factor = m_factors[index];
    m_choices.push_back(nullptr);
    if (!hasChoice(factor))
        return;
    auto* choice = new QComboBox(this);
    choice->addItems({tr("linear"), tr("log₂")});
    choice->setCurrentIndex(factor.scale == study::Scale::Log2 ? 1 : 0);
    choice->setObjectName(QString::fromStdString(factor.name));
    choice->setAccessibleName(tr("Scale of %1").arg(nameText(factor.name)));
    auto* caption = new QLabel(nameText(factor.name), this);
    caption->setBuddy(choice);
    const int row = grid.rowCount();
    grid.addWidget(caption, row, 0);
    grid.addWidget(choice, row, 1);
    grid.setColumnStretch(2, 1);
    m_choices.back() = choice;
    connect(choice, &QComboBox::currentIndexChanged, this,
            [this] { m_accept->setEnabled(factors() != m_factors); });
}

std::vector<study::Factor> ScaleDialog::factors() const
{
    std::vector<study::Factor> chosen = m_factors;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (m_choices[i])
            chosen[i].scale = m_choices[i]->currentIndex() == 1 ? study::Scale::Log2 : study::Scale::Linear;
    }
    return chosen;
}

ModelMenu::ModelMenu(QWidget* parent)
    : QToolButton(parent)
{
    setText(QStringLiteral("⋯"));
    setObjectName(QStringLiteral("modelMenu"));
    setAccessibleName(tr("More model choices"));
    setToolTip(tr("Box–Cox power, formula, factor scales"));
    setPopupMode(QToolButton::InstantPopup);
    setFocusPolicy(Qt::StrongFocus);
    auto* menu = new QMenu(this);
    m_power = menu->addAction(tr("Box–Cox &power…"), this, &ModelMenu::askPower);
    menu->addAction(tr("&Formula…"), this, &ModelMenu::askFormula);
    menu->addAction(tr("Factor &scales…"), this, &ModelMenu::askScales);
    setMenu(menu);
}

void ModelMenu::showFit(const study::Study& study, const model::Fit& fit)
{
    m_study = study;
    m_fit = fit;
    m_power->setEnabled(fit.transform.kind != study::TransformKind::Logit);
    setEnabled(!study.factors.empty());
}

void ModelMenu::askPower()
{
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Box–Cox power"));
    dialog->setInputMode(QInputDialog::DoubleInput);
    dialog->setDoubleDecimals(2);
    dialog->setDoubleRange(-kLargestPower, kLargestPower);
    dialog->setDoubleStep(0.1);
    dialog->setDoubleValue(presentPower(m_fit.transform));
    dialog->setLabelText(powerText(m_fit));
    connect(dialog, &QInputDialog::doubleValueSelected, this,
            [this](double power) { emit transformChosen(makePowerTransform(power)); });
    dialog->open();
}

void ModelMenu::askFormula()
{
    auto* dialog = new FormulaDialog(m_study.factors, formatModelFormula(m_fit), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { emit formulaChosen(dialog->formula()); });
    dialog->open();
}

void ModelMenu::askScales()
{
    auto* dialog = new ScaleDialog(m_study.factors, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { emit factorsChosen(dialog->factors()); });
    dialog->open();
}

} // namespace quadric::widgets
