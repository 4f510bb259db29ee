// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/command/reading_form.h"

#include "widgets/base/style.h"
#include "widgets/base/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>

#include <algorithm>
#include <iterator>

namespace quadric::widgets {

QWidget* besideButton(QWidget* field, QPushButton* button)
{
    auto* row = new QWidget;
    auto* layout = marginless<QHBoxLayout>(row, kGap);
    layout->addWidget(field, 1);
    layout->addWidget(button);
    row->setFocusProxy(field);
    return row;
}

void addLabeledRow(QFormLayout& form, const QString& title, QWidget* field,
                   const std::vector<QWidget*>& parts)
{
    auto* column = new QWidget;
    auto* layout = marginless<QVBoxLayout>(column);
    layout->setSpacing(kGap / 2);
    for (QWidget* part : parts) {
        const bool isLink = qobject_cast<QPushButton*>(part) != nullptr;
        layout->addWidget(part, 0, isLink ? Qt::AlignLeft : Qt::Alignment());
    }
    form.addRow(title, column);
    if (auto* label = qobject_cast<QLabel*>(form.labelForField(column)))
        label->setBuddy(field);
}

namespace {

QString asNoteLine(const run::RecipeProblem& problem)
{
    QString message = QString::fromStdString(problem.message);
    message[0] = message[0].toUpper();
    if (!message.endsWith(QLatin1Char('?')))
        message += QLatin1Char('.');
    return (problem.isError ? QStringLiteral("✗ ") : QStringLiteral("⚠ ")) + message;
}

/// In the order of the box.
enum Reading { Protocol, LastJson, Patterns, ResultFile };

Reading readingOption(const study::ParseSpec& parse)
{
    using Kind = study::ParseSpec::Kind;
    switch (parse.kind) {
    case Kind::Regex:
        return Patterns;
    case Kind::File:
        return ResultFile;
    case Kind::LastJson:
        return LastJson;
    case Kind::Protocol:
        break;
    }
    return Protocol;
}

void setTextIfOther(QLineEdit& edit, const QString& text)
{
    if (edit.text() != text)
        edit.setText(text);
}

} // namespace

FieldNote::FieldNote(const char* objectName, const QString& accessibleName, QWidget* parent)
    : QLabel(parent)
{
    nameWidget(this, objectName, accessibleName);
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    hide();
}

void FieldNote::showProblems(const std::vector<run::RecipeProblem>& problems, const QStringList& places)
{
    QStringList lines;
    bool hasError = false;
    for (const run::RecipeProblem& problem : problems) {
        const QString where = QString::fromStdString(problem.where);
        if (std::ranges::none_of(places, [&](const QString& place) { return where.startsWith(place); }))
            continue;
        lines << asNoteLine(problem);
        hasError = hasError || problem.isError;
    }
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, hasError ? plotColors(colors).error : plotColors(colors).mutedText);
    setPalette(colors);
    setText(lines.join(QLatin1Char('\n')));
    setVisible(!lines.isEmpty());
}

