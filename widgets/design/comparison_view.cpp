// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/comparison_view.h"

#include "core/report/tables/design_tables.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/design/quality/cube_panel.h"
#include "widgets/design/quality/fds_plot.h"
#include "widgets/design/quality/quality_panel.h"
#include "widgets/text/text_table_model.h"
#include "widgets/text/wording.h"

#include <QHeaderView>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr int kHeadingLines = 3; ///< names of designs are long
constexpr int kMostTable = 500;  ///< pixels; what is wider is scrolled
constexpr int kLeastCurves = 240;

/// "Central composite,⏎face-centered⏎(20 runs)": a heading of a narrow column.
QString inLines(QString name)
{
    return name.replace(QLatin1String(", "), QLatin1String(",\n"))
        .replace(QLatin1String(" ("), QLatin1String("\n("));
}

QString nameWithRuns(const QString& name, int runs)
{
    return QStringLiteral("%1 (%2)").arg(name, formatCount(runs, "run"));
}

} // namespace

JudgedDesign judgedDesign(const QString& name, const study::Study& study, const JudgmentOptions& options)
{
    design::Evaluation evaluation = evaluated(study, options);
    return {nameWithRuns(name, evaluation.runs), study, std::move(evaluation)};
}

TextTable comparisonTable(const std::vector<JudgedDesign>& designs)
{
    std::vector<std::string> names;
    std::vector<const design::Evaluation*> evaluations;
    for (const JudgedDesign& design : designs) {
        names.push_back(design.name.toStdString());
        evaluations.push_back(&design.evaluation);
    }
    return typeset(report::makeComparisonTable(names, design::compare(evaluations)));
}

ComparisonView::ComparisonView(QWidget* parent)
    : QWidget(parent)
    , m_cubes(new CubePanel)
    , m_fds(new FdsPlot)
    , m_note(mutedLabel({}))
    , m_numbers(new TextTableModel(this))
    , m_table(new QTableView)
{
    auto* lower = new QSplitter(Qt::Horizontal);
    lower->setChildrenCollapsible(false);
    lower->setHandleWidth(kGroupGap);
    m_fds->setMinimumWidth(kLeastCurves);
    lower->addWidget(m_fds);
    lower->addWidget(buildNumbers());
    lower->setStretchFactor(0, 2);
    lower->setStretchFactor(1, 3);
    auto* rows = new QSplitter(Qt::Vertical);
    rows->setChildrenCollapsible(false);
    rows->setHandleWidth(kGap);
    rows->addWidget(m_cubes);
    rows->addWidget(lower);
    rows->setStretchFactor(0, 1);
    rows->setStretchFactor(1, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(rows);
}

QWidget* ComparisonView::buildNumbers()
{
    m_table->setModel(m_numbers);
    setUpTable(*m_table);
    nameWidget(m_table, "comparisonTable", tr("Numbers of the designs"));
    nameWidget(m_note, "comparisonNote", tr("What is marked in the table"));
    QHeaderView& header = *m_table->horizontalHeader();
    header.setFixedHeight(kHeadingLines * fontMetrics().height() + kGap);
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGap / 2);
    column->addWidget(m_table, 1);
    column->addWidget(m_note);
    return box;
}

void ComparisonView::setDesigns(const std::vector<JudgedDesign>& designs)
{
    std::vector<FdsCurve> curves;
    std::vector<NamedDesign> pictures;
    for (const JudgedDesign& design : designs) {
        pictures.push_back({design.name, design.study});
        curves.push_back({design.name, design.evaluation.fds});
    }
    m_cubes->setDesigns(pictures);
    m_fds->setCurves(std::move(curves));
    TextTable table = comparisonTable(designs);
    for (TextColumn& column : table.columns)
        column.title = inLines(column.title);
    m_note->setText(table.note);
    m_numbers->setTable(table);
    QHeaderView& header = *m_table->horizontalHeader();
    header.setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->setMinimumWidth(std::min(header.length() + 2 * m_table->frameWidth(), kMostTable));
}

} // namespace quadric::widgets
