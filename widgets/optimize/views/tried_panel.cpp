// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/views/tried_panel.h"

#include "core/optimize/next/best_so_far.h"
#include "core/text/numbers.h"
#include "widgets/base/theme.h"
#include "widgets/optimize/session/steady_label.h"
#include "widgets/text/text_table_model.h"

#include <QTableView>
#include <QVBoxLayout>

namespace quadric::widgets {

QString triedText(const TriedRuns& tried, bool isRunning)
{
    const QString spent = TriedPanel::tr("%1 tried; %2 of %3 spent.")
                              .arg(formatCount(std::ssize(tried.reasons), "run"),
                                   QString::fromStdString(text::formatDuration(tried.spent)),
                                   QString::fromStdString(text::formatDuration(tried.budget)));
    if (isRunning && tried.end.isEmpty())
        return TriedPanel::tr("Going on by itself: %1").arg(spent);
    return tried.end.isEmpty() ? spent : spent + QLatin1Char(' ') + tried.end;
}

TriedPanel::TriedPanel(QWidget* parent)
    : QWidget(parent)
    , m_words(new SteadyLabel(1, this))
    , m_model(new TextTableModel(this))
    , m_table(new QTableView(this))
{
    m_words->setObjectName(QStringLiteral("triedText"));
    m_words->setGrowing(true);
    setUpTable(*m_table);
    m_table->setModel(m_model);
    m_table->setObjectName(QStringLiteral("triedRuns"));
    m_table->setAccessibleName(tr("Runs that were tried"));
    m_table->setTabKeyNavigation(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_words);
    layout->addWidget(m_table, 1);
    hide();
}

void TriedPanel::showAnswer(const Answer& answer)
{
    setVisible(answer.tried != nullptr && !answer.tried->reasons.empty());
    if (isHidden())
        return;
    m_words->setText(triedText(*answer.tried, answer.context->isRunning));
    m_model->setTable(report::makeTriedTable(answer.study(), answer.tried->reasons,
                                             optimize::findBestSoFar(answer.study(), answer.fits())));
}

} // namespace quadric::widgets