ReadingForm::ReadingForm(QWidget* parent)
    : QWidget(parent)
    , m_reading(new QComboBox)
    , m_file(new QLineEdit)
    , m_fileNote(new FieldNote("resultFileProblem", tr("What is wrong with the result file")))
    , m_patterns(new QWidget)
{
    m_reading->addItems({tr("Quadric protocol lines"), tr("JSON on the last line of the output"),
                         tr("Pattern or regular expression per response"), tr("JSON file")});
    m_file->setPlaceholderText(tr("such as result_{run_id}.json"));
    nameWidget(m_reading, "commandReading", tr("How results are read"));
    nameWidget(m_file, "commandResultFile", tr("The file with the results"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto* layout = marginless<QVBoxLayout>(this, kGap);
    layout->addWidget(m_reading);
    layout->addWidget(m_file);
    layout->addWidget(m_fileNote);
    layout->addWidget(m_patterns);
    connect(m_reading, &QComboBox::activated, this, &ReadingForm::applyReadingChoice);
    connect(m_file, &QLineEdit::textEdited, this, &ReadingForm::edited);
}

/// A response without a pattern gets the usual one.
void ReadingForm::applyReadingChoice()
{
    if (m_reading->currentIndex() == Patterns) {
        for (const Row& row : m_rows)
            if (row.edit->text().isEmpty())
                row.edit->setText(QString::fromStdString(row.response) + QStringLiteral(": {number}"));
    }
    showRows();
    emit edited();
}

void ReadingForm::setStudy(const study::Study& study)
{
    m_study = study;
    const study::ParseSpec& parse = study.benchmark.parse;
    m_reading->setCurrentIndex(readingOption(parse));
    buildPatterns();
    if (parse.kind == study::ParseSpec::Kind::File)
        setTextIfOther(*m_file, QString::fromStdString(parse.file));
    if (parse.kind == study::ParseSpec::Kind::Regex) {
        for (const Row& row : m_rows) {
            const auto pattern = parse.patterns.find(row.response);
            setTextIfOther(*row.edit, pattern == parse.patterns.end()
                                          ? QString()
                                          : QString::fromStdString(pattern->second));
        }
    }
    showRows();
}

void ReadingForm::showProblems(const std::vector<run::RecipeProblem>& problems)
{
    m_fileNote->showProblems(problems, {QStringLiteral("benchmark.parse.file")});
    for (const Row& row : m_rows) {
        std::vector<run::RecipeProblem> own;
        std::ranges::copy_if(problems, std::back_inserter(own), [&row](const run::RecipeProblem& problem) {
            return problem.where == "benchmark.parse.regex." + row.response;
        });
        row.note->showProblems(own, {QStringLiteral("benchmark")});
    }
}

void ReadingForm::showRows()
{
    m_file->setVisible(m_reading->currentIndex() == ResultFile);
    m_patterns->setVisible(m_reading->currentIndex() == Patterns);
}

/// What was typed for a response, also where it had another name.
QString ReadingForm::keptPattern(const std::vector<Row>& before, std::size_t row) const
{
    const auto same = std::ranges::find(before, m_study.responses[row].name, &Row::response);
    if (same != before.end())
        return same->edit->text();
    const bool isRenamed =
        before.size() == m_study.responses.size() && !study::findResponse(m_study, before[row].response);
    return isRenamed ? before[row].edit->text() : QString();
}

/// A row for each response, made anew only where the responses are others.
void ReadingForm::buildPatterns()
{
    const bool isSame =
        std::ranges::equal(m_study.responses, m_rows, {}, &study::Response::name, &Row::response);
    if (isSame)
        return;
    const QList<QWidget*> old = m_patterns->findChildren<QWidget*>(Qt::FindDirectChildrenOnly);
    delete m_patterns->layout();
    auto* form = new QFormLayout(m_patterns);
    form->setContentsMargins(0, 0, 0, 0);
    std::vector<Row> rows;
    for (std::size_t i = 0; i < m_study.responses.size(); ++i) {
        const QString name = QString::fromStdString(m_study.responses[i].name);
        auto* edit = new QLineEdit(keptPattern(m_rows, i));
        auto* note = new FieldNote("patternProblem", tr("What is wrong with the pattern for %1").arg(name));
        edit->setPlaceholderText(tr("such as %1: {number}").arg(name));
        edit->setToolTip(tr("The text around the number, with {number} in its place; or a regular expression "
                            "whose first group is the number. The last match in the output counts."));
        edit->setObjectName(QStringLiteral("pattern-") + name);
        edit->setAccessibleName(tr("Pattern for %1").arg(name));
        connect(edit, &QLineEdit::textEdited, this, &ReadingForm::edited);
        auto* column = new QVBoxLayout;
        column->setSpacing(kGap / 2);
        column->addWidget(edit);
        column->addWidget(note);
        form->addRow(name, column);
        rows.push_back({m_study.responses[i].name, edit, note});
    }
    m_rows = std::move(rows);
    qDeleteAll(old);
}

study::ParseSpec ReadingForm::parse() const
{
    using Kind = study::ParseSpec::Kind;
    switch (m_reading->currentIndex()) {
    case LastJson:
        return {.kind = Kind::LastJson};
    case ResultFile:
        return {.kind = Kind::File, .file = m_file->text().toStdString()};
    case Patterns: {
        study::ParseSpec spec{.kind = Kind::Regex};
        for (const Row& row : m_rows)
            spec.patterns[row.response] = row.edit->text().toStdString();
        return spec;
    }
    default:
        return {};
    }
}

} // namespace quadric::widgets
