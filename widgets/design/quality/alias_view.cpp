// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/quality/alias_view.h"

#include "widgets/base/style.h"
#include "widgets/text/text_table_model.h"
#include "widgets/text/wording.h"

#include <QHeaderView>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

namespace quadric::widgets {

namespace {

constexpr double kNothing = 0.005;     ///< shares below it read 0.00
constexpr std::size_t kMostShares = 6; ///< of one row
constexpr int kMostNames = 40;         ///< percent of the table's width for the names of terms
constexpr int kMostWords = 4;          ///< of a defining relation, the rest is counted

QString roman(int resolution)
{
    static const std::array numerals = {"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"};
    return resolution > 0 && resolution < int(numerals.size()) ? QLatin1String(numerals[size_t(resolution)])
                                                               : QString::number(resolution);
}

/// "+ 0.5 B × C": what a left-out term adds.
QString shareText(double share, const std::string& term, bool isFirst)
{
    const QString sign = share < 0.0 ? QStringLiteral("− ") : isFirst ? QString() : QStringLiteral("+ ");
    const double size = std::abs(share);
    const QString factor =
        std::abs(size - 1.0) < kNothing ? QString() : QString::number(size, 'g', 2) + QLatin1Char(' ');
    return sign + factor + termText(term);
}

/// The largest shares of a row, in the order of the matrix; the others are counted.
QString alsoContains(const design::NamedMatrix& matrix, Eigen::Index row)
{
    const auto sizeAt = [&matrix, row](Eigen::Index column) { return std::abs(matrix.values(row, column)); };
    std::vector<Eigen::Index> columns;
    for (Eigen::Index column = 0; column < matrix.values.cols(); ++column)
        if (std::isfinite(matrix.values(row, column)) && sizeAt(column) >= kNothing)
            columns.push_back(column);
    std::ranges::stable_sort(columns, std::ranges::greater{}, sizeAt);
    const std::size_t shown = columns.size() > kMostShares + 1 ? kMostShares : columns.size();
    const QString rest = shown < columns.size() ? AliasView::tr(" and %1 more, each at most %2")
                                                      .arg(columns.size() - shown)
                                                      .arg(sizeAt(columns[shown]), 0, 'g', 2)
                                                : QString();
    columns.resize(shown);
    std::ranges::sort(columns);
    QStringList parts;
    for (const Eigen::Index column : columns)
        parts << shareText(matrix.values(row, column), matrix.columns[size_t(column)], parts.isEmpty());
    return parts.join(QLatin1Char(' ')) + rest;
}

} // namespace

QString fractionWords(const design::Evaluation& evaluation)
{
    if (!evaluation.resolution || evaluation.definingRelation.empty())
        return {};
    QStringList words;
    for (const std::string& word : evaluation.definingRelation)
        words << termText(word);
    const auto left = words.size() - kMostWords;
    QString relation = words.mid(0, kMostWords).join(QStringLiteral(" = "));
    if (left > 0)
        relation += AliasView::tr(" = … and %1 more").arg(left);
    return AliasView::tr("Resolution %1 · I = %2").arg(roman(*evaluation.resolution), relation);
}

TextTable aliasTable(const design::Evaluation& evaluation)
{
    TextTable table;
    table.columns = {
        {AliasView::tr("Term"), {}, false},
        {AliasView::tr("is aliased with"),
         AliasView::tr("Effects outside the model that bias the coefficient of this term, should they exist, "
                       "and by how much."),
         false}};
    for (const auto& chain : evaluation.aliases) {
        QStringList others;
        for (size_t i = 1; i < chain.size(); ++i)
            others << termText(chain[i]);
        if (!others.isEmpty())
            table.rows.push_back({termText(chain.front()), others.join(QStringLiteral(" + "))});
    }
    if (!table.rows.empty())
        return table;
    for (Eigen::Index row = 0; row < evaluation.aliasMatrix.values.rows(); ++row) {
        const QString mixed = alsoContains(evaluation.aliasMatrix, row);
        if (!mixed.isEmpty())
            table.rows.push_back({termText(evaluation.aliasMatrix.rows[size_t(row)]), mixed});
    }
    return table;
}

AliasView::AliasView(QWidget* parent)
    : QWidget(parent)
    , m_words(mutedLabel({}))
    , m_model(new TextTableModel(this))
    , m_table(new QTableView)
{
    nameWidget(m_table, "aliasTable", tr("Alias matrix"));
    nameWidget(m_words, "aliasWords", tr("Defining relation"));
    m_table->setModel(m_model);
    setUpTable(*m_table);
    m_table->setWordWrap(true);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGap);
    layout->addWidget(m_words);
    layout->addWidget(m_table, 1);
}

void AliasView::setEvaluation(const design::Evaluation& evaluation)
{
    const TextTable table = aliasTable(evaluation);
    const QString fraction = fractionWords(evaluation);
    const bool isClear = table.rows.empty();
    m_table->setVisible(!isClear);
    m_words->setText(isClear
                         ? tr("No aliasing: no interaction or quadratic effect outside the model biases a "
                              "coefficient of it.")
                         : fraction);
    m_words->setVisible(!m_words->text().isEmpty());
    m_model->setTable(table);
    fitNames();
}

/// The names of terms have the width that they need, and leave most of it to what is said of them.
void AliasView::fitNames()
{
    m_table->resizeColumnToContents(0);
    m_table->setColumnWidth(0, std::min(m_table->columnWidth(0), kMostNames * width() / 100));
    m_table->resizeRowsToContents();
}

void AliasView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitNames();
}

void AliasView::clear(const QString& reason)
{
    m_table->hide();
    m_words->setText(reason);
    m_words->show();
}

} // namespace quadric::widgets
