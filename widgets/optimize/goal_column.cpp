// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/goal_column.h"

#include "widgets/optimize/response_row.h"

#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

GoalColumn::GoalColumn(QWidget* parent)
    : QScrollArea(parent)
{
    auto* content = new QWidget;
    m_layout = new QVBoxLayout(content);
    m_layout->setContentsMargins(0, 0, 8, 0);
    m_layout->setSpacing(16);
    m_layout->addStretch(1);
    setWidget(content);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setObjectName(QStringLiteral("goals"));
    setAccessibleName(tr("Goals of the responses"));
    setFocusPolicy(Qt::NoFocus); // it scrolls to the row that has it
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void GoalColumn::setStudy(const study::Study& study, const std::vector<model::Fit>& fits)
{
    for (std::size_t i = m_rows.size(); i > study.responses.size(); --i) {
        delete m_rows.back();
        m_rows.pop_back();
    }
    for (std::size_t i = m_rows.size(); i < study.responses.size(); ++i) {
        auto* row = new ResponseRow(widget());
        connect(row, &ResponseRow::edited, this, [this, i](const auto& after, const QString& what, int drag) {
            emit edited(static_cast<int>(i), after, what, drag);
        });
        m_layout->insertWidget(static_cast<int>(i), row);
        m_rows.push_back(row);
    }
    m_names.clear();
    const model::Fit none;
    for (std::size_t i = 0; i < study.responses.size(); ++i) {
        m_names.push_back(study.responses[i].name);
        m_rows[i]->setResponse(study, study.responses[i], i < fits.size() ? fits[i] : none);
    }
}

void GoalColumn::setOutcome(const optimize::Optimum& outcome)
{
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const auto found = std::find_if(outcome.responses.begin(), outcome.responses.end(),
                                        [&](const auto& each) { return each.response == m_names[i]; });
        m_rows[i]->setOutcome(found == outcome.responses.end() ? nullptr : &*found);
    }
}

} // namespace quadric::widgets
