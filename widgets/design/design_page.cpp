// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/design_page.h"

#include "widgets/base/empty_state.h"
#include "widgets/design/labels.h"
#include "widgets/design/quality_card.h"
#include "widgets/design/run_edits.h"
#include "widgets/design/run_matrix_model.h"
#include "widgets/design/run_matrix_view.h"
#include "widgets/design/study_summary.h"
#include "widgets/design/words.h"
#include "widgets/plots/design_cube.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QInputDialog>
#include <QMenu>
#include <QScrollArea>
#include <QStackedLayout>

namespace quadric::widgets {

struct DesignPage::Parts {
    ContextPointer context;
    QStackedLayout* stack = nullptr;
    QBoxLayout* left = nullptr;
    QWidget* side = nullptr;
    QLabel* title = nullptr;
    QLabel* words = nullptr;
    QPushButton* run = nullptr;
    StudySummary* summary = nullptr;
    RunMatrixModel* model = nullptr;
    RunMatrixView* view = nullptr;
    DesignCube* cube = nullptr;
    QualityCard* quality = nullptr;
};

namespace {

constexpr int kSideWidth = 304;
constexpr int kSideVisibleWidth = 880;

/// Whether both have the same runs at the same settings, so that the quality need not be judged again.
bool isSameDesign(const study::Study& a, const study::Study& b)
{
    return a.factors == b.factors && std::equal(a.runs.begin(), a.runs.end(), b.runs.begin(), b.runs.end(),
                                                [](const auto& x, const auto& y) {
                                                    return x.settings == y.settings && x.block == y.block &&
                                                           x.kind == y.kind;
                                                });
}

} // namespace

DesignPage::DesignPage(QWidget* parent)
    : Page(parent)
    , m_parts(std::make_unique<Parts>())
{
    auto* content = new QWidget;
    auto* rows = new QVBoxLayout(content);
    rows->setContentsMargins(kPageMargin, kPageMargin, kPageMargin, kGroupGap);
    rows->setSpacing(kGroupGap);
    rows->addLayout(buildHeader());
    m_parts->left = new QVBoxLayout;
    m_parts->left->setSpacing(kGroupGap);
    m_parts->side = new QWidget;
    m_parts->side->setFixedWidth(kSideWidth);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(kPageMargin);
    columns->addLayout(m_parts->left, 1);
    columns->addWidget(m_parts->side);
    rows->addLayout(columns, 1);

    m_parts->stack = new QStackedLayout(this);
    m_parts->stack->addWidget(content);
    buildMatrix();
    buildSide();
    buildEmptyState();
}

DesignPage::~DesignPage() = default;

QLayout* DesignPage::buildHeader()
{
    m_parts->title = titleLabel({});
    m_parts->title->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_parts->words = mutedLabel({});
    auto* texts = new QVBoxLayout;
    texts->setSpacing(kGap / 2);
    texts->addWidget(m_parts->title);
    texts->addWidget(m_parts->words);
    auto* header = new QHBoxLayout;
    header->setSpacing(kPageMargin);
    header->addLayout(texts, 1);
    header->addLayout(buildButtons());
    return header;
}

QLayout* DesignPage::buildButtons()
{
    auto* edit = quietButton(tr("Edit &design…"));
    nameWidget(edit, "editDesign", tr("Edit design"));
    m_parts->run = primaryButton(tr("&Run it"));
    nameWidget(m_parts->run, "goToRun", tr("Go to the step Run"));
    connect(edit, &QPushButton::clicked, this, [this] { emit editRequested(WizardStep::Design); });
    connect(m_parts->run, &QPushButton::clicked, this, [this] { emit stepRequested(Step::Run); });
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(kGap);
    buttons->addWidget(edit);
    buttons->addWidget(m_parts->run);
    buttons->setAlignment(edit, Qt::AlignTop);
    buttons->setAlignment(m_parts->run, Qt::AlignTop);
    return buttons;
}

void DesignPage::buildMatrix()
{
    m_parts->summary = new StudySummary;
    connect(m_parts->summary, &StudySummary::editFactorsRequested, this,
            [this] { emit editRequested(WizardStep::Factors); });
    connect(m_parts->summary, &StudySummary::editResponsesRequested, this,
            [this] { emit editRequested(WizardStep::Responses); });
    m_parts->model = new RunMatrixModel(this);
    m_parts->view = new RunMatrixView(*m_parts->model);
    nameWidget(m_parts->view, "runMatrix", tr("Matrix of runs"));
    m_parts->view->setContextMenuPolicy(Qt::CustomContextMenu);
    auto* coded = new QCheckBox(tr("&Coded values"));
    nameWidget(coded, "codedValues", tr("Show settings in coded units"));
    coded->setToolTip(tr("Settings as −1 … +1 between the low and the high end of each factor."));
    m_parts->left->addWidget(m_parts->summary);
    m_parts->left->addWidget(m_parts->view, 1);
    m_parts->left->addWidget(coded);
    connect(coded, &QCheckBox::toggled, m_parts->model, &RunMatrixModel::setCoded);
    connect(m_parts->model, &RunMatrixModel::resultTyped, this, &DesignPage::requestTypedResult);
    connect(m_parts->view, &QWidget::customContextMenuRequested, this, &DesignPage::showRunMenu);
    connect(m_parts->view, &RunMatrixView::runPicked, this, [this](int run) {
        m_parts->cube->setPickedRun(run);
        emit runPicked(run);
    });
}

void DesignPage::buildSide()
{
    m_parts->cube = new DesignCube;
    m_parts->cube->setMinimumHeight(200);
    m_parts->quality = new QualityCard;
    auto* scroll = new QScrollArea;
    scroll->setWidget(m_parts->quality);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* column = new QVBoxLayout(m_parts->side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGroupGap);
    column->addWidget(m_parts->cube, 5);
    column->addWidget(scroll, 4);
    connect(m_parts->cube, &DesignCube::runPicked, this, [this](int run) {
        m_parts->view->pickRun(run);
        emit runPicked(run);
    });
}

/// In a small window the matrix needs the space of the cube.
void DesignPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    m_parts->side->setVisible(width() >= kSideVisibleWidth);
}

