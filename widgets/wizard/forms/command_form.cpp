// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/forms/command_form.h"

#include "core/run/recipe/ready_recipes.h"
#include "widgets/base/style.h"
#include "widgets/wizard/forms/reading_form.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QSpinBox>

namespace quadric::widgets {

namespace {

constexpr int kEnvironmentLines = 3;

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

using Environment = decltype(study::Benchmark::env);

/// NAME=value, a line each.
QString asLines(const Environment& environment)
{
    QStringList lines;
    for (const auto& [name, value] : environment)
        lines << QString::fromStdString(name) + QLatin1Char('=') + QString::fromStdString(value);
    return lines.join(QLatin1Char('\n'));
}

Environment asEnvironment(const QString& text)
{
    Environment environment;
    for (const QString& line : text.split(QLatin1Char('\n'))) {
        const qsizetype at = line.indexOf(QLatin1Char('='));
        const QString name = line.left(at).trimmed();
        if (at > 0 && !name.isEmpty())
            environment[name.toStdString()] = line.mid(at + 1).toStdString();
    }
    return environment;
}

} // namespace

CommandForm::CommandForm(QWidget* parent)
    : QWidget(parent)
    , m_form(new QFormLayout(this))
    , m_recipe(new QComboBox)
    , m_command(new QLineEdit)
    , m_environment(new QPlainTextEdit)
    , m_folder(new QLineEdit)
    , m_timeout(new QSpinBox)
    , m_reading(new ReadingForm)
{
    m_form->setContentsMargins(0, 0, kGap, 0);
    m_form->setHorizontalSpacing(kPageMargin);
    m_form->setVerticalSpacing(kGap);
    m_timeout->setRange(1, 7 * 24 * 3600);
    m_timeout->setSuffix(tr(" s"));
    m_folder->setPlaceholderText(tr("the study's folder"));
    m_environment->setPlaceholderText(tr("NCCL_ALGO={algorithm}"));
    m_environment->setTabChangesFocus(true);
    m_environment->setFixedHeight(kEnvironmentLines * fontMetrics().lineSpacing() + 2 * kGap);
    nameWidget(m_recipe, "commandRecipe", tr("Template for the command"));
    nameWidget(m_command, "command", tr("Command"));
    nameWidget(m_environment, "commandEnvironment", tr("Environment, NAME=value, a line each"));
    nameWidget(m_folder, "commandFolder", tr("Working folder"));
    nameWidget(m_timeout, "commandTimeout", tr("Time limit per run"));
    buildRows();
    connect(m_recipe, &QComboBox::activated, this, &CommandForm::takeRecipe);
    connect(m_command, &QLineEdit::textEdited, this, &CommandForm::take);
    connect(m_environment, &QPlainTextEdit::textChanged, this, &CommandForm::take);
    connect(m_folder, &QLineEdit::textEdited, this, &CommandForm::take);
    connect(m_timeout, &QSpinBox::valueChanged, this, &CommandForm::take);
    connect(m_reading, &ReadingForm::edited, this, &CommandForm::take);
}

void CommandForm::buildRows()
{
    auto* test = quietButton(tr("T&est with run 1…"));
    test->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    test->setToolTip(tr("On this machine, once, after your approval. Nothing of it is kept."));
    nameWidget(test, "testCommand", tr("Run the first setting once and show what is read"));
    connect(test, &QPushButton::clicked, this, &CommandForm::testRequested);
    m_form->addRow(tr("Te&mplate"), m_recipe);
    m_form->addRow(tr("&Command"), m_command);
    m_form->addRow(
        {},
        mutedLabel(tr(
            "{name} stands for the value of a factor or fixed setting, {run_id} for the number of the run; "
            "every value is one argument, no shell is used. The command runs only after you have "
            "approved it.")));
    m_form->addRow(tr("&Results from"), m_reading);
    m_form->addRow(tr("Fol&der"), m_folder);
    m_form->addRow(tr("En&vironment"), m_environment);
    m_form->addRow(tr("&Time limit"), m_timeout);
    m_form->addRow({}, test);
    m_form->addItem(new QSpacerItem(0, 0, QSizePolicy::Minimum, QSizePolicy::Expanding));
}

void CommandForm::setStudy(const study::Study& study)
{
    m_isShowing = true;
    m_study = study;
    const study::Benchmark& benchmark = study.benchmark;
    if (m_recipe->count() == 0) {
        m_recipe->addItem(tr("(none)"));
        for (const run::ReadyRecipe& recipe : run::readyRecipes(study)) {
            m_recipe->addItem(QString::fromStdString(recipe.name));
            m_recipe->setItemData(m_recipe->count() - 1, QString::fromStdString(recipe.what),
                                  Qt::ToolTipRole);
        }
    }
    if (asArguments(m_command->text()) != benchmark.argv)
        m_command->setText(asLine(benchmark.argv));
    if (asEnvironment(m_environment->toPlainText()) != benchmark.env)
        m_environment->setPlainText(asLines(benchmark.env));
    if (m_folder->text().toStdString() != benchmark.cwd)
        m_folder->setText(QString::fromStdString(benchmark.cwd));
    m_timeout->setValue(int(benchmark.timeoutSeconds));
    m_reading->setStudy(study);
    m_isShowing = false;
}

void CommandForm::takeRecipe(int index)
{
    m_recipe->setCurrentIndex(0);
    if (index > 0)
        emit benchmarkEdited(run::readyRecipes(m_study)[size_t(index - 1)].made);
}

void CommandForm::take()
{
    if (m_isShowing)
        return;
    study::Benchmark benchmark = m_study.benchmark;
    benchmark.argv = asArguments(m_command->text());
    benchmark.env = asEnvironment(m_environment->toPlainText());
    benchmark.cwd = m_folder->text().toStdString();
    benchmark.timeoutSeconds = m_timeout->value();
    benchmark.parse = m_reading->parse();
    emit benchmarkEdited(benchmark);
}

} // namespace quadric::widgets
