// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/command/trial_dialog.h"

#include "core/run/recipe/result_pattern.h"
#include "core/text/numbers.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/base/window_size.h"
#include "widgets/wizard/command/output_view.h"

#include <QHBoxLayout>
#include <QTimer>

namespace quadric::widgets {

namespace {

constexpr QSize kTrialSize(860, 600);
constexpr int kTickMs = 200;

QString duration(double seconds)
{
    return QString::fromStdString(text::formatDuration(seconds));
}

QString settingsWords(const study::Study& study, const study::Settings& settings)
{
    QStringList parts;
    for (const study::Factor& factor : study.factors) {
        if (const auto value = settings.find(factor.name); value != settings.end())
            parts << QString::fromStdString(factor.name + " = " + study::toText(value->second));
    }
    return parts.join(QStringLiteral(", "));
}

/// The program itself did its work; what it printed was not understood.
bool isOfReading(const study::Failure& failure)
{
    return failure.kind == "missing-result" || failure.kind == "bad-output" || failure.kind == "non-finite";
}

/// Where a pattern reads its number, as far as the output is shown.
std::optional<run::OutputPlace> findRead(const std::string& pattern, const QStringList& lines)
{
    if (!run::findPatternProblem(pattern).empty())
        return std::nullopt;
    const run::PatternFinding found = run::findLastNumber(pattern, lines.join(QLatin1Char('\n')));
    if (!found.isFound || !found.problem.empty() || found.line < 0 || found.line >= lines.size())
        return std::nullopt;
    return run::OutputPlace{found.line,
                            {.start = found.start, .length = found.text.size(), .value = found.value}};
}

} // namespace

TrialDialog::TrialDialog(study::Study study, const study::Settings& settings, QWidget* parent)
    : QDialog(parent)
    , m_study(std::move(study))
    , m_clock(new QTimer(this))
    , m_state(new QLabel)
    , m_results(new TrialResults(m_study))
    , m_hint(mutedLabel({}))
    , m_output(new OutputView)
    , m_undo(linkButton(tr("Undo")))
    , m_stop(quietButton(tr("&Stop")))
    , m_close(quietButton(tr("&Close")))
{
    setObjectName(QStringLiteral("trialDialog"));
    setWindowTitle(tr("Test of the command"));
    resizeWithinScreen(*this, kTrialSize);
    nameWidget(m_state, "trialState", tr("How the test went"));
    nameWidget(m_hint, "trialHint", tr("How to read a number"));
    nameWidget(m_output, "trialOutput", tr("What the program printed"));
    nameWidget(m_undo, "trialUndo", tr("Take back the last pattern"));
    nameWidget(m_stop, "trialStop", tr("Stop the program"));
    nameWidget(m_close, "closeTrial", tr("Close"));
    m_state->setTextFormat(Qt::PlainText);
    m_state->setWordWrap(true);
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_results->hide();
    m_undo->hide();
    buildLayout(settings);
    m_since.start();
    m_clock->start(kTickMs);
    showElapsed();
    connect(m_clock, &QTimer::timeout, this, &TrialDialog::showElapsed);
    connect(m_close, &QPushButton::clicked, this, &QDialog::accept);
    connect(m_stop, &QPushButton::clicked, this, &TrialDialog::stopRequested);
    connect(m_undo, &QPushButton::clicked, this, &TrialDialog::undo);
    connect(m_results, &TrialResults::choiceChanged, this, &TrialDialog::showHint);
    connect(m_results, &TrialResults::offerTaken, this,
            [this](const TrialResults::Offer& offer) { pick(offer.response, offer.place); });
    connect(m_output, &OutputView::numberPicked, this,
            [this](const run::OutputPlace& place) { pick(m_results->chosen().name, place); });
}

void TrialDialog::buildLayout(const study::Settings& settings)
{
    auto* hint = new QHBoxLayout;
    hint->setSpacing(kGap);
    hint->addWidget(m_hint, 1);
    hint->addWidget(m_undo);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(kGap);
    buttons->addStretch();
    buttons->addWidget(m_stop);
    buttons->addWidget(m_close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPageMargin, kPageMargin, kPageMargin, kGroupGap);
    layout->setSpacing(kGap);
    layout->addWidget(mutedLabel(settingsWords(m_study, settings)));
    layout->addWidget(m_state);
    layout->addWidget(m_results);
    layout->addSpacing(kGap);
    layout->addLayout(hint);
    layout->addWidget(m_output, 1);
    layout->addLayout(buttons);
    m_hint->setText(tr("What the program printed:"));
}

void TrialDialog::showElapsed()
{
    m_state->setText(tr("Running for %1 (time limit %2)")
                         .arg(duration(static_cast<double>(m_since.elapsed()) / 1000.0),
                              duration(m_study.benchmark.timeoutSeconds)));
}

void TrialDialog::setReport(const run::TrialReport& report)
{
    m_clock->stop();
    m_report = report;
    m_output->setOutput(QString::fromStdString(report.output));
    m_stop->setEnabled(false);
    m_results->setVisible(!m_study.responses.empty());
    showReading();
    m_results->chooseNext();
    showHint();
    m_output->setFocus();
}

void TrialDialog::pick(const std::string& response, const run::OutputPlace& place)
{
    const QStringList lines = m_output->lines();
    study::ParseSpec parse = m_study.benchmark.parse;
    if (parse.kind != study::ParseSpec::Kind::Regex) {
        parse = {.kind = study::ParseSpec::Kind::Regex};
        for (const study::Response& other : m_study.responses) {
            const auto named = run::findNamedNumber(lines, other.name);
            parse.patterns[other.name] =
                named ? run::proposePattern(lines, *named) : other.name + ": " + run::kNumberPlace;
        }
    }
    parse.patterns[response] = run::proposePattern(lines, place);
    m_earlier.push_back(m_study.benchmark.parse);
    setParse(parse);
    m_results->chooseNext();
}

void TrialDialog::undo()
{
    if (m_earlier.empty())
        return;
    const study::ParseSpec parse = m_earlier.back();
    m_earlier.pop_back();
    setParse(parse);
    m_output->setFocus();
}

void TrialDialog::setParse(const study::ParseSpec& parse)
{
    m_study.benchmark.parse = parse;
    m_undo->setVisible(!m_earlier.empty());
    showReading();
    showHint();
    emit parseChosen(parse);
}

void TrialDialog::showReading()
{
    const QStringList lines = m_output->lines();
    const study::ParseSpec& parse = m_study.benchmark.parse;
    m_results->showReading(parse, m_report, lines);
    std::vector<run::OutputPlace> read;
    if (parse.kind == study::ParseSpec::Kind::Regex) {
        for (const auto& [response, pattern] : parse.patterns)
            if (const auto place = findRead(pattern, lines))
                read.push_back(*place);
    }
    m_output->markRead(read);
    showState();
}

void TrialDialog::showState()
{
    const auto& failure = m_report.run.failure;
    const bool isBroken = failure && !isOfReading(*failure);
    const bool isRead = !isBroken && m_results->hasAll();
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, isRead ? plotColors(palette()).good : plotColors(palette()).error);
    m_state->setPalette(colors);
    if (isRead)
        m_state->setText(tr("✓ All responses found. The test run is not saved."));
    else if (failure && m_earlier.empty())
        m_state->setText(tr("✗ %1").arg(QString::fromStdString(failure->message)));
    else
        m_state->setText(tr("✗ Not all responses are found yet."));
}

void TrialDialog::showHint()
{
    const bool isEmpty = m_report.output.empty();
    const bool isReported =
        m_study.benchmark.parse.kind == study::ParseSpec::Kind::Protocol && m_results->hasAll();
    m_hint->setText(
        isEmpty || isReported || m_study.responses.empty()
            ? tr("What the program printed:")
            : tr("Click a number to read it as %1, or choose it with the arrow keys and press Enter.")
                  .arg(QString::fromStdString(m_results->chosen().name)));
}

} // namespace quadric::widgets
