// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/quality/quality_tables.h"

#include "core/design/base/design_type.h"
#include "core/report/findings/data_findings.h"
#include "core/report/tables/study_tables.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/text/wording.h"

#include <QGridLayout>
#include <QHeaderView>
#include <QStringList>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

namespace quadric::widgets {

QString designName(std::string_view type)
{
    if (type.empty())
        return tr("No design");
    if (type == "custom")
        return tr("Custom runs");
    const design::DesignType* known = design::findDesignType(type);
    return known ? fromUtf8(known->title) : fromUtf8(type);
}

QString designPurpose(std::string_view type)
{
    if (type == "custom")
        return tr("Runs that were chosen elsewhere.");
    const design::DesignType* known = design::findDesignType(type);
    return known ? fromUtf8(known->purpose) : QString();
}

QString columnHeading(std::string_view name, std::string_view unit)
{
    constexpr qsizetype kLongName = 14;
    QString heading = fromUtf8(name);
    const qsizetype underscore = heading.indexOf(QLatin1Char('_'), heading.size() / 3);
    if (heading.size() > kLongName && underscore > 0)
        heading.insert(underscore + 1, QLatin1Char('\n'));
    if (!unit.empty())
        heading += QLatin1Char('\n') + fromUtf8(unit);
    return heading;
}

QString withMinusSigns(QString numbers)
{
    return numbers.replace(QLatin1Char('-'), QChar(0x2212));
}

QString rangeWords(const study::Factor& factor)
{
    QStringList parts;
    if (!factor.isNumeric()) {
        for (const auto& category : factor.categories)
            parts << QString::fromStdString(category);
        return parts.join(QStringLiteral(", "));
    }
    const QString range = QStringLiteral("%1 … %2").arg(QString::fromStdString(study::toText(factor.low)),
                                                        QString::fromStdString(study::toText(factor.high)));
    return factor.unit.empty()
               ? withMinusSigns(range)
               : withMinusSigns(range) + QLatin1Char(' ') + QString::fromStdString(factor.unit);
}

QString designWords(const study::Study& study)
{
    const auto centers = std::count_if(study.runs.begin(), study.runs.end(),
                                       [](const auto& run) { return run.kind == study::RunKind::Center; });
    QStringList parts = {designName(study.design.type), formatCount(std::ssize(study.factors), "factor")};
    QString runs = formatCount(std::ssize(study.runs), "run");
    if (centers > 0)
        runs += tr(", %1 of them at the center").arg(centers);
    parts << runs;
    if (!study.design.type.empty() && study.design.type != "custom")
        parts << (study.design.randomize ? tr("random order, seed %1").arg(study.design.seed)
                                         : tr("in standard order"));
    return parts.join(QStringLiteral(" · "));
}

namespace {

QString numberText(design::DesignNumber kind, double value)
{
    return QString::fromStdString(report::formatDesignNumber(kind, value));
}

double largestVif(const design::Evaluation& evaluation)
{
    double largest = 0.0;
    for (const auto& [term, vif] : evaluation.vif)
        largest = std::max(largest, vif);
    return largest;
}

double smallestPower(const design::Evaluation& evaluation)
{
    double smallest = 1.0;
    for (const auto& row : evaluation.power)
        smallest = std::min(smallest, row.power);
    return smallest;
}

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

QStringList qualityRemarks(const design::Evaluation& evaluation)
{
    QStringList lines;
    for (const report::Finding& finding : report::findInDesign(evaluation))
        lines << QString::fromStdString(finding.sentence);
    return lines;
}

std::vector<QualityFact> qualityFacts(const design::Evaluation& e)
{
    using Card = QualityCard;
    using design::DesignNumber;
    std::vector<QualityFact> facts{
        {Card::tr("Model"), fromUtf8(e.model), Card::tr("The polynomial that these runs are judged for.")},
        {Card::tr("Degrees of freedom"),
         Card::tr("%1 model · %2 lack of fit · %3 pure error")
             .arg(e.dfModel)
             .arg(e.dfLackOfFit)
             .arg(e.dfPureError),
         Card::tr(
             "How many independent facts the runs give: for the model, for testing it, and for the noise.")},
        {Card::tr("D-efficiency"), numberText(DesignNumber::Efficiency, e.dEfficiency),
         Card::tr("How precise all coefficients together are. 100 % is an orthogonal design, which a model "
                  "with squares cannot have: 40 to 50 % is usual then.")},
        {Card::tr("Mean prediction variance"), numberText(DesignNumber::Variance, e.iValue),
         Card::tr("Average variance of the fitted surface over the region, in units of the noise variance.")},
        {Card::tr("Largest leverage"), numberText(DesignNumber::Plain, e.maxLeverage),
         Card::tr(
             "How strongly the most influential run pulls the model; at 1 the model passes through it.")},
        {Card::tr("Condition number"), numberText(DesignNumber::Plain, e.condition),
         Card::tr("How close the model is to one that cannot be solved; 1 is ideal, hundreds are poor.")}};
    if (!e.vif.empty())
        facts.push_back(
            {Card::tr("Largest VIF"), numberText(DesignNumber::Plain, largestVif(e)),
             Card::tr(
                 "How much correlation with other terms inflates the variance of the worst coefficient; 1 is "
                 "none, above 10 is poor.")});
    if (!e.power.empty())
        facts.push_back(
            {Card::tr("Lowest power (%1σ effect, α = 5 %)").arg(formatNumber(e.power.front().effectSd)),
             numberText(DesignNumber::Power, smallestPower(e)),
             Card::tr(
                 "Probability to find an effect of this many noise standard deviations, for the term with "
                 "the lowest.")});
    return facts;
}

QualityCard::QualityCard(QWidget* parent)
    : QWidget(parent)
    , m_message(mutedLabel({}))
{
    auto* layout = marginless<QVBoxLayout>(this, kGap);
    layout->addWidget(m_message);
    layout->addStretch();
    empty();
    nameWidget(m_message, "qualityMessage", tr("Remarks"));
    nameWidget(this, "qualityCard", tr("Quality of the design"));
}

void QualityCard::setEvaluation(const design::Evaluation& e)
{
    empty();
    const QString message = qualityRemarks(e).join(QLatin1Char('\n'));
    m_message->setVisible(!message.isEmpty());
    m_message->setText(message);
    for (const QualityFact& fact : qualityFacts(e))
        addRow(fact.name, fact.value, fact.explanation);
    for (const auto& check : e.checks)
        addCheck(check);
}

void QualityCard::clear(const QString& reason)
{
    empty();
    m_message->setText(reason);
    m_message->show();
}

void QualityCard::empty()
{
    delete m_box;
    m_box = new QWidget;
    m_rows = new QGridLayout(m_box);
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setHorizontalSpacing(kGroupGap);
    m_rows->setVerticalSpacing(kGap / 2);
    m_rows->setColumnStretch(0, 1);
    m_rows->setColumnStretch(1, 1);
    static_cast<QVBoxLayout*>(layout())->insertWidget(1, m_box);
}

void QualityCard::addRow(const QString& name, const QString& value, const QString& explanation)
{
    auto* label = mutedLabel(name);
    auto* number = new QLabel(value);
    label->setToolTip(explanation);
    number->setToolTip(explanation);
    number->setWordWrap(true);
    number->setAccessibleName(name);
    const int row = m_rows->rowCount();
    m_rows->addWidget(label, row, 0, Qt::AlignTop);
    m_rows->addWidget(number, row, 1, Qt::AlignTop);
}

void QualityCard::addCheck(const design::Check& check)
{
    const QString name = fromUtf8(check.name);
    auto* box = new QWidget;
    auto* mark = new QLabel(check.ok ? QStringLiteral("✓") : QStringLiteral("✗"));
    auto* label = new QLabel(name);
    auto* detail = mutedLabel(QString::fromStdString(check.detail));
    label->setWordWrap(true);
    label->setAccessibleName(check.ok ? tr("%1: true").arg(name) : tr("%1: not true").arg(name));
    auto* grid = marginlessGrid(box, kGap, 0);
    grid->setColumnStretch(1, 1);
    grid->addWidget(mark, 0, 0, Qt::AlignTop);
    grid->addWidget(label, 0, 1);
    grid->addWidget(detail, 1, 1);
    m_rows->addWidget(box, m_rows->rowCount(), 0, 1, 2);
}

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
    auto* layout = marginless<QVBoxLayout>(this, kGap);
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
