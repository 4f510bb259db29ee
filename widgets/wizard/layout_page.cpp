// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/layout_page.h"

#include "core/design/design.h"
#include "widgets/design/labels.h"
#include "widgets/design/quality_card.h"
#include "widgets/design/run_matrix_model.h"
#include "widgets/design/run_matrix_view.h"
#include "widgets/design/words.h"
#include "widgets/plots/design_cube.h"
#include "widgets/wizard/choice_card.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>

#include <limits>

namespace quadric::widgets {

namespace {

constexpr int kChoicesWidth = 264;

/// Whether both give the same picture of the design.
bool isSameLayout(const study::Study& a, const study::Study& b)
{
    return a.factors == b.factors && a.runs == b.runs && a.design == b.design;
}

QString runCountWords(study::Study study, const std::string& type)
{
    study.design.type = type;
    const int runs = design::runCount(study);
    return runs > 0 ? counted(runs, "run", "runs") + QStringLiteral(". ")
                    : LayoutPage::tr("Not for these factors. ");
}

} // namespace

LayoutPage::LayoutPage(QWidget* parent)
    : WizardPage(parent)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kPageMargin);
    layout->addWidget(buildChoices());
    layout->addWidget(buildPreview(), 1);
}

QWidget* LayoutPage::buildChoices()
{
    auto* box = new QWidget;
    box->setFixedWidth(kChoicesWidth);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGap);
    m_lock = mutedLabel({});
    m_lock->hide();
    column->addWidget(m_lock);
    m_choices = new QWidget;
    auto* choices = new QVBoxLayout(m_choices);
    choices->setContentsMargins(0, 0, 0, 0);
    choices->setSpacing(kGap);
    for (const std::string& type : design::designTypes()) {
        auto* card = new ChoiceCard(designName(type), designPurpose(type));
        card->setObjectName(QStringLiteral("design-") + QString::fromStdString(type));
        connect(card, &QAbstractButton::clicked, this, &LayoutPage::take);
        choices->addWidget(card);
        m_cards.emplace_back(type, card);
    }
    auto* form = new QFormLayout;
    form->setVerticalSpacing(kGap);
    form->setHorizontalSpacing(kGroupGap);
    m_centerRuns = addNumber(*form, tr("&Centre runs"), "centerRuns", 0, 50,
                             tr("Repeated runs in the middle: they measure the noise and show curvature."));
    m_replicates =
        addNumber(*form, tr("Re&plicates"), "replicates", 1, 20, tr("How often the whole design is run."));
    m_seed = addNumber(*form, tr("&Seed"), "seed", 0, std::numeric_limits<int>::max(),
                       tr("The same seed gives the same run order again."));
    m_randomize = new QCheckBox(tr("&Random run order"));
    m_randomize->setToolTip(tr("Keeps drifts of the machine from looking like effects."));
    nameWidget(m_randomize, "randomize", tr("Random run order"));
    connect(m_randomize, &QCheckBox::toggled, this, &LayoutPage::take);
    form->addRow(m_randomize);
    choices->addSpacing(kGap);
    choices->addLayout(form);
    column->addWidget(m_choices);
    column->addStretch();
    return box;
}

QSpinBox* LayoutPage::addNumber(QFormLayout& form, const QString& name, const char* objectName, int least,
                                int most, const QString& explanation)
{
    auto* box = new QSpinBox;
    box->setRange(least, most);
    box->setToolTip(explanation);
    nameWidget(box, objectName, QString(name).remove(QLatin1Char('&')));
    connect(box, &QSpinBox::valueChanged, this, &LayoutPage::take);
    form.addRow(name, box);
    return box;
}

QWidget* LayoutPage::buildPreview()
{
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGap);
    m_cube = new DesignCube;
    m_cube->setMinimumSize(200, 200);
    m_quality = new QualityCard;
    auto* scroll = new QScrollArea;
    scroll->setWidget(m_quality);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* upper = new QHBoxLayout;
    upper->setSpacing(kGroupGap);
    upper->addWidget(m_cube, 1);
    upper->addWidget(scroll, 1);
    m_runs = new RunMatrixModel(this);
    auto* view = new RunMatrixView(*m_runs);
    nameWidget(view, "matrixPreview", tr("Preview of the runs"));
    column->addLayout(upper, 1);
    column->addWidget(view, 1);
    connect(view, &RunMatrixView::runPicked, m_cube, &DesignCube::setPickedRun);
    connect(m_cube, &DesignCube::runPicked, view, &RunMatrixView::pickRun);
    return box;
}

void LayoutPage::lock(const QString& reason)
{
    m_lock->setText(reason);
    m_lock->show();
    m_choices->setEnabled(false);
}

void LayoutPage::setStudy(const study::Study& study)
{
    const bool isNew = m_study.runs.empty() || !isSameLayout(study, m_study);
    m_study = study;
    for (const auto& [type, card] : m_cards) {
        card->setChecked(type == study.design.type);
        card->setAbout(runCountWords(study, type) + designPurpose(type));
    }
    const QSignalBlocker blockers[] = {QSignalBlocker(m_centerRuns), QSignalBlocker(m_replicates),
                                       QSignalBlocker(m_seed), QSignalBlocker(m_randomize)};
    m_centerRuns->setValue(study.design.centerRuns);
    m_replicates->setValue(study.design.replicates);
    m_seed->setValue(int(std::min<std::uint64_t>(study.design.seed, std::numeric_limits<int>::max())));
    m_randomize->setChecked(study.design.randomize);
    if (!isNew)
        return;
    study::Study onlySettings = study;
    onlySettings.responses.clear();
    m_runs->setStudy(onlySettings);
    m_cube->setStudy(study);
    showQuality(*m_quality, study);
}

void LayoutPage::take()
{
    study::Study study = m_study;
    for (const auto& [type, card] : m_cards)
        if (card->isChecked())
            study.design.type = type;
    study.design.centerRuns = m_centerRuns->value();
    study.design.replicates = m_replicates->value();
    study.design.randomize = m_randomize->isChecked();
    if (study.design.seed <= std::uint64_t(std::numeric_limits<int>::max()) ||
        m_seed->value() != m_seed->maximum())
        study.design.seed = std::uint64_t(m_seed->value());
    emit edited(study);
}

} // namespace quadric::widgets
