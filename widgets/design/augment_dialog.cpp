// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/augment_dialog.h"

#include "widgets/base/style.h"
#include "widgets/base/theme.h"

#include <QButtonGroup>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QSpinBox>

#include <algorithm>
#include <span>

namespace quadric::widgets {

namespace {

constexpr QSize kAugmentSize(1200, 680);
constexpr int kWaysWidth = 272;

/// True where runs are added and all of them have the settings of runs that were there.
bool onlyRepeats(const study::Study& before, const study::Study& after)
{
    const auto added = std::span(after.runs).subspan(before.runs.size());
    return !added.empty() && std::ranges::all_of(added, [&](const study::Run& run) {
        return std::ranges::count(before.runs, run.settings, &study::Run::settings) > 0;
    });
}

std::vector<WayToAdd> waysToAdd()
{
    using design::Augmentation;
    return {{Augmentation::Center, AugmentDialog::tr("Center points"),
             AugmentDialog::tr("Measure the noise better, and show whether the response is curved."), true},
            {Augmentation::Star, AugmentDialog::tr("Axial (star) points"),
             AugmentDialog::tr("Turn a two-level design into one that finds a curved surface."), true},
            {Augmentation::Foldover, AugmentDialog::tr("Fold over"),
             AugmentDialog::tr("Run it again with signs reversed, to separate aliased effects."), false},
            {Augmentation::Semifoldover, AugmentDialog::tr("Semifoldover"),
             AugmentDialog::tr("Half of that: separates most two-factor interactions."), false},
            {Augmentation::Optimal, AugmentDialog::tr("Augment (D-/I-optimal)"),
             AugmentDialog::tr("Runs that improve this model most within the constraints."), true}};
}

} // namespace

AugmentDialog::AugmentDialog(study::Study study, JudgmentOptions options, QWidget* parent)
    : QDialog(parent)
    , m_known(waysToAdd())
    , m_study(std::move(study))
    , m_result(m_study)
    , m_options(std::move(options))
    , m_ways(new QButtonGroup(this))
    , m_count(new QSpinBox)
    , m_state(mutedLabel({}))
    , m_view(new ComparisonView)
{
    setObjectName(QStringLiteral("augmentDialog"));
    setWindowTitle(tr("Add runs"));
    resizeWithinScreen(*this, kAugmentSize);
    nameWidget(m_state, "augmentState", tr("State of the preview"));
    auto* right = new QVBoxLayout;
    right->setSpacing(kGap);
    right->addWidget(m_state);
    right->addWidget(m_view, 1);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(kPageMargin);
    columns->addWidget(buildWays());
    columns->addLayout(right, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPageMargin, kPageMargin, kPageMargin, kGroupGap);
    layout->setSpacing(kGroupGap);
    layout->addLayout(columns, 1);
    layout->addLayout(buildButtons());
    m_view->hide();
    start();
}

QWidget* AugmentDialog::buildWays()
{
    auto* box = new QWidget;
    box->setFixedWidth(kWaysWidth);
    auto* column = marginless<QVBoxLayout>(box);
    column->setSpacing(kGap / 2);
    for (size_t i = 0; i < m_known.size(); ++i) {
        auto* button = new QRadioButton(m_known[i].title);
        button->setObjectName(QStringLiteral("add-") +
                              QString::fromUtf8(design::nameOf(m_known[i].augmentation).data()));
        button->setAccessibleDescription(m_known[i].about);
        button->setChecked(i == 0);
        auto* about = mutedLabel(m_known[i].about);
        about->setContentsMargins(kPageMargin, 0, 0, kGap);
        m_ways->addButton(button, int(i));
        column->addWidget(button);
        column->addWidget(about);
    }
    m_count->setRange(0, 200);
    m_count->setSpecialValueText(tr("default"));
    nameWidget(m_count, "addedRuns", tr("Runs to add"));
    connect(m_count, &QSpinBox::valueChanged, this, &AugmentDialog::start);
    auto* caption = new QLabel(tr("&Runs"));
    caption->setBuddy(m_count);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGap);
    row->addWidget(caption);
    row->addWidget(m_count);
    row->addStretch();
    column->addLayout(row);
    column->addStretch();
    connect(m_ways, &QButtonGroup::idToggled, this, [this](int, bool isChosen) {
        if (isChosen)
            start();
    });
    return box;
}

QLayout* AugmentDialog::buildButtons()
{
    auto* cancel = quietButton(tr("Cancel"));
    m_add = primaryButton(tr("&Add runs"));
    nameWidget(cancel, "cancelAdding", tr("Cancel"));
    nameWidget(m_add, "addRuns", tr("Add the runs"));
    cancel->setAutoDefault(false);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_add, &QPushButton::clicked, this, &QDialog::accept);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGap);
    row->addWidget(cancel);
    row->addStretch();
    row->addWidget(m_add);
    return row;
}

const WayToAdd& AugmentDialog::way() const
{
    return m_known[size_t(m_ways->checkedId())];
}

QString AugmentDialog::title() const
{
    return way().title;
}

void AugmentDialog::start()
{
    m_count->setEnabled(way().hasCount);
    m_add->setEnabled(false);
    m_state->setText(tr("Computing what the runs would add…"));
    m_state->show();
    design::AugmentOptions wanted;
    wanted.runs = way().hasCount ? m_count->value() : 0;
    wanted.model = m_options.model;
    m_jobs.start(
        [study = m_study, options = m_options, wanted,
         kind = way().augmentation](const std::stop_token& stop) {
            Preview preview;
            try {
                preview.before = judgedDesign(tr("Current"), study, options);
                preview.after = judgedDesign(tr("With added runs"),
                                             design::augmented(study, kind, wanted, stop), options);
            } catch (const std::exception& error) {
                preview.problem = QString::fromStdString(error.what());
            }
            return preview;
        },
        [this](const Preview& preview) { show(preview); });
}

void AugmentDialog::show(const Preview& preview)
{
    const bool isDone = preview.before && preview.after;
    const qsizetype added = isDone ? qsizetype(preview.after->study.runs.size() - m_study.runs.size()) : 0;
    m_result = isDone ? preview.after->study : m_study;
    m_state->setText(isDone ? tr("%1 more; all existing runs are kept.").arg(formatCount(added, "run"))
                            : preview.problem);
    if (isDone && !way().hasCount && onlyRepeats(m_study, preview.after->study))
        m_state->setText(m_state->text() + QLatin1Char(' ') +
                         tr("They only repeat settings of the design, which is its own mirror image: no "
                            "effects are separated, and the noise is measured better."));
    m_add->setText(isDone ? tr("&Add %1").arg(formatCount(added, "run")) : tr("&Add runs"));
    m_add->setEnabled(isDone);
    if (isDone && m_count->value() == 0)
        m_count->setSpecialValueText(way().hasCount ? tr("default (%1)").arg(added) : tr("default"));
    m_view->setVisible(isDone);
    if (isDone)
        m_view->setDesigns({*preview.before, *preview.after});
}

} // namespace quadric::widgets