void DesignPage::buildEmptyState()
{
    auto* empty = new EmptyState;
    empty->setTexts(tr("No runs yet"),
                    tr("Choose what to vary and what to measure; the runs follow from that."),
                    tr("Set up the design…"));
    nameWidget(empty->findChild<QPushButton*>(), "setUpDesign", tr("Set up the design"));
    m_parts->stack->addWidget(empty);
    connect(empty, &EmptyState::buttonClicked, this, [this] { emit editRequested(WizardStep::Factors); });
}

void DesignPage::setContext(ContextPointer context)
{
    const ContextPointer before = std::exchange(m_parts->context, std::move(context));
    const study::Study& study = m_parts->context->study;
    m_parts->stack->setCurrentIndex(study.runs.empty() ? 1 : 0);
    m_parts->title->setText(QString::fromStdString(study.name));
    m_parts->words->setText(designWords(study));
    m_parts->run->setVisible(study::countRuns(study, study::RunStatus::Pending) > 0 &&
                             study.benchmark.workload != "none");
    m_parts->model->setStudy(study, study.benchmark.workload == "none" && !m_parts->context->isRunning);
    m_parts->cube->setStudy(study);
    m_parts->cube->setSimulated(study::hasSimulatedResults(study));
    if (!before || before->study.factors != study.factors || before->study.responses != study.responses)
        m_parts->summary->setStudy(study);
    if (!before || !isSameDesign(before->study, study))
        showQuality(*m_parts->quality, study);
}

void DesignPage::pickRun(int run)
{
    m_parts->view->pickRun(run);
    m_parts->cube->setPickedRun(run);
}

void DesignPage::requestTypedResult(int runId, const QString& response, double value, bool known)
{
    const study::Study after = withTypedResult(m_parts->context->study, runId, response.toStdString(),
                                               known ? std::optional(value) : std::nullopt);
    if (after != m_parts->context->study)
        emit changeRequested(after, tr("Type %1 of run %2").arg(response).arg(runId), {});
}

void DesignPage::showRunMenu(const QPoint& position)
{
    const study::Run* run = study::findRun(m_parts->context->study,
                                           m_parts->model->runIdAt(m_parts->view->indexAt(position).row()));
    if (!run || m_parts->context->isRunning)
        return;
    const int id = run->id;
    QMenu menu(this);
    if (run->status == study::RunStatus::Excluded)
        menu.addAction(tr("Take run %1 back").arg(id), this, [this, id] {
            emit changeRequested(withRunTakenBack(m_parts->context->study, id),
                                 tr("Take run %1 back").arg(id), {});
        });
    else
        menu.addAction(tr("Leave run %1 out…").arg(id), this, [this, id] {
            bool isSure = false;
            const QString reason = QInputDialog::getText(this, tr("Leave run %1 out").arg(id),
                                                         tr("Why? It stays in the study with this reason."),
                                                         QLineEdit::Normal, {}, &isSure);
            if (isSure)
                emit changeRequested(withRunLeftOut(m_parts->context->study, id, reason.toStdString()),
                                     tr("Leave run %1 out").arg(id), {});
        });
    menu.exec(m_parts->view->viewport()->mapToGlobal(position));
}

} // namespace quadric::widgets
