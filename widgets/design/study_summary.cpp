// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/study_summary.h"

#include "widgets/base/style.h"
#include "widgets/design/quality/words.h"
#include "widgets/text/wording.h"

#include <QGridLayout>
#include <QHBoxLayout>

namespace quadric::widgets {

namespace {

constexpr size_t kMostLines = 5;

using Line = std::pair<QString, QString>;

/// Shows the first lines in two columns: name, what is said of it.
void fill(QWidget* box, const std::vector<Line>& lines)
{
    delete box->layout();
    qDeleteAll(box->findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(kGroupGap);
    grid->setVerticalSpacing(kGap / 2);
    grid->setColumnStretch(1, 1);
    for (size_t i = 0; i < std::min(lines.size(), kMostLines); ++i) {
        auto* name = new QLabel(lines[i].first);
        auto* words = mutedLabel(lines[i].second);
        name->setTextFormat(Qt::PlainText);
        words->setWordWrap(false);
        grid->addWidget(name, int(i), 0);
        grid->addWidget(words, int(i), 1);
    }
    if (lines.size() > kMostLines)
        grid->addWidget(mutedLabel(QObject::tr("and %1 more").arg(lines.size() - kMostLines)),
                        int(kMostLines), 0, 1, 2);
}

QWidget* heading(const QString& text, QPushButton* edit)
{
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* label = new QLabel(text);
    QFont font = label->font();
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    layout->addWidget(label);
    layout->addWidget(edit);
    layout->addStretch();
    return row;
}

std::vector<Line> factorLines(const study::Study& study)
{
    std::vector<Line> lines;
    for (const auto& factor : study.factors)
        lines.emplace_back(QString::fromStdString(factor.name), rangeWords(factor));
    return lines;
}

std::vector<Line> responseLines(const study::Study& study)
{
    std::vector<Line> lines;
    for (const auto& response : study.responses)
        lines.emplace_back(QString::fromStdString(response.name), goalText(response));
    return lines;
}

} // namespace

StudySummary::StudySummary(QWidget* parent)
    : QWidget(parent)
    , m_factors(new QWidget)
    , m_responses(new QWidget)
{
    auto* editFactors = linkButton(tr("Edit…"));
    auto* editResponses = linkButton(tr("Edit…"));
    nameWidget(editFactors, "editFactors", tr("Edit factors"));
    nameWidget(editResponses, "editResponses", tr("Edit responses"));
    connect(editFactors, &QPushButton::clicked, this, &StudySummary::editFactorsRequested);
    connect(editResponses, &QPushButton::clicked, this, &StudySummary::editResponsesRequested);

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(kPageMargin);
    grid->setVerticalSpacing(kGap);
    grid->addWidget(heading(tr("Factors"), editFactors), 0, 0);
    grid->addWidget(heading(tr("Responses"), editResponses), 0, 1);
    grid->addWidget(m_factors, 1, 0, Qt::AlignTop);
    grid->addWidget(m_responses, 1, 1, Qt::AlignTop);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
}

void StudySummary::setStudy(const study::Study& study)
{
    fill(m_factors, factorLines(study));
    fill(m_responses, responseLines(study));
}

} // namespace quadric::widgets
