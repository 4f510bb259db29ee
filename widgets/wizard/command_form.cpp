// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/command_form.h"

#include "widgets/design/labels.h"

#include <QComboBox>
#include <QFormLayout>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QProcess>
#include <QSpinBox>

namespace quadric::widgets {

namespace {

/// How results are read, in the order of the box.
enum Reading { Protocol, LastJson, Patterns };

/// The arguments as one line that QProcess::splitCommand() takes apart again.
QString asLine(const std::vector<std::string>& argv)
{
    QStringList words;
    for (const auto& argument : argv) {
        QString word = QString::fromStdString(argument);
        const bool needsQuotes =
            word.isEmpty() || word.contains(QLatin1Char(' ')) || word.contains(QLatin1Char('"'));
        words << (needsQuotes ? QLatin1Char('"') + word.replace(QLatin1Char('"'), QStringLiteral("\"\"\"")) +
                                    QLatin1Char('"')
                              : word);
    }
    return words.join(QLatin1Char(' '));
}

std::vector<std::string> asArguments(const QString& line)
{
    std::vector<std::string> argv;
    for (const QString& word : QProcess::splitCommand(line))
        argv.push_back(word.toStdString());
    return argv;
}

QJsonObject parseObject(const study::Benchmark& benchmark)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(benchmark.parse)).object();
}

Reading readingOf(const study::Benchmark& benchmark)
{
    const QJsonObject parse = parseObject(benchmark);
    if (parse.contains(QStringLiteral("regex")))
        return Patterns;
    return parse.contains(QStringLiteral("json")) ? LastJson : Protocol;
}

} // namespace

CommandForm::CommandForm(QWidget* parent)
    : QWidget(parent)
    , m_form(new QFormLayout(this))
    , m_command(new QLineEdit)
    , m_folder(new QLineEdit)
    , m_timeout(new QSpinBox)
    , m_reading(new QComboBox)
    , m_patterns(new QWidget)
{
    m_form->setContentsMargins(0, 0, kGap, 0);
    m_form->setHorizontalSpacing(kPageMargin);
    m_form->setVerticalSpacing(kGap);
    m_timeout->setRange(1, 7 * 24 * 3600);
    m_timeout->setSuffix(tr(" s"));
    m_reading->addItems({tr("Lines of the worker protocol"), tr("The last JSON object that it prints"),
                         tr("A pattern for each response")});
    m_folder->setPlaceholderText(tr("the study's folder"));
    nameWidget(m_command, "command", tr("Command"));
    nameWidget(m_folder, "commandFolder", tr("Working folder"));
    nameWidget(m_timeout, "commandTimeout", tr("Time limit per run"));
    nameWidget(m_reading, "commandReading", tr("How results are read"));
    buildRows();
    connect(m_command, &QLineEdit::textEdited, this, &CommandForm::take);
    connect(m_folder, &QLineEdit::textEdited, this, &CommandForm::take);
    connect(m_timeout, &QSpinBox::valueChanged, this, &CommandForm::take);
    connect(m_reading, &QComboBox::activated, this, &CommandForm::take);
}

void CommandForm::buildRows()
{
    m_form->addRow(tr("&Command"), m_command);
    m_form->addRow(
        {}, mutedLabel(
                tr("{name} stands for the value of a factor or fixed setting; every value is one argument, "
                   "no shell is used. The command runs only after you have approved it.")));
    m_form->addRow(tr("Fol&der"), m_folder);
    m_form->addRow(tr("&Time limit"), m_timeout);
    m_form->addRow(tr("&Results from"), m_reading);
    m_form->addRow(m_patterns);
}

void CommandForm::setStudy(const study::Study& study)
{
    m_isShowing = true;
    m_study = study;
    const study::Benchmark& benchmark = study.benchmark;
    if (asArguments(m_command->text()) != benchmark.argv)
        m_command->setText(asLine(benchmark.argv));
    if (m_folder->text().toStdString() != benchmark.cwd)
        m_folder->setText(QString::fromStdString(benchmark.cwd));
    m_timeout->setValue(int(benchmark.timeoutSeconds));
    m_reading->setCurrentIndex(readingOf(benchmark));
    buildPatterns();
    m_isShowing = false;
}

void CommandForm::buildPatterns()
{
    const QJsonObject patterns = parseObject(m_study.benchmark)[QStringLiteral("regex")].toObject();
    std::vector<std::string> names;
    if (m_reading->currentIndex() == Patterns)
        for (const auto& response : m_study.responses)
            names.push_back(response.name);
    const bool isSame = std::equal(names.begin(), names.end(), m_patternEdits.begin(), m_patternEdits.end(),
                                   [](const auto& name, const auto& edit) { return name == edit.first; });
    if (!isSame) {
        delete m_patterns->layout();
        qDeleteAll(m_patterns->findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
        m_patternEdits.clear();
        auto* form = new QFormLayout(m_patterns);
        form->setContentsMargins(0, 0, 0, 0);
        for (const auto& name : names) {
            auto* edit = new QLineEdit;
            edit->setPlaceholderText(tr("such as throughput: ([0-9.]+)"));
            edit->setAccessibleName(tr("Pattern for %1").arg(QString::fromStdString(name)));
            connect(edit, &QLineEdit::textEdited, this, &CommandForm::take);
            form->addRow(QString::fromStdString(name), edit);
            m_patternEdits.emplace_back(name, edit);
        }
    }
    for (const auto& [name, edit] : m_patternEdits) {
        const QString pattern = patterns[QString::fromStdString(name)].toString();
        if (edit->text() != pattern)
            edit->setText(pattern);
    }
}

void CommandForm::take()
{
    if (m_isShowing)
        return;
    study::Benchmark benchmark = m_study.benchmark;
    benchmark.argv = asArguments(m_command->text());
    benchmark.cwd = m_folder->text().toStdString();
    benchmark.timeoutSeconds = m_timeout->value();
    benchmark.parse.clear();
    if (m_reading->currentIndex() == LastJson)
        benchmark.parse = R"({"json": "last"})";
    if (m_reading->currentIndex() == Patterns) {
        QJsonObject patterns;
        for (const auto& [name, edit] : m_patternEdits)
            patterns[QString::fromStdString(name)] = edit->text();
        benchmark.parse = QJsonDocument(QJsonObject{{QStringLiteral("regex"), patterns}})
                              .toJson(QJsonDocument::Compact)
                              .toStdString();
    }
    emit benchmarkEdited(benchmark);
}

} // namespace quadric::widgets
