// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/design_page.h"

#include "core/report/findings/design_findings.h"
#include "core/study/document/merge.h"
#include "widgets/base/empty_state.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/design/augment_dialog.h"
#include "widgets/design/compare_dialog.h"
#include "widgets/design/matrix_panel.h"
#include "widgets/design/notice_bar.h"
#include "widgets/design/quality/cube_panel.h"
#include "widgets/design/quality/quality_panel.h"
#include "widgets/design/study_summary.h"
#include "widgets/design/words.h"
#include "widgets/plots/scene/design_cube.h"

#include <QBoxLayout>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QSplitter>
#include <QStackedLayout>

namespace quadric::widgets {

struct DesignPage::Parts {
    ContextPointer context;
    QStackedLayout* stack = nullptr;
    QSplitter* columns = nullptr;
    QWidget* side = nullptr;
    QLabel* title = nullptr;
    QLabel* words = nullptr;
    QPushButton* run = nullptr;
    QPushButton* augment = nullptr;
    StudySummary* summary = nullptr;
    MatrixPanel* matrix = nullptr;
    NoticeBar* notice = nullptr;
    CubePanel* cube = nullptr;
    QualityPanel* quality = nullptr;
    QPointer<CompareDialog> comparison;
    JobRunner<Judgment> preview;
    bool isTyping = false;                      ///< the notice speaks of what is not taken yet
    QString changed;                            ///< the setting whose consequences are being judged
    std::optional<design::Evaluation> unedited; ///< the design before that

