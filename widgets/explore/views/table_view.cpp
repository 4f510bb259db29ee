// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/views/table_view.h"

#include "widgets/text/table_dialog.h"
#include "widgets/text/text_table_model.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr qsizetype kShortTitle = 7;

/// Titles of several words on two lines, so that the columns are no wider than their numbers.
TextTable withBrokenTitles(TextTable table)
{
    for (TextColumn& column : table.columns) {
        const qsizetype last = column.title.lastIndexOf(QLatin1Char(' '));
        if (column.isNumber && column.title.size() > kShortTitle && last > 0)
            column.title[last] = QLatin1Char('\n');
    }
    return table;
}

} // namespace

report::Table withColumnAt(report::Table table, std::string_view key, std::size_t place)
{
    const auto found = std::ranges::find(table.columns, key, &report::Column::key);
    const auto from = static_cast<std::size_t>(found - table.columns.begin());
    if (found == table.columns.end() || from <= place)
        return table;
    const auto move = [from, place](auto& cells) {
        const auto begin = cells.begin();
        std::rotate(begin + static_cast<std::ptrdiff_t>(place), begin + static_cast<std::ptrdiff_t>(from),
                    begin + static_cast<std::ptrdiff_t>(from) + 1);
    };
    move(table.columns);
    for (std::vector<report::Cell>& row : table.rows)
        move(row);
    return table;
}

TableView::TableView(MakeTable table, MakeReading reading)
    : m_makeTable(std::move(table))
    , m_makeReading(std::move(reading))
    , m_reading(new QLabel)
    , m_note(new QLabel)
    , m_view(new QTableView)
    , m_model(new TextTableModel(this))
{
    m_reading->setWordWrap(true);
    m_reading->setObjectName(QStringLiteral("reading"));
    m_reading->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_note->setWordWrap(true);
    setUpTable(*m_view);
    m_view->setModel(m_model);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_reading);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_note);
    setFocusProxy(m_view);
}

void TableView::showFit(const study::Study& study, const model::Fit& fit)
{
    m_shown = fit.isOk() ? typeset(m_makeTable(study, fit)) : TextTable{};
    m_model->setTable(withBrokenTitles(m_shown));
    m_view->setAccessibleName(m_shown.caption);
    m_view->setVisible(!m_shown.columns.empty());
    m_reading->setText(fit.isOk() ? m_makeReading(fit) : QString::fromStdString(fit.message));
    m_reading->setVisible(!m_reading->text().isEmpty());
    m_note->setText(m_shown.note);
    m_note->setVisible(!m_shown.note.isEmpty());
}

void TableView::addCopyAction(QMenu& menu)
{
    QAction* copy = menu.addAction(tr("&Copy table"), this,
                                   [this] { QGuiApplication::clipboard()->setText(tabSeparated(m_shown)); });
    copy->setObjectName(QStringLiteral("copyTable"));
    copy->setEnabled(!m_shown.columns.empty());
}

} // namespace quadric::widgets
