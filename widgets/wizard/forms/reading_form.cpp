// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/forms/reading_form.h"

#include "widgets/base/style.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>

namespace quadric::widgets {

namespace {

/// In the order of the box.
enum Reading { Protocol, LastJson, Patterns, ResultFile };

Reading readingOf(const study::ParseSpec& parse)
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

ReadingForm::ReadingForm(QWidget* parent)
    : QWidget(parent)
    , m_reading(new QComboBox)
    , m_file(new QLineEdit)
    , m_patterns(new QWidget)
{
    m_reading->addItems({tr("Quadric protocol lines"), tr("JSON on the last line of the output"),
                         tr("Regular expression per response"), tr("JSON file")});
    m_file->setPlaceholderText(tr("such as result_{run_id}.json"));
    nameWidget(m_reading, "commandReading", tr("How results are read"));
    nameWidget(m_file, "commandResultFile", tr("The file with the results"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kGap);
    layout->addWidget(m_reading);
    layout->addWidget(m_file);
    layout->addWidget(m_patterns);
    connect(m_reading, &QComboBox::activated, this, [this] {
        showRows();
        emit edited();
    });
    connect(m_file, &QLineEdit::textEdited, this, &ReadingForm::edited);
}

void ReadingForm::setStudy(const study::Study& study)
{
    m_study = study;
    const study::ParseSpec& parse = study.benchmark.parse;
    m_reading->setCurrentIndex(readingOf(parse));
    setTextIfOther(*m_file, QString::fromStdString(parse.file));
    showRows();
    for (const auto& [name, edit] : m_patternEdits) {
        const auto pattern = parse.patterns.find(name);
        setTextIfOther(*edit,
                       pattern == parse.patterns.end() ? QString() : QString::fromStdString(pattern->second));
    }
}

void ReadingForm::showRows()
{
    m_file->setVisible(m_reading->currentIndex() == ResultFile);
    m_patterns->setVisible(m_reading->currentIndex() == Patterns);
    buildPatterns();
}

/// A row for each response, made anew only where the responses are others.
void ReadingForm::buildPatterns()
{
    const bool isSame =
        std::ranges::equal(m_study.responses, m_patternEdits, [](const auto& response, const auto& edit) {
            return response.name == edit.first;
        });
    if (isSame)
        return;
    delete m_patterns->layout();
    qDeleteAll(m_patterns->findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
    m_patternEdits.clear();
    auto* form = new QFormLayout(m_patterns);
    form->setContentsMargins(0, 0, 0, 0);
    for (const study::Response& response : m_study.responses) {
        const QString name = QString::fromStdString(response.name);
        auto* edit = new QLineEdit;
        edit->setPlaceholderText(tr("such as throughput: ([0-9.]+)"));
        edit->setAccessibleName(tr("Pattern for %1").arg(name));
        connect(edit, &QLineEdit::textEdited, this, &ReadingForm::edited);
        form->addRow(name, edit);
        m_patternEdits.emplace_back(response.name, edit);
    }
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
        for (const auto& [name, edit] : m_patternEdits)
            spec.patterns[name] = edit->text().toStdString();
        return spec;
    }
    default:
        return {};
    }
}

} // namespace quadric::widgets
