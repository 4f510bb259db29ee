// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/formula_dialog.h"

#include "core/model/base/term.h"
#include "widgets/base/theme.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <stdexcept>

namespace quadric::widgets {

namespace {

constexpr int kWidestEdit = 60; ///< letters of a formula that are shown at once

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
    m_edit->setObjectName(QStringLiteral("formula"));
    m_edit->setAccessibleName(tr("Formula"));
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

} // namespace quadric::widgets
