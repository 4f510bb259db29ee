// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/forms/constraint_editor.h"

#include "core/study/space/constraint.h"
#include "core/study/space/legal_space.h"
#include "core/text/numbers.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"

#include <QHBoxLayout>
#include <QLineEdit>

#include <algorithm>

namespace quadric::widgets {

namespace {

QString exampleFor(const study::Study& study)
{
    std::vector<std::string> numbers;
    for (const study::Factor& factor : study.factors)
        if (factor.isNumeric())
            numbers.push_back(factor.name);
    if (numbers.size() < 2)
        return {};
    return ConstraintEditor::tr("for example: %1 * %2 <= 100")
        .arg(QString::fromStdString(numbers[0]), QString::fromStdString(numbers[1]));
}

QString knownNames(const study::Study& study)
{
    QStringList names;
    for (const study::Factor& factor : study.factors)
        names << QString::fromStdString(factor.name);
    for (const auto& [name, value] : study.fixed)
        names << QString::fromStdString(name);
    return names.join(QStringLiteral(", "));
}

} // namespace

QString constraintProblem(const study::Study& study, const std::string& text)
{
    try {
        const study::Constraint constraint(text);
        for (const std::string& name : constraint.names())
            if (!study::findFactor(study, name) && !study.fixed.contains(name))
                return ConstraintEditor::tr("“%1” is not a factor or fixed setting; there are: %2")
                    .arg(QString::fromStdString(name), knownNames(study));
    } catch (const std::invalid_argument& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

QString wholeNumber(long number)
{
    return QString::fromStdString(
        text::formatDecimals(static_cast<double>(number), 0, text::Typography::Typeset));
}

QString legalWords(const study::Study& study)
{
    if (study.factors.empty())
        return {};
    if (std::ranges::any_of(study.constraints, [&](const std::string& text) {
            return !constraintProblem(study, text).isEmpty();
        }))
        return {};
    try {
        const study::LegalCount count = study::countLegal(study);
        if (count.share <= 0.0)
            return ConstraintEditor::tr("No setting satisfies all constraints, so no run is possible.");
        if (count.legal && *count.legal == *count.combinations)
            return ConstraintEditor::tr("All %1 combinations can be run.").arg(wholeNumber(*count.legal));
        if (count.legal)
            return ConstraintEditor::tr("%1 of %2 combinations can be run.")
                .arg(wholeNumber(*count.legal), wholeNumber(*count.combinations));
        if (count.share >= 1.0)
            return ConstraintEditor::tr("No constraints: the whole region is allowed.");
        return ConstraintEditor::tr("About %1 of the region can be run.").arg(formatPercent(count.share, 0));
    } catch (const std::invalid_argument&) {
        return {}; // the table above says what is wrong with the factors
    }
}

ConstraintEditor::ConstraintEditor(QWidget* parent)
    : QWidget(parent)
    , m_lines(new QVBoxLayout)
    , m_count(mutedLabel({}))
{
    auto* title = boldLabel(tr("Constraints"));
    auto* help = mutedLabel(
        tr("Every run satisfies them. Write names, numbers, + − * / %, <= < == >= >, and, or, not."));
    auto* add = quietButton(tr("Add c&onstraint"));
    nameWidget(add, "addConstraint", tr("Add a constraint"));
    nameWidget(m_count, "legalCount", tr("How many settings can be run"));
    connect(add, &QPushButton::clicked, this, [this] {
        addRow({});
        m_rows.back().text->setFocus();
    });
    auto* footer = new QHBoxLayout;
    footer->setSpacing(kGroupGap);
    footer->addWidget(add);
    footer->addWidget(m_count, 1);
    m_lines->setSpacing(kGap);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, kGap, 0, 0);
    layout->setSpacing(kGap);
    layout->addWidget(title);
    layout->addWidget(help);
    layout->addLayout(m_lines);
    layout->addLayout(footer);
}

void ConstraintEditor::setStudy(const study::Study& study)
{
    m_study = study;
    if (texts() != study.constraints) {
        for (const Row& row : m_rows)
            row.box->deleteLater();
        m_rows.clear();
        for (const std::string& text : study.constraints)
            addRow(QString::fromStdString(text));
    }
    showState();
}

void ConstraintEditor::addRow(const QString& text)
{
    Row row;
    row.box = new QWidget;
    row.text = new QLineEdit(text);
    row.problem = new QLabel;
    auto* remove = quietButton(tr("Remove"));
    nameWidget(row.text, "constraintText", tr("Constraint %1").arg(m_rows.size() + 1));
    nameWidget(row.problem, "constraintProblem",
               tr("What is wrong with constraint %1").arg(m_rows.size() + 1));
    nameWidget(remove, "removeConstraint", tr("Remove constraint %1").arg(m_rows.size() + 1));
    row.text->setPlaceholderText(exampleFor(m_study));
    row.problem->setWordWrap(true);
    row.problem->setTextFormat(Qt::PlainText);
    auto* grid = marginlessGrid(row.box, kGap, kGap / 2);
    grid->addWidget(row.text, 0, 0);
    grid->addWidget(remove, 0, 1);
    grid->addWidget(row.problem, 1, 0, 1, 2);
    row.problem->hide();
    m_lines->addWidget(row.box);
    m_rows.push_back(row);
    connect(row.text, &QLineEdit::textEdited, this, &ConstraintEditor::emitConstraints);
    connect(remove, &QPushButton::clicked, this, [this, box = row.box] { removeRow(box); });
}

void ConstraintEditor::removeRow(const QWidget* box)
{
    const auto row = std::ranges::find(m_rows, box, &Row::box);
    row->box->deleteLater();
    m_rows.erase(row);
    emitConstraints();
}

/// Lines in which nothing is typed are not constraints yet.
std::vector<std::string> ConstraintEditor::texts() const
{
    std::vector<std::string> texts;
    for (const Row& row : m_rows)
        if (!row.text->text().trimmed().isEmpty())
            texts.push_back(row.text->text().trimmed().toStdString());
    return texts;
}

void ConstraintEditor::emitConstraints()
{
    emit constraintsEdited(texts());
    showState();
}

void ConstraintEditor::showState()
{
    for (const Row& row : m_rows) {
        const std::string text = row.text->text().trimmed().toStdString();
        const QString problem = text.empty() ? QString() : constraintProblem(m_study, text);
        row.problem->setText(problem.isEmpty() ? QString() : QStringLiteral("✗ ") + problem);
        row.problem->setVisible(!problem.isEmpty());
    }
    m_count->setText(legalWords(m_study));
}

} // namespace quadric::widgets