    MatrixEdits edits() const
    {
        if (context->isRunning)
            return {};
        return {context->study.benchmark.workload == "none", true};
    }
};

namespace {

constexpr int kSideWidth = 336;
constexpr int kSideVisibleWidth = 720;

QString changeText(const design::Evaluation& before, const design::Evaluation& after)
{
    return QString::fromStdString(report::describeChange(before, after));
}

/// Whether both have the same runs at the same settings, so that the quality need not be judged again.
bool isSameDesign(const study::Study& a, const study::Study& b)
{
    const auto counts = [](const study::Run& run) {
        return run.status != study::RunStatus::Failed && run.status != study::RunStatus::Excluded;
    };
    return a.factors == b.factors && a.constraints == b.constraints &&
           std::equal(a.runs.begin(), a.runs.end(), b.runs.begin(), b.runs.end(),
                      [&](const study::Run& x, const study::Run& y) {
                          return x.settings == y.settings && x.block == y.block && x.kind == y.kind &&
                                 counts(x) == counts(y);
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
    m_parts->columns = new QSplitter(Qt::Horizontal);
    m_parts->columns->setHandleWidth(kGroupGap);
    m_parts->columns->addWidget(buildLeft());
    m_parts->side = buildSide();
    m_parts->columns->addWidget(m_parts->side);
    m_parts->columns->setChildrenCollapsible(false);
    m_parts->columns->setStretchFactor(0, 1);
    m_parts->columns->setSizes({2 * kSideWidth, kSideWidth});
    rows->addWidget(m_parts->columns, 1);

    m_parts->stack = new QStackedLayout(this);
    m_parts->stack->addWidget(content);
    buildEmptyState();
    connectMatrix();
}

/// A cell that is being typed into says so when it goes; there is nobody left to hear it.
DesignPage::~DesignPage()
{
    m_parts->matrix->view().disconnect(this);
    m_parts->matrix->model().disconnect(this);
}

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
    m_parts->augment = quietButton(tr("Add r&uns…"));
    nameWidget(m_parts->augment, "augmentDesign", tr("Add runs to the design"));
    m_parts->augment->setToolTip(tr(
        "Center points, axial points, a foldover or the best additional runs; all existing runs are kept."));
    connect(m_parts->augment, &QPushButton::clicked, this, &DesignPage::openAugmentation);
    auto* compare = quietButton(tr("Co&mpare…"));
    nameWidget(compare, "compareDesign", tr("Compare with another design"));
    compare->setToolTip(tr("Shows this design beside one of another type, or of another study."));
    connect(compare, &QPushButton::clicked, this, &DesignPage::openComparison);
    m_parts->run = primaryButton(tr("&Go to Run"));
    nameWidget(m_parts->run, "goToRun", tr("Go to the step Run"));
    connect(edit, &QPushButton::clicked, this, [this] { emit editRequested(WizardStep::Design); });
    connect(m_parts->run, &QPushButton::clicked, this, [this] { emit stepRequested(Step::Run); });
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(kGap);
    for (QPushButton* button : {compare, m_parts->augment, edit, m_parts->run})
        buttons->addWidget(button, 0, Qt::AlignTop);
    return buttons;
}

QWidget* DesignPage::buildLeft()
{
    m_parts->summary = new StudySummary;
    m_parts->matrix = new MatrixPanel;
    m_parts->notice = new NoticeBar;
    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGroupGap);
    column->addWidget(m_parts->summary);
    column->addWidget(m_parts->matrix, 1);
    column->addWidget(m_parts->notice);
    connect(m_parts->summary, &StudySummary::editFactorsRequested, this,
            [this] { emit editRequested(WizardStep::Factors); });
    connect(m_parts->summary, &StudySummary::editResponsesRequested, this,
            [this] { emit editRequested(WizardStep::Responses); });
    return left;
}

QWidget* DesignPage::buildSide()
{
    m_parts->cube = new CubePanel;
    m_parts->quality = new QualityPanel;
    auto* side = new QSplitter(Qt::Vertical);
    side->setHandleWidth(kGap);
    side->setChildrenCollapsible(false);
    side->setMinimumWidth(kSideWidth - 40);
    side->addWidget(m_parts->cube);
    side->addWidget(m_parts->quality);
    side->setStretchFactor(0, 1);
    side->setStretchFactor(1, 1);
    connect(m_parts->cube, &CubePanel::runPicked, this, [this](int run) {
        m_parts->matrix->view().pickRun(run);
        m_parts->cube->cube().setPickedRun(run);
        emit runPicked(run);
    });
    connect(m_parts->quality, &QualityPanel::judged, this, [this] {
        const auto& evaluation = m_parts->quality->judgment().evaluation;
        if (!m_parts->changed.isEmpty() && m_parts->unedited && evaluation)
            m_parts->notice->say(m_parts->changed + changeText(*m_parts->unedited, *evaluation),
                                 NoticeBar::Tone::Plain, true);
        m_parts->changed.clear();
    });
    return side;
}

void DesignPage::connectMatrix()
{
    RunMatrixView& view = m_parts->matrix->view();
    RunMatrixModel& model = m_parts->matrix->model();
    connect(&view, &RunMatrixView::runPicked, this, [this](int run) {
        m_parts->cube->cube().setPickedRun(run);
        emit runPicked(run);
    });
    connect(&view, &QWidget::customContextMenuRequested, this, &DesignPage::showRunMenu);
    connect(&view, &RunMatrixView::pasteRequested, this, &DesignPage::takePaste);
    connect(&view, &RunMatrixView::settingTyping, this, &DesignPage::previewSetting);
    connect(&view, &RunMatrixView::typingEnded, this, [this] {
        m_parts->preview.cancel();
        if (std::exchange(m_parts->isTyping, false))
            m_parts->notice->clear();
    });
    connect(&model, &RunMatrixModel::resultTyped, this, &DesignPage::requestTypedResult);
    connect(&model, &RunMatrixModel::resultRefused, this,
            [this](int run, const QString& response, const QString& typed) {
                m_parts->notice->say(
                    tr("%1 of run %2: “%3”, expected a number.").arg(response).arg(run).arg(typed),
                    NoticeBar::Tone::Warning);
            });
    connect(&model, &RunMatrixModel::settingTyped, this, &DesignPage::requestSetting);
    connect(m_parts->notice, &NoticeBar::undoClicked, this, [this] {
        m_parts->notice->clear();
        emit undoRequested();
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
    m_parts->notice->clear();
    m_parts->stack->setCurrentIndex(study.runs.empty() ? 1 : 0);
    m_parts->title->setText(QString::fromStdString(study.name));
    m_parts->words->setText(designWords(study));
    m_parts->run->setVisible(study::countRuns(study, study::RunStatus::Pending) > 0 &&
                             study.benchmark.workload != "none");
    m_parts->augment->setEnabled(!m_parts->context->isRunning);
    m_parts->matrix->setStudy(study, m_parts->edits());
    m_parts->cube->setStudy(study);
    m_parts->cube->cube().setSimulated(study::hasSimulatedResults(study));
    if (!before || before->study.factors != study.factors || before->study.responses != study.responses)
        m_parts->summary->setStudy(study);
    if (!before || !isSameDesign(before->study, study))
        m_parts->quality->setStudy(study);
}

void DesignPage::pickRun(int run)
{
    m_parts->matrix->view().pickRun(run);
    m_parts->cube->cube().setPickedRun(run);
}

/// Asks for the change; says `notice` with a way back if it was made.
void DesignPage::change(const study::Study& after, const QString& label, const QString& notice)
{
    if (after == m_parts->context->study)
        return;
    emit changeRequested(after, label, {});
    if (!notice.isEmpty() && m_parts->context->study == after)
        m_parts->notice->say(notice, NoticeBar::Tone::Plain, true);
}

void DesignPage::requestTypedResult(int runId, const QString& response, double value, bool known)
{
    change(withTypedResult(m_parts->context->study, runId, response.toStdString(),
                           known ? std::optional(value) : std::nullopt),
           tr("Type %1 of run %2").arg(response).arg(runId), {});
}

void DesignPage::previewSetting(int runId, const QString& factor, const QString& typed)
{
    const Edit edit = withSetting(m_parts->context->study, runId, factor.toStdString(), typed);
    m_parts->isTyping = true;
    m_parts->preview.cancel();
    if (!edit.isPossible())
        return m_parts->notice->say(edit.problem, NoticeBar::Tone::Warning);
    m_parts->preview.start(
        [study = edit.study, options = m_parts->quality->options()](const std::stop_token&) {
            return judge(study, options);
        },
        [this, place = tr("%1 of run %2 at %3 would mean: ").arg(factor).arg(runId).arg(typed)](
            const Judgment& judgment) {
            const auto& present = m_parts->quality->judgment().evaluation;
            if (judgment.evaluation && present)
                m_parts->notice->say(place + changeText(*present, *judgment.evaluation),
                                     NoticeBar::Tone::Plain);
            else if (!judgment.evaluation)
                m_parts->notice->say(place + judgment.reason, NoticeBar::Tone::Warning);
        });
}

void DesignPage::requestSetting(int runId, const QString& factor, const QString& typed)
{
    m_parts->preview.cancel();
    m_parts->isTyping = false;
    Edit edit = withSetting(m_parts->context->study, runId, factor.toStdString(), typed);
    if (!edit.isPossible())
        return m_parts->notice->say(edit.problem, NoticeBar::Tone::Warning);
    m_parts->unedited = m_parts->quality->judgment().evaluation;
    m_parts->changed = tr("%1 of run %2 is now %3: ").arg(factor).arg(runId).arg(typed);
    change(edit.study, tr("Set %1 of run %2").arg(factor).arg(runId), {});
}

/// What a dialog has made of the study as it was when the dialog opened; it may have changed since.
void DesignPage::changeFrom(const StudyContext& start, const study::Study& after, const QString& label,
                            const QString& notice)
{
    const StudyContext& now = *m_parts->context;
    if (now.path == start.path)
        change(study::merge(start.study, after, now.study).study, label, notice);
}

void DesignPage::takePaste(const QString& text)
{
    const RunMatrixView& view = m_parts->matrix->view();
    const ContextPointer start = m_parts->context;
    const Paste paste = pasteInto(start->study, m_parts->matrix->model().matrix(), view.pasteTarget(),
                                  m_parts->edits(), text);
    if (!paste.problems.isEmpty()) {
        QMessageBox box(QMessageBox::Warning, tr("Paste"),
                        tr("%1 cannot be taken").arg(formatCount(qint64(paste.problems.size()), "cell")),
                        QMessageBox::Cancel, this);
        box.setObjectName(QStringLiteral("pasteProblems"));
        box.setInformativeText(paste.problems.mid(0, 8).join(QLatin1Char('\n')));
        box.setDetailedText(paste.problems.size() > 8 ? paste.problems.join(QLatin1Char('\n')) : QString());
        if (paste.taken > 0)
            box.addButton(tr("Paste the other %1").arg(paste.taken), QMessageBox::AcceptRole)
                ->setObjectName(QStringLiteral("takeOthers"));
        if (box.exec() == QMessageBox::Cancel)
            return;
    } else if (paste.taken == 0) {
        return m_parts->notice->say(tr("The clipboard has nothing that would change the matrix. Go to the "
                                       "first cell of a result column and paste there."),
                                    NoticeBar::Tone::Warning);
    }
    const QString cells = formatCount(paste.taken, "cell");
    changeFrom(*start, paste.study, tr("Paste %1").arg(cells), tr("%1 pasted.").arg(cells));
}

void DesignPage::openComparison()
{
    m_parts->comparison = new CompareDialog(m_parts->context->study, m_parts->quality->options(), this);
    m_parts->comparison->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_parts->comparison, &CompareDialog::fileRequested, this, &DesignPage::comparisonFileRequested);
    m_parts->comparison->open();
}

void DesignPage::openAugmentation()
{
    const ContextPointer start = m_parts->context;
    auto* dialog = new AugmentDialog(start->study, m_parts->quality->options(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, start] {
        const auto added = qint64(dialog->augmentedStudy().runs.size() - start->study.runs.size());
        changeFrom(*start, dialog->augmentedStudy(), tr("Add runs: %1").arg(dialog->title()),
                   tr("%1: %2 added.").arg(dialog->title(), formatCount(added, "run")));
    });
    dialog->open();
}

void DesignPage::compareWith(const QString& name, const study::Study& other)
{
    if (m_parts->comparison)
        m_parts->comparison->compareWith(name, other);
}

void DesignPage::showRunMenu(const QPoint& position)
{
    RunMatrixView& view = m_parts->matrix->view();
    const study::Run* run =
        study::findRun(m_parts->context->study, view.runIdAt(view.indexAt(position).row()));
    QMenu menu(this);
    menu.addAction(tr("&Copy"), QKeySequence::Copy, &view, &RunMatrixView::copy);
    if (const int column = view.currentIndex().column(); column >= 0)
        menu.addAction(tr("&Sort by this column"), &view, [&view, column] { view.sortBy(column); });
    if (m_parts->edits() != MatrixEdits{})
        menu.addAction(tr("&Paste"), QKeySequence::Paste, &view, &RunMatrixView::paste);
    if (run && !m_parts->context->isRunning) {
        menu.addSeparator();
        addRunActions(menu, *run);
    }
    menu.exec(view.viewport()->mapToGlobal(position));
}

void DesignPage::addRunActions(QMenu& menu, const study::Run& run)
{
    const int id = run.id;
    if (run.status == study::RunStatus::Excluded) {
        menu.addAction(tr("&Include run %1").arg(id), this, [this, id] {
            change(withRunTakenBack(m_parts->context->study, id), tr("Include run %1").arg(id), {});
        });
        return;
    }
    menu.addAction(tr("&Exclude run %1…").arg(id), this, [this, id] {
        bool isSure = false;
        const QString reason = QInputDialog::getText(this, tr("Exclude run %1").arg(id),
                                                     tr("Reason for excluding it (kept with the data):"),
                                                     QLineEdit::Normal, {}, &isSure);
        if (isSure)
            change(withRunLeftOut(m_parts->context->study, id, reason.toStdString()),
                   tr("Exclude run %1").arg(id), {});
    });
}

} // namespace quadric::widgets
