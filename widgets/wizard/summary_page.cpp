// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/summary_page.h"

#include "widgets/base/style.h"
#include "widgets/design/design_page.h"
#include "widgets/wizard/summary_words.h"
#include "widgets/wizard/wizard_problems.h"

#include <QGridLayout>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

/// What deserves a look, a line each.
QString warningWords(const study::Study& study)
{
    QStringList lines;
    for (const WizardProblem& problem : findWizardProblems(study))
        if (!problem.isError)
            lines << QStringLiteral("⚠ ") + problem.words;
    return lines.join(QLatin1Char('\n'));
}

} // namespace

SummaryPage::SummaryPage(QWidget* parent)
    : WizardPage(parent)
    , m_sentence(new QLabel)
    , m_grid(new QGridLayout)
    , m_details(new QLabel)
{
    QFont large = m_sentence->font();
    large.setPointSizeF(large.pointSizeF() * 1.25);
    m_sentence->setFont(large);
    for (QLabel* label : {m_sentence, m_details}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
    }
    nameWidget(m_sentence, "summarySentence", tr("Summary"));
    nameWidget(m_details, "summaryDetails", tr("What to look at"));
    m_grid->setHorizontalSpacing(kPageMargin);
    m_grid->setVerticalSpacing(kGap);
    m_grid->setColumnStretch(1, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGroupGap);
    layout->addWidget(m_sentence);
    layout->addLayout(m_grid);
    layout->addWidget(m_details);
    layout->addStretch();
}

void SummaryPage::setDestination(std::function<QString(const study::Study&)> destination)
{
    m_destination = std::move(destination);
}

void SummaryPage::setStudy(const study::Study& study)
{
    m_study = study;
    m_power.reset();
    m_judging.cancel();
    if (isVisible())
        showAll();
}

void SummaryPage::showEvent(QShowEvent* event)
{
    WizardPage::showEvent(event);
    showAll();
}

void SummaryPage::judgeDesign()
{
    m_judging.start([study = m_study](const std::stop_token&) { return judge(study, {}); },
                    [this](const Judgment& judgment) {
                        m_power = judgment.evaluation ? powerSentence(*judgment.evaluation) : judgment.reason;
                        showAll();
                    });
}

void SummaryPage::showAll()
{
    if (!m_power && !m_judging.isBusy())
        judgeDesign();
    const bool isWhole = !m_study.factors.empty() && !m_study.responses.empty();
    m_sentence->setText(isWhole ? summarySentence(m_study) : QString());
    m_sentence->setVisible(isWhole);
    std::vector<SummaryRow> rows = summaryRows(m_study, m_power.value_or(QString()));
    if (m_destination)
        rows.push_back({tr("Saved as"), m_destination(m_study)});
    showRows(rows);
    m_details->setText(warningWords(m_study));
    m_details->setVisible(!m_details->text().isEmpty());
}

void SummaryPage::showRows(const std::vector<SummaryRow>& rows)
{
    while (m_lines.size() < rows.size()) {
        const Line line{mutedLabel({}), new QLabel};
        line.title->setWordWrap(false);
        line.text->setWordWrap(true);
        line.text->setTextFormat(Qt::PlainText);
        line.text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_grid->addWidget(line.title, int(m_lines.size()), 0, Qt::AlignTop);
        m_grid->addWidget(line.text, int(m_lines.size()), 1);
        m_lines.push_back(line);
    }
    for (size_t i = 0; i < m_lines.size(); ++i) {
        const bool isShown = i < rows.size();
        m_lines[i].title->setText(isShown ? rows[i].title : QString());
        m_lines[i].text->setText(isShown ? rows[i].text : QString());
        m_lines[i].text->setAccessibleName(isShown ? rows[i].title : QString());
        m_lines[i].title->setVisible(isShown);
        m_lines[i].text->setVisible(isShown);
    }
}

} // namespace quadric::widgets
