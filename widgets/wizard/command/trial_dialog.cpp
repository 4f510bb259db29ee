// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/command/trial_dialog.h"

#include "core/run/recipe/baseline_needs.h"
#include "core/run/recipe/output_parse.h"
#include "core/run/recipe/result_pattern.h"
#include "core/text/numbers.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/wizard/command/output_view.h"

#include <QButtonGroup>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QRadioButton>
#include <QTimer>

namespace quadric::widgets {

namespace {

constexpr qsizetype kOfferCharacters = 48;
constexpr int kDigits = 7; ///< enough to find the number in the output

/// Of one response: its value, or why there is none.
struct ResponseReading {
    QString words;
    bool isFound = false;
};

ResponseReading readOne(const study::ParseSpec& parse, const study::Response& response,
                        const run::TrialReport& report)
{
    std::variant<run::Result, study::Failure> outcome;
    if (parse.kind == study::ParseSpec::Kind::Regex) {
        study::ParseSpec one = parse;
        std::erase_if(one.patterns, [&](const auto& pattern) { return pattern.first != response.name; });
        if (one.patterns.empty() || one.patterns.begin()->second.empty())
            return {TrialResults::tr("no pattern yet"), false};
        outcome = run::parseOutput(one, report.standardOutput, report.standardError);
    } else {
        run::Result result;
        result.responses.insert(report.run.results.begin(), report.run.results.end());
        outcome = std::move(result);
    }
    if (const auto* failure = std::get_if<study::Failure>(&outcome))
        return {QString::fromStdString(failure->message), false};
    const auto& values = std::get<run::Result>(outcome).responses;
    const auto value = values.find(response.name);
    if (value == values.end())
        return {TrialResults::tr("not found"), false};
    const std::string number = text::formatBriefly(value->second, kDigits);
    return {QString::fromStdString(number + " " + response.unit).trimmed(), true};
}

QString patternWords(const study::ParseSpec& parse, const std::string& response)
{
    const auto pattern = parse.patterns.find(response);
    return parse.kind == study::ParseSpec::Kind::Regex && pattern != parse.patterns.end()
               ? QString::fromStdString(pattern->second)
               : QString();
}

QString shortLine(const QString& line)
{
    const QString text = line.simplified();
    return text.size() <= kOfferCharacters ? text : text.left(kOfferCharacters - 1) + QChar(0x2026);
}

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

TrialResults::TrialResults(const study::Study& study, QWidget* parent)
    : QWidget(parent)
    , m_study(study)
    , m_choices(new QButtonGroup(this))
{
    nameWidget(this, "trialResults", tr("What was read"));
    auto* grid = marginlessGrid(this, kPageMargin, kGap / 2);
    grid->setColumnStretch(3, 1);
    for (std::size_t i = 0; i < m_study.responses.size(); ++i)
        addRow(i);
    if (!m_rows.empty())
        m_rows.front().choice->setChecked(true);
    connect(m_choices, &QButtonGroup::idToggled, this, [this](int, bool isChosen) {
        if (isChosen)
            emit choiceChanged();
    });
}

void TrialResults::addRow(std::size_t index)
{
    const QString name = QString::fromStdString(m_study.responses[index].name);
    auto* grid = static_cast<QGridLayout*>(layout());
    Row row{.choice = new QRadioButton(name),
            .value = new QLabel,
            .pattern = mutedLabel({}),
            .offer = linkButton({}),
            .place = {}};
    row.choice->setObjectName(QStringLiteral("choose-") + name);
    row.value->setObjectName(QStringLiteral("value-") + name);
    row.pattern->setObjectName(QStringLiteral("read-by-") + name);
    row.offer->setObjectName(QStringLiteral("offer-") + name);
    row.choice->setAccessibleName(tr("Pick numbers for %1").arg(name));
    row.value->setAccessibleName(tr("Value of %1").arg(name));
    row.pattern->setAccessibleName(tr("Pattern for %1").arg(name));
    for (QLabel* label : {row.value, row.pattern}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setWordWrap(false);
    }
    m_choices->addButton(row.choice, int(index));
    grid->addWidget(row.choice, int(index), 0);
    grid->addWidget(row.value, int(index), 1);
    grid->addWidget(row.pattern, int(index), 2);
    grid->addWidget(row.offer, int(index), 3, Qt::AlignLeft);
    connect(row.offer, &QPushButton::clicked, this, [this, index] {
        if (const auto place = m_rows[index].place)
            emit offerTaken({m_study.responses[index].name, *place});
    });
    m_rows.push_back(row);
}

void TrialResults::showReading(const study::ParseSpec& parse, const run::TrialReport& report,
                               const QStringList& lines)
{
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        showRow(i, parse, report, lines);
}

void TrialResults::showRow(std::size_t index, const study::ParseSpec& parse, const run::TrialReport& report,
                           const QStringList& lines)
{
    Row& row = m_rows[index];
    const study::Response& response = m_study.responses[index];
    const ResponseReading reading = readOne(parse, response, report);
    row.isFound = reading.isFound;
    if (!reading.isFound && run::isScalingResult(m_study, response.name))
        return showRelated(row);
    row.value->setText((reading.isFound ? QStringLiteral("✓ ") : QStringLiteral("✗ ")) + reading.words);
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText,
                    reading.isFound ? plotColors(colors).good : plotColors(colors).error);
    row.value->setPalette(colors);
    row.pattern->setText(patternWords(parse, response.name));
    row.place = reading.isFound ? std::nullopt : run::findNamedNumber(lines, response.name);
    row.offer->setVisible(row.place.has_value());
    if (row.place)
        row.offer->setText(
            tr("Read %1 from “%2”")
                .arg(QString::fromStdString(response.name), shortLine(lines[row.place->line])));
}

/// The program cannot report it, and a test measures no baseline.
void TrialResults::showRelated(Row& row)
{
    row.isFound = true;
    row.choice->setEnabled(false);
    row.value->setText(tr("computed from the baselines that the study measures"));
    row.value->setPalette(palette());
    row.offer->hide();
}

const study::Response& TrialResults::chosen() const
{
    return m_study.responses[size_t(std::max(0, m_choices->checkedId()))];
}

void TrialResults::chooseNext()
{
    const auto missing = std::ranges::find(m_rows, false, &Row::isFound);
    if (missing != m_rows.end())
        missing->choice->setChecked(true);
}

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
