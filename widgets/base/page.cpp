// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/page.h"

#include "core/optimize/answer/find_optimum.h"
#include "core/study/shown_study.h"
#include "core/text/numbers.h"
#include "widgets/base/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <string>
#include <utility>

namespace quadric::widgets {

namespace {

constexpr double kTint = 0.14;

QColor bannerColor(Banner::Tone tone, const PlotColors& colors)
{
    switch (tone) {
    case Banner::Tone::Good:
        return colors.good;
    case Banner::Tone::Warning:
        return colors.warning;
    case Banner::Tone::Error:
        return colors.error;
    case Banner::Tone::News:
        break;
    }
    return colors.accent;
}

constexpr int kTextWidth = 440; ///< about 65 characters, a line that is read at ease

QLabel* makeLabel(QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setAlignment(Qt::AlignHCenter);
    label->setWordWrap(true);
    label->setFixedWidth(kTextWidth);
    return label;
}

/// The layout asks how high a label of its own width would be, which is more than the label has.
void fitHeight(QLabel& label)
{
    label.setMinimumHeight(label.heightForWidth(kTextWidth));
}

} // namespace

Banner::Banner(QWidget* parent)
    : QFrame(parent)
    , m_mark(new QLabel(this))
    , m_words(new QLabel(this))
    , m_row(new QHBoxLayout(this))
{
    setAutoFillBackground(true);
    m_words->setWordWrap(true);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_row->setContentsMargins(16, 8, 8, 8);
    m_row->setSpacing(8);
    m_row->addWidget(m_mark);
    m_row->addWidget(m_words, 1);
}

void Banner::setTone(Tone tone, const QString& mark)
{
    m_tone = tone;
    m_mark->setText(mark);
    updateToneColors();
}

void Banner::setWords(const QString& words)
{
    m_words->setText(words);
}

QString Banner::words() const
{
    return m_words->text();
}

QPushButton* Banner::addButton(const char* name, const QString& text)
{
    auto* button = new QPushButton(text, this);
    button->setObjectName(QLatin1String(name));
    m_row->addWidget(button);
    return button;
}

void Banner::updateToneColors()
{
    const QPalette outer = parentWidget() ? parentWidget()->palette() : palette();
    const PlotColors colors = plotColors(outer);
    const QColor color = bannerColor(m_tone, colors);
    QPalette tinted = outer;
    tinted.setColor(QPalette::Window, blend(color, colors.background, kTint));
    if (tinted.color(QPalette::Window) == palette().color(QPalette::Window))
        return;
    setPalette(tinted);
    QPalette mark = tinted;
    mark.setColor(QPalette::WindowText, color);
    m_mark->setPalette(mark);
}

void Banner::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::ParentChange || event->type() == QEvent::ApplicationPaletteChange)
        updateToneColors();
}

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent)
    , m_title(makeLabel(this))
    , m_sentence(makeLabel(this))
    , m_button(new QPushButton(this))
{
    QFont large = m_title->font();
    large.setPointSizeF(large.pointSizeF() * 1.4);
    m_title->setFont(large);
    m_button->setMinimumSize(160, 40);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(16);
    layout->addStretch(2);
    layout->addWidget(m_title, 0, Qt::AlignHCenter);
    layout->addWidget(m_sentence, 0, Qt::AlignHCenter);
    layout->addWidget(m_button, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    connect(m_button, &QPushButton::clicked, this, &EmptyState::buttonClicked);
}

void EmptyState::setTexts(const QString& title, const QString& sentence, const QString& button)
{
    m_title->setText(title);
    m_sentence->setText(sentence);
    m_sentence->setVisible(!sentence.isEmpty());
    m_button->setText(button);
    m_button->setVisible(!button.isEmpty());
    fitHeight(*m_title);
    fitHeight(*m_sentence);
}

void EmptyState::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::FontChange && event->type() != QEvent::ApplicationFontChange)
        return;
    fitHeight(*m_title);
    fitHeight(*m_sentence);
}

PickedRuns::PickedRuns(int run)
    : current(run)
{
    if (run >= 0)
        all = {run};
}

PickedRuns::PickedRuns(std::vector<int> runs)
    : current(runs.empty() ? -1 : runs.back())
    , all(std::move(runs))
{
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
}

bool PickedRuns::contains(int run) const
{
    return std::ranges::binary_search(all, run);
}

PickedRuns PickedRuns::toggled(int run) const
{
    std::vector<int> runs = all;
    if (std::erase(runs, run) == 0)
        runs.push_back(run);
    return PickedRuns(std::move(runs));
}

PickedRuns PickedRuns::with(const std::vector<int>& runs) const
{
    std::vector<int> more = all;
    more.insert(more.end(), runs.begin(), runs.end());
    return PickedRuns(std::move(more));
}

QString pickedText(const PickedRuns& runs)
{
    std::vector<std::string> numbers;
    for (const int run : runs.all)
        numbers.push_back(std::to_string(run));
    return (numbers.size() == 1 ? Page::tr("Run %1 is selected.") : Page::tr("Runs %1 are selected."))
        .arg(QString::fromStdString(text::formatList(numbers)));
}

void Page::addRunActions(QMenu& menu, const PickedRuns& picked)
{
    if (picked.isEmpty())
        return;
    const QString words = picked.all.size() == 1 ? tr("run %1").arg(picked.current)
                                                 : formatCount(static_cast<qint64>(picked.all.size()), "run");
    menu.addSeparator();
    menu.addAction(tr("&Exclude %1…").arg(words), this,
                   [this, runs = picked.all] { emit exclusionRequested(runs); })
        ->setObjectName(QStringLiteral("excludeRuns"));
    menu.addAction(tr("Show %1 in &Design").arg(words), this, [this] { emit stepRequested(Step::Design); })
        ->setObjectName(QStringLiteral("showInDesign"));
    menu.addAction(tr("C&lear the selection"), this, [this] { emit runsPicked({}); })
        ->setObjectName(QStringLiteral("clearRuns"));
}

ContextPointer withDisplayNames(ContextPointer context)
{
    study::Study shown = study::withDisplayNames(context->study);
    if (shown == context->study)
        return context;
    auto renamed = std::make_shared<StudyContext>(*context);
    renamed->study = std::move(shown);
    renamed->fits = optimize::fitForGoals(renamed->study);
    return renamed;
}

} // namespace quadric::widgets
