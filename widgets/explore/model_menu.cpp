// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/model_menu.h"

#include "core/model/select/boxcox.h"
#include "core/text/numbers.h"
#include "widgets/base/theme.h"
#include "widgets/explore/formula_dialog.h"
#include "widgets/explore/scale_dialog.h"
#include "widgets/text/wording.h"

#include <QInputDialog>
#include <QMenu>

namespace quadric::widgets {

namespace {

constexpr double kLargestPower = 5.0; ///< of the search for the likeliest, too

/// The terms of a fit as a formula that reads them back.
QString formulaOf(const model::Fit& fit)
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

study::Transform transformOf(double power)
{
    if (power == 1.0)
        return {};
    return power == 0.0 ? study::Transform{.kind = study::TransformKind::Log}
                        : study::Transform{.kind = study::TransformKind::BoxCox, .lambda = power};
}

} // namespace

ModelMenu::ModelMenu(QWidget* parent)
    : QToolButton(parent)
{
    setText(QStringLiteral("⋯"));
    setObjectName(QStringLiteral("modelMenu"));
    setAccessibleName(tr("More model choices"));
    setToolTip(tr("Box–Cox power, formula, factor scales, recommended models of all responses"));
    setPopupMode(QToolButton::InstantPopup);
    setFocusPolicy(Qt::StrongFocus);
    auto* menu = new QMenu(this);
    m_power = menu->addAction(tr("Box–Cox &power…"), this, &ModelMenu::askPower);
    menu->addAction(tr("&Formula…"), this, &ModelMenu::askFormula);
    menu->addAction(tr("Factor &scales…"), this, &ModelMenu::askScales);
    menu->addSeparator();
    menu->addAction(tr("Use &recommended models for all responses"), this,
                    &ModelMenu::recommendedModelsChosen);
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
            [this](double power) { emit transformChosen(transformOf(power)); });
    dialog->open();
}

void ModelMenu::askFormula()
{
    auto* dialog = new FormulaDialog(m_study.factors, formulaOf(m_fit), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { emit formulaChosen(dialog->formula()); });
    dialog->open();
}

void ModelMenu::askScales()
{
    auto* dialog = new ScaleDialog(m_study, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { emit factorsChosen(dialog->factors()); });
    dialog->open();
}

} // namespace quadric::widgets
