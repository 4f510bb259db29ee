// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/exchange/import_summary.h"

#include "core/report/tables/study_tables.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/design/quality/words.h"
#include "widgets/text/text_table_model.h"

#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

constexpr std::size_t kShownRuns = 100;
constexpr int kShownWarnings = 4; ///< lines; the others are scrolled to

report::Table previewTable(study::Study study)
{
    const std::size_t runs = study.runs.size();
    if (runs > kShownRuns)
        study.runs.resize(kShownRuns);
    return report::makeRunTable(study);
}

/// "12 of 15 runs with results, 1 failed." behind the name of the design.
QString sentenceOf(const ImportOutcome& outcome)
{
    const study::Study& study = *outcome.study;
    if (study.runs.empty())
        return ImportSummary::tr("A study without runs.");
    QString design = outcome.recognized;
    design.replace(0, 1, design.left(1).toUpper());
    const int done = study::countRuns(study, study::RunStatus::Done);
    const int failed = study::countRuns(study, study::RunStatus::Failed);
    const QString sentence = ImportSummary::tr("%1. %2 of %3 with results")
                                 .arg(design)
                                 .arg(done)
                                 .arg(formatCount(qint64(study.runs.size()), "run"));
    return failed > 0 ? sentence + ImportSummary::tr(", %1 failed.").arg(failed)
                      : sentence + QLatin1Char('.');
}

} // namespace

ImportSummary::ImportSummary(QWidget* parent)
    : QWidget(parent)
    , m_sentence(new QLabel)
    , m_warnings(mutedLabel({}))
    , m_warningArea(new QScrollArea)
    , m_runs(new TextTableModel(this))
{
    nameWidget(m_sentence, "importSentence", tr("What the table is"));
    nameWidget(m_warnings, "importWarnings", tr("What deserves a look"));
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setWordWrap(true);
    m_warnings->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_warnings->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_warningArea->setWidget(m_warnings);
    m_warningArea->setWidgetResizable(true);
    m_warningArea->setFrameShape(QFrame::NoFrame);
    m_warningArea->setFocusPolicy(Qt::NoFocus);
    auto* view = new QTableView;
    nameWidget(view, "importedRuns", tr("The first runs of the study"));
    setUpTable(*view);
    view->setModel(m_runs);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGap);
    layout->addWidget(m_sentence);
    layout->addWidget(m_warningArea);
    layout->addWidget(view, 1);
}

void ImportSummary::setOutcome(const ImportOutcome& outcome)
{
    QPalette colors = palette();
    if (!outcome.study)
        colors.setColor(QPalette::WindowText, plotColors(palette()).error);
    m_sentence->setPalette(colors);
    QFont font = m_sentence->font();
    font.setWeight(outcome.study ? QFont::DemiBold : QFont::Normal);
    m_sentence->setFont(font);
    m_sentence->setText(outcome.study ? sentenceOf(outcome) : outcome.problem);
    m_runs->setTable(outcome.study ? previewTable(*outcome.study) : report::Table());
    showWarnings(outcome.warnings);
}

void ImportSummary::showWarnings(const QStringList& warnings)
{
    QStringList lines;
    for (const QString& warning : warnings)
        lines << QStringLiteral("⚠ ") + warning;
    m_warnings->setText(lines.join(QLatin1Char('\n')));
    m_warningArea->setVisible(!warnings.isEmpty());
    const auto shown = std::min(kShownWarnings, int(warnings.size()));
    m_warningArea->setFixedHeight((shown + 1) * fontMetrics().lineSpacing());
}

} // namespace quadric::widgets
