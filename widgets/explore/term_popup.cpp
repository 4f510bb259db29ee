// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/term_popup.h"

#include "core/model/fit/reduce.h"
#include "core/model/select/term_choice.h"
#include "widgets/base/theme.h"
#include "widgets/text/fit_statistics.h"
#include "widgets/text/wording.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>

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

} // namespace quadric::widgets
