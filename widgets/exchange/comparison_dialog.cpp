// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/exchange/comparison_dialog.h"

#include "core/plan/words/comparison_tables.h"
#include "widgets/base/style.h"
#include "widgets/base/window_size.h"
#include "widgets/text/table_dialog.h"
#include "widgets/text/text_table_model.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>

namespace quadric::widgets {

namespace {

constexpr QSize kComparisonSize(960, 640);

QString verdictLine(const plan::ResponseDifference& difference, double confidence)
{
    return QString::fromStdString(plan::describeResponse(difference, confidence, text::Typography::Typeset));
}

} // namespace

StudyComparisonDialog::StudyComparisonDialog(const study::Study& before, const study::Study& now,
                                             QWidget* parent)
    : QDialog(parent)
{
    setObjectName(QStringLiteral("comparisonDialog"));
    setWindowTitle(tr("Compare studies"));
    resizeWithinScreen(*this, kComparisonSize);
    const plan::StudyComparison comparison = plan::compareStudies(before, now);
    m_differences = typeset(plan::makeDifferenceTable(comparison));
    m_changes = typeset(plan::makeChangeTable(comparison));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPageMargin, kPageMargin, kPageMargin, kGroupGap);
    layout->setSpacing(kGroupGap);
    layout->addWidget(titleLabel(m_differences.caption));
    addSentences(*layout, comparison);
    if (comparison.message.empty()) {
        layout->addWidget(makeTable(m_differences, "differenceTable"), 2);
        layout->addWidget(mutedLabel(m_differences.note));
    }
    layout->addWidget(titleLabel(m_changes.caption));
    if (m_changes.rows.empty())
        layout->addWidget(mutedLabel(m_changes.note));
    else
        layout->addWidget(makeTable(m_changes, "changeTable"), 1);
    for (const std::string& caution : comparison.cautions)
        layout->addWidget(mutedLabel(QStringLiteral("⚠ ") + QString::fromStdString(caution)));
    layout->addStretch();
    layout->addLayout(buildButtons());
}

/// One line for each response, or why nothing can be compared.
void StudyComparisonDialog::addSentences(QVBoxLayout& layout, const plan::StudyComparison& comparison)
{
    QStringList lines;
    if (!comparison.message.empty())
        lines << QString::fromStdString(comparison.message);
    else
        for (const plan::ResponseDifference& each : comparison.responses)
            lines << verdictLine(each, comparison.confidence);
    m_sentences = lines.join(QLatin1Char('\n'));
    auto* label = new QLabel(m_sentences);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    nameWidget(label, "comparisonVerdicts", tr("What is shown of each response"));
    layout.addWidget(label);
}

QTableView* StudyComparisonDialog::makeTable(const TextTable& table, const char* name)
{
    auto* model = new TextTableModel(this);
    auto* view = new QTableView;
    nameWidget(view, name, table.caption);
    setUpTable(*view);
    view->setWordWrap(true);
    view->setTextElideMode(Qt::ElideNone);
    view->setModel(model);
    model->setTable(table);
    view->resizeColumnsToContents();
    view->horizontalHeader()->setStretchLastSection(true);
    view->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    return view;
}

QLayout* StudyComparisonDialog::buildButtons()
{
    auto* copyAll = quietButton(tr("C&opy"));
    auto* close = quietButton(tr("&Close"));
    nameWidget(copyAll, "copyComparison", tr("Copy the comparison"));
    nameWidget(close, "closeComparison", tr("Close"));
    connect(copyAll, &QPushButton::clicked, this, &StudyComparisonDialog::copy);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGap);
    row->addWidget(copyAll);
    row->addStretch();
    row->addWidget(close);
    return row;
}

void StudyComparisonDialog::copy() const
{
    QGuiApplication::clipboard()->setText(m_sentences + QStringLiteral("\n\n") + tabSeparated(m_differences) +
                                          QLatin1Char('\n') + tabSeparated(m_changes));
}

} // namespace quadric::widgets
