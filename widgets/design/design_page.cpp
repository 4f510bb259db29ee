// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/design_page.h"

#include "core/report/findings/data_findings.h"
#include "widgets/base/page.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/design/augment_dialog.h"
#include "widgets/design/compare_dialog.h"
#include "widgets/design/quality/cube_panel.h"
#include "widgets/design/quality/quality_panel.h"
#include "widgets/design/quality/quality_tables.h"
#include "widgets/design/run_sheet.h"
#include "widgets/plots/scene/design_cube.h"
#include "widgets/text/wording.h"

#include <QDir>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPointer>
#include <QSplitter>
#include <QStackedLayout>

#include <algorithm>
#include <utility>

namespace quadric::widgets {

namespace {

constexpr size_t kMostLines = 5;

using Line = std::pair<QString, QString>;

/// Shows the first lines in two columns: name, what is said of it.
void fill(QWidget* box, const std::vector<Line>& lines)
{
    delete box->layout();
    qDeleteAll(box->findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
    auto* grid = marginlessGrid(box, kGroupGap, kGap / 2);
    grid->setColumnStretch(1, 1);
    for (size_t i = 0; i < std::min(lines.size(), kMostLines); ++i) {
        auto* name = new QLabel(lines[i].first);
        auto* words = mutedLabel(lines[i].second);
        name->setTextFormat(Qt::PlainText);
        words->setWordWrap(false);
        grid->addWidget(name, int(i), 0);
        grid->addWidget(words, int(i), 1);
    }
    if (lines.size() > kMostLines)
        grid->addWidget(mutedLabel(QObject::tr("and %1 more").arg(lines.size() - kMostLines)),
                        int(kMostLines), 0, 1, 2);
}

QWidget* heading(const QString& text, QPushButton* edit)
{
    auto* row = new QWidget;
    auto* layout = marginless<QHBoxLayout>(row);
    auto* label = boldLabel(text);
    layout->addWidget(label);
    layout->addWidget(edit);
    layout->addStretch();
    return row;
}

std::vector<Line> factorLines(const study::Study& study)
{
    std::vector<Line> lines;
    for (const auto& factor : study.factors)
        lines.emplace_back(QString::fromStdString(factor.name), rangeWords(factor));
    return lines;
}

std::vector<Line> responseLines(const study::Study& study)
{
    std::vector<Line> lines;
    for (const auto& response : study.responses)
        lines.emplace_back(QString::fromStdString(response.name), goalText(response));
    return lines;
}

} // namespace

StudySummary::StudySummary(QWidget* parent)
    : QWidget(parent)
    , m_factors(new QWidget)
    , m_responses(new QWidget)
{
    auto* editFactors = linkButton(tr("Edit…"));
    auto* editResponses = linkButton(tr("Edit…"));
    nameWidget(editFactors, "editFactors", tr("Edit factors"));
    nameWidget(editResponses, "editResponses", tr("Edit responses"));
    connect(editFactors, &QPushButton::clicked, this, &StudySummary::editFactorsRequested);
    connect(editResponses, &QPushButton::clicked, this, &StudySummary::editResponsesRequested);

    auto* grid = marginlessGrid(this, kPageMargin, kGap);
    grid->addWidget(heading(tr("Factors"), editFactors), 0, 0);
    grid->addWidget(heading(tr("Responses"), editResponses), 0, 1);
    grid->addWidget(m_factors, 1, 0, Qt::AlignTop);
    grid->addWidget(m_responses, 1, 1, Qt::AlignTop);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
}

void StudySummary::setStudy(const study::Study& study)
{
    fill(m_factors, factorLines(study));
    fill(m_responses, responseLines(study));
}

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
    RunSheet* sheet = nullptr;
    CubePanel* cube = nullptr;
    QualityPanel* quality = nullptr;
    QPointer<CompareDialog> comparison;
    JobRunner<Judgment> preview;
    bool isTyping = false;                      ///< the notice speaks of what is not taken yet
    QString changed;                            ///< the setting whose consequences are being judged
    std::optional<design::Evaluation> unedited; ///< the design before that
    bool isWidthChosen = false;                 ///< the user has moved the handle between table and picture
};

namespace {

constexpr int kSideWidth = 336;
constexpr int kSideVisibleWidth = 720;
constexpr int kMostSideShare = 2; ///< the picture has at most the half of a wide window

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
    connect(m_parts->columns, &QSplitter::splitterMoved, this, [this] { m_parts->isWidthChosen = true; });
    rows->addWidget(m_parts->columns, 1);

