// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/baseline_chooser.h"

#include "core/run/recipe/baseline_question.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>

#include <array>

namespace quadric::widgets {

namespace {

using study::BaselineMode;

struct KindWords {
    BaselineMode mode;
    const char *name, *sentence, *label;
};

constexpr std::array kKindWords = {
    KindWords{
        BaselineMode::Shared, QT_TR_NOOP("shared"),
        QT_TR_NOOP(
            "The speed of one rank is measured once for all runs that can be related to it, in a separate "
            "run."),
        QT_TR_NOOP("Shared baselines")},
    KindWords{
        BaselineMode::Own, QT_TR_NOOP("one in each run"),
        QT_TR_NOOP("Each run measures the speed of one rank itself, in 35 % of its time. Better where others "
                   "use the machine all the time."),
        QT_TR_NOOP("A baseline in each run")},
    KindWords{BaselineMode::Off, QT_TR_NOOP("none"),
              QT_TR_NOOP("The speed of one rank is not measured: there is no scaling efficiency."),
              QT_TR_NOOP("No baselines")}};

const KindWords& wordsOf(BaselineMode mode)
{
    return *std::ranges::find(kKindWords, mode, &KindWords::mode);
}

/// Empty where none is asked for, or where what the study says cannot be read: the runner refuses that.
std::optional<BaselineMode> modeOf(const study::Study& study)
{
    const bool isShown =
        run::asksForBaselines(study) && study::findProblem(study.benchmark, "baseline").empty();
    return isShown ? std::optional(study.benchmark.baseline) : std::nullopt;
}

} // namespace

BaselineChooser::BaselineChooser(QWidget* parent)
    : QWidget(parent)
    , m_mode(new QComboBox)
{
    for (const KindWords& words : kKindWords) {
        m_mode->addItem(tr(words.name), static_cast<int>(words.mode));
        m_mode->setItemData(m_mode->count() - 1, tr(words.sentence), Qt::ToolTipRole);
    }
    m_mode->setObjectName(QStringLiteral("baseline"));
    m_mode->setAccessibleName(tr("Baseline of the scaling efficiency"));
    setToolTip(
        tr("Where the speed of one rank comes from, to which the scaling efficiency relates the speed of "
           "several."));
    auto* label = new QLabel(tr("Base&line"));
    label->setBuddy(m_mode);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(label);
    layout->addWidget(m_mode);
    connect(m_mode, &QComboBox::activated, this,
            [this] { emit modeChosen(static_cast<BaselineMode>(m_mode->currentData().toInt())); });
}

void BaselineChooser::setStudy(const study::Study& study)
{
    const auto mode = modeOf(study);
    setVisible(mode.has_value());
    m_mode->setCurrentIndex(m_mode->findData(static_cast<int>(mode.value_or(BaselineMode::Shared))));
}

QString BaselineChooser::sentence() const
{
    return tr(wordsOf(static_cast<BaselineMode>(m_mode->currentData().toInt())).sentence);
}

QString labelOf(BaselineMode mode)
{
    return BaselineChooser::tr(wordsOf(mode).label);
}

} // namespace quadric::widgets
