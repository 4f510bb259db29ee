// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/summary_page.h"

#include "core/design/base/design.h"
#include "core/run/follow/run_durations.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/design/design_page.h"
#include "widgets/design/quality/quality_tables.h"
#include "widgets/text/wording.h"
#include "widgets/wizard/forms/workload_form.h"
#include "widgets/wizard/measurement_page.h"
#include "widgets/wizard/sheets/factor_table_model.h"

#include <QGridLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

/// A range stays on one line.
QString unbroken(QString words)
{
    return words.replace(QLatin1Char(' '), QChar(QChar::Nbsp));
}

/// "maximize speed", "bring loss to 0.5", "watch memory".
QString goalClause(const study::Response& response)
{
    const QString name = QString::fromStdString(response.name);
    switch (response.goal) {
    case study::Goal::Maximize:
        return tr("maximize %1").arg(name);
    case study::Goal::Minimize:
        return tr("minimize %1").arg(name);
    case study::Goal::Target:
        return tr("bring %1 to %2").arg(name, formatNumber(response.target));
    case study::Goal::None:
        break;
    }
    return tr("watch %1").arg(name);
}

/// "temperature: 60 … 120 °C, step 5, log2"
QString factorLine(const study::Factor& factor)
{
    QStringList parts = {rangeWords(factor)};
    if (factor.isNumeric() && !levelsText(factor).isEmpty())
        parts << levelsText(factor);
    if (factor.scale == study::Scale::Log2)
        parts << tr("log2 scale");
    return QStringLiteral("%1: %2").arg(QString::fromStdString(factor.name),
                                        parts.join(QStringLiteral(", ")));
}

/// "Time limit = 5 s" for what the built-in workload knows, "solvent = toluene" for all else.
QString fixedClause(const study::Study& study, const std::string& name, const study::Value& value)
{
    const workload::Knob* knob = study.benchmark.workload == "builtin" ? workload::findKnob(name) : nullptr;
    const QString title = knob ? fromUtf8(knob->title) : QString::fromStdString(name);
    QString text = QStringLiteral("%1 = %2").arg(title, QString::fromStdString(study::toText(value)));
    if (knob && workload::isNumber(*knob))
        text += QLatin1Char(' ') + QString::fromUtf8(knob->values.unit);
    return unbroken(text);
}

QString fixedWords(const study::Study& study)
{
    QStringList clauses;
    for (const auto& [name, value] : study.fixed)
        if (!study::findFactor(study, name))
            clauses << fixedClause(study, name, value);
    return clauses.join(QStringLiteral(", "));
}

QString measurementWords(const study::Study& study)
{
    QStringList lines = {measurementName(readMeasurementWay(study))};
    QStringList command;
    for (const std::string& word : study.benchmark.argv)
        command << QString::fromStdString(word);
    switch (readMeasurementWay(study)) {
    case MeasurementWay::Simulated:
        lines << tr("All results are marked as simulated.");
        break;
    case MeasurementWay::Command:
        lines << command.join(QLatin1Char(' '));
        break;
    default:
        break;
    }
    lines << durationSentence(study);
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

/// "central composite" in the middle of a sentence, but "Box–Behnken" and "I-optimal".
QString designInSentence(const study::Study& study)
{
    QString name = designName(study.design.type);
    for (const char* common : {"Central", "Full", "Fractional", "Definitive"})
        if (name.startsWith(QLatin1String(common)))
            name[0] = name[0].toLower();
    return name;
}

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

QString summarySentence(const study::Study& study)
{
    QStringList factors, goals;
    for (const auto& factor : study.factors)
        factors << QStringLiteral("%1 (%2)").arg(QString::fromStdString(factor.name),
                                                 unbroken(rangeWords(factor)));
    for (const auto& response : study.responses)
        goals << goalClause(response);
    const QString design = designInSentence(study);
    const bool isVowel = QStringLiteral("AEIO").contains(design.front());
    return (isVowel ? tr("%1 of an %2 design vary %3, to %4.") : tr("%1 of a %2 design vary %3, to %4."))
        .arg(formatCount(qint64(study.runs.size()), "run"), design, formatList(factors), formatList(goals));
}

QString durationSentence(const study::Study& study)
{
    if (study.benchmark.workload == "none")
        return tr("You measure the runs yourself and type in the results.");
    const int pending = study::countRuns(study, study::RunStatus::Pending);
    if (pending == 0)
        return tr("All runs are done.");
    if (study.benchmark.workload == "command")
        return tr("Each run may take up to %1; %2 at most.")
            .arg(formatRoughDuration(study.benchmark.timeoutSeconds),
                 formatRoughDuration(pending * study.benchmark.timeoutSeconds));
    const std::optional<double> seconds = run::expectedSeconds(study);
    return seconds ? tr("Expected duration on this machine: about %1.").arg(formatRoughDuration(*seconds))
                   : QString();
}

QString powerSentence(const design::Evaluation& evaluation)
{
    const auto lowest = std::ranges::min_element(evaluation.power, {}, &design::PowerRow::power);
    if (lowest == evaluation.power.end())
        return tr("No runs are left over to estimate the noise, so no power can be computed.");
    const QString term =
        QString::fromStdString(lowest->term).replace(QLatin1Char('*'), QStringLiteral(" × "));
    return tr("Lowest power for a %1σ effect (α = 5 %): %2, for %3. Average prediction error: %4 σ.")
        .arg(formatNumber(lowest->effectSd), formatPower(lowest->power), term,
             QString::number(std::sqrt(evaluation.iValue), 'f', 2));
}

std::vector<SummaryRow> summaryRows(const study::Study& study, const QString& power)
{
    QStringList factors, responses, constraints;
    for (const study::Factor& factor : study.factors)
        factors << factorLine(factor);
    for (const study::Response& response : study.responses)
        responses << (response.unit.empty()
                          ? goalClause(response)
                          : QStringLiteral("%1 (%2)").arg(goalClause(response),
                                                          QString::fromStdString(response.unit)));
    for (const std::string& constraint : study.constraints)
        constraints << QString::fromStdString(constraint);
    const QChar line(QLatin1Char('\n'));
    std::vector<SummaryRow> rows = {{tr("Question"), QString::fromStdString(study.description)},
                                    {tr("Factors"), factors.join(line)},
                                    {tr("Constraints"), constraints.join(line)},
                                    {tr("Held fixed"), fixedWords(study)},
                                    {tr("Responses"), responses.join(line)},
                                    {tr("Design"), designWords(study)},
                                    {tr("Power"), power},
                                    {tr("Measurement"), measurementWords(study)}};
    std::erase_if(rows, [](const SummaryRow& row) { return row.text.isEmpty(); });
    return rows;
}

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
    auto* layout = marginless<QVBoxLayout>(this, kGroupGap);
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
