// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/exchange/comparison_dialogs.h"

#include "core/plan/words/comparison_tables.h"
#include "core/report/findings/data_findings.h"
#include "widgets/base/style.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr QSize kComparisonSize(960, 640);

constexpr QSize kAuditSize(1000, 680);
constexpr int kClaimShare = 40; ///< per cent of the width that the claims have; the data have the rest

using exchange::AuditItem;
using exchange::Verdict;

QString verdictText(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Agrees:
        return AuditDialog::tr("✓ agrees");
    case Verdict::Differs:
        return AuditDialog::tr("✗ differs");
    case Verdict::CannotTell:
        return AuditDialog::tr("– open");
    }
    return {};
}

TextTable makeAuditTable(const std::vector<AuditItem>& items)
{
    TextTable table;
    table.caption = AuditDialog::tr("Claims and data");
    table.columns = {
        {AuditDialog::tr("Verdict"),
         AuditDialog::tr("A number agrees when it is the same to the digits that were printed."), false},
        {AuditDialog::tr("What is claimed"), {}, false},
        {AuditDialog::tr("What the runs say"),
         AuditDialog::tr("Each result is taken with the settings that it was measured at."), false}};
    for (const AuditItem& item : items)
        table.rows.push_back({verdictText(item.verdict), QString::fromStdString(item.claim),
                              QString::fromStdString(item.data)});
    return table;
}

QString countText(const std::vector<AuditItem>& items)
{
    const auto differing = std::ranges::count(items, Verdict::Differs, &AuditItem::verdict);
    return AuditDialog::tr("%1 of %2 claims differ from what the runs say.").arg(differing).arg(items.size());
}

QString findingsText(const study::Study& study)
{
    QStringList lines;
    for (const report::Finding& finding : report::findInData(study))
        lines << QStringLiteral("⚠ ") + QString::fromStdString(finding.sentence);
    return lines.isEmpty() ? AuditDialog::tr("Nothing suspicious was found in the data themselves.")
                           : lines.join(QLatin1Char('\n'));
}

/// Rows as high as their sentences, whatever the width of the window.
void wrapRows(QTableView& view)
{
    view.setWordWrap(true);
    view.setTextElideMode(Qt::ElideNone);
    QHeaderView* header = view.horizontalHeader();
    header->setSectionResizeMode(QHeaderView::Interactive);
    header->setStretchLastSection(true);
    view.verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
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
            lines << QString::fromStdString(
                plan::describeResponse(each, comparison.confidence, text::Typography::Typeset));
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

AuditDialog::AuditDialog(study::Study study, QWidget* parent)
    : QDialog(parent)
    , m_study(std::move(study))
    , m_source(
          mutedLabel(tr("No claims yet. A file of claims (docs/exchange.md) says what was concluded from "
                        "these runs.")))
    , m_count(new QLabel)
    , m_view(new QTableView)
    , m_model(new TextTableModel(this))
    , m_findings(mutedLabel(findingsText(m_study)))
{
    setObjectName(QStringLiteral("auditDialog"));
    setWindowTitle(tr("Audit"));
    resizeWithinScreen(*this, kAuditSize);
    nameWidget(m_source, "auditSource", tr("Where the claims come from"));
    nameWidget(m_count, "auditCount", tr("How many claims differ"));
    nameWidget(m_view, "auditTable", tr("Claims and data"));
    nameWidget(m_findings, "auditFindings", tr("The data themselves"));
    QFont font = m_count->font();
    font.setWeight(QFont::DemiBold);
    m_count->setFont(font);
    m_count->hide();
    setUpTable(*m_view);
    wrapRows(*m_view);
    m_view->setModel(m_model);
    m_view->hide();
    m_findings->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPageMargin, kPageMargin, kPageMargin, kGroupGap);
    layout->setSpacing(kGroupGap);
    layout->addWidget(titleLabel(tr("What was concluded, and what the data say")));
    layout->addWidget(m_source);
    layout->addWidget(m_count);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_findings);
    layout->addStretch();
    layout->addLayout(buildButtons());
}

QLayout* AuditDialog::buildButtons()
{
    auto* file = quietButton(tr("Claims &file…"));
    auto* copyAll = quietButton(tr("C&opy"));
    auto* close = quietButton(tr("&Close"));
    nameWidget(file, "claimsFile", tr("Read claims from a file"));
    nameWidget(copyAll, "copyAudit", tr("Copy claims and data"));
    nameWidget(close, "closeAudit", tr("Close"));
    connect(file, &QPushButton::clicked, this, &AuditDialog::claimsFileWanted);
    connect(copyAll, &QPushButton::clicked, this, &AuditDialog::copy);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGap);
    row->addWidget(file);
    row->addWidget(copyAll);
    row->addStretch();
    row->addWidget(close);
    return row;
}

void AuditDialog::setClaims(const exchange::Claims& claims)
{
    const std::vector<AuditItem> items = exchange::audit(m_study, claims);
    m_table = makeAuditTable(items);
    m_model->setTable(m_table);
    m_source->setText(claims.source.empty() ? tr("The file does not say who claims this.")
                                            : tr("Claims of %1").arg(QString::fromStdString(claims.source)));
    m_count->setText(countText(items));
    m_count->show();
    m_view->show();
    m_view->resizeColumnToContents(0);
    m_view->setColumnWidth(1, width() * kClaimShare / 100);
}

void AuditDialog::copy() const
{
    const QString table = m_table.rows.empty() ? QString() : tabSeparated(m_table);
    QGuiApplication::clipboard()->setText(table + m_findings->text() + QLatin1Char('\n'));
}

} // namespace quadric::widgets