    m_parts->stack = new QStackedLayout(this);
    m_parts->stack->addWidget(content);
    buildEmptyState();
    connectSheet();
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
    m_parts->sheet = new RunSheet;
    auto* left = new QWidget;
    auto* column = marginless<QVBoxLayout>(left, kGroupGap);
    column->addWidget(m_parts->summary);
    column->addWidget(m_parts->sheet, 1);
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
    connect(m_parts->cube, &CubePanel::runsPicked, this, [this](const PickedRuns& runs) {
        m_parts->sheet->view().pickRuns(runs);
        m_parts->cube->cube().setPickedRuns(runs);
        emit runsPicked(runs);
    });
    connect(m_parts->quality, &QualityPanel::judged, this, [this] {
        const auto& evaluation = m_parts->quality->judgment().evaluation;
        if (!m_parts->changed.isEmpty() && m_parts->unedited && evaluation)
            m_parts->sheet->notice().say(m_parts->changed + changeText(*m_parts->unedited, *evaluation),
                                         NoticeBar::Tone::Plain, true);
        m_parts->changed.clear();
    });
    return side;
}

void DesignPage::connectSheet()
{
    RunSheet* sheet = m_parts->sheet;
    connect(sheet, &RunSheet::runsPicked, this, [this](const PickedRuns& runs) {
        m_parts->cube->cube().setPickedRuns(runs);
        emit runsPicked(runs);
    });
    connect(sheet, &RunSheet::changeRequested, this, &DesignPage::changeRequested);
    connect(sheet, &RunSheet::undoRequested, this, &DesignPage::undoRequested);
    connect(sheet, &RunSheet::settingChanging, this, &DesignPage::announceSetting);
    connect(&sheet->view(), &RunMatrixView::settingTyping, this, &DesignPage::previewSetting);
    connect(&sheet->view(), &RunMatrixView::typingEnded, this, [this] {
        m_parts->preview.cancel();
        if (std::exchange(m_parts->isTyping, false))
            m_parts->sheet->clearNotice();
    });
}

/// In a small window the matrix needs the space of the cube.
void DesignPage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    m_parts->side->setVisible(width() >= kSideVisibleWidth);
    shareWidth();
}

/// The table gets the width that its columns need and the picture what is left, but no more than half.
void DesignPage::shareWidth()
{
    if (m_parts->isWidthChosen || !m_parts->side->isVisibleTo(this))
        return;
    const int whole = m_parts->columns->width();
    const int table = m_parts->sheet->view().horizontalHeader()->length() + 2 * kPageMargin;
    const int side = std::clamp(whole - table, kSideWidth, std::max(kSideWidth, whole / kMostSideShare));
    m_parts->columns->setSizes({whole - side, side});
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
    const QString place =
        QDir::toNativeSeparators(QString::fromStdU16String(m_parts->context->path.u16string()));
    m_parts->title->setToolTip(place.isEmpty() ? QString() : tr("Saved in %1").arg(place));
    m_parts->run->setVisible(study::countRuns(study, study::RunStatus::Pending) > 0);
    m_parts->sheet->setContext(m_parts->context);
    m_parts->cube->setStudy(study);
    m_parts->cube->cube().setSimulated(study::hasSimulatedResults(study));
    m_parts->cube->cube().setSource({QString::fromStdString(study.name), {}});
    if (!before || before->study.factors != study.factors || before->study.responses != study.responses)
        m_parts->summary->setStudy(study);
    if (!before || !isSameDesign(before->study, study))
        m_parts->quality->setStudy(study);
    shareWidth();
}

void DesignPage::excludeRuns(const std::vector<int>& runs)
{
    askForExclusion(*m_parts->sheet, runs);
}

void DesignPage::pickRuns(const PickedRuns& runs)
{
    m_parts->sheet->view().pickRuns(runs);
    m_parts->cube->cube().setPickedRuns(runs);
}

void DesignPage::showVariable(const std::string& name)
{
    m_parts->sheet->view().goToVariable(name);
}

void DesignPage::previewSetting(int runId, const QString& factor, const QString& typed)
{
    const Edit edit = withSetting(m_parts->context->study, runId, factor.toStdString(), typed);
    m_parts->isTyping = true;
    m_parts->preview.cancel();
    if (!edit.isPossible())
        return m_parts->sheet->notice().say(edit.problem, NoticeBar::Tone::Warning);
    m_parts->preview.start(
        [study = edit.study, options = m_parts->quality->options()](const std::stop_token&) {
            return judge(study, options);
        },
        [this, place = tr("%1 of run %2 at %3 would mean: ").arg(factor).arg(runId).arg(typed)](
            const Judgment& judgment) {
            const auto& present = m_parts->quality->judgment().evaluation;
            if (judgment.evaluation && present)
                m_parts->sheet->notice().say(place + changeText(*present, *judgment.evaluation),
                                             NoticeBar::Tone::Plain);
            else if (!judgment.evaluation)
                m_parts->sheet->notice().say(place + judgment.reason, NoticeBar::Tone::Warning);
        });
}

/// What the change means for the design is said when it has been judged.
void DesignPage::announceSetting(int runId, const QString& factor, const QString& typed)
{
    m_parts->preview.cancel();
    m_parts->isTyping = false;
    m_parts->unedited = m_parts->quality->judgment().evaluation;
    m_parts->changed = tr("%1 of run %2 is now %3: ").arg(factor).arg(runId).arg(typed);
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
        m_parts->sheet->changeFrom(*start, dialog->augmentedStudy(), tr("Add runs: %1").arg(dialog->title()),
                                   tr("%1: %2 added.").arg(dialog->title(), formatCount(added, "run")));
    });
    dialog->open();
}

void DesignPage::compareWith(const QString& name, const study::Study& other)
{
    if (m_parts->comparison)
        m_parts->comparison->compareWith(name, other);
}

} // namespace quadric::widgets
