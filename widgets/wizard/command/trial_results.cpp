// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/command/trial_results.h"

#include "core/run/recipe/command_baselines.h"
#include "core/run/recipe/output_parse.h"
#include "core/text/numbers.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"

#include <QButtonGroup>
#include <QGridLayout>
#include <QRadioButton>

#include <algorithm>

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

} // namespace

TrialResults::TrialResults(const study::Study& study, QWidget* parent)
    : QWidget(parent)
    , m_study(study)
    , m_choices(new QButtonGroup(this))
{
    nameWidget(this, "trialResults", tr("What was read"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(kPageMargin);
    grid->setVerticalSpacing(kGap / 2);
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
    if (!reading.isFound && run::isRelated(m_study, response.name))
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

bool TrialResults::hasAll() const
{
    return std::ranges::all_of(m_rows, &Row::isFound);
}

} // namespace quadric::widgets
