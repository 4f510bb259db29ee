// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/layout_page.h"

#include "core/design/base/design.h"
#include "core/design/base/design_type.h"
#include "core/report/findings/data_findings.h"
#include "core/run/proposal/renames.h"
#include "widgets/base/style.h"
#include "widgets/design/matrix/run_matrix_view.h"
#include "widgets/design/quality/cube_panel.h"
#include "widgets/design/quality/quality_panel.h"
#include "widgets/design/quality/quality_tables.h"
#include "widgets/plots/scene/design_cube.h"
#include "widgets/wizard/forms/choice_cards.h"
#include "widgets/wizard/forms/design_options.h"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr std::chrono::milliseconds kNewsEvery(100);

LaidOutRuns layOut(const study::Study& study, const std::stop_token& stop, design::Progress progress)
{
    for (const auto& problem : study::validate(study))
        if (problem.isError)
            return {.problem = problemWords(study, problem)};
    LaidOutRuns laidOut;
    progress.found = [&](const design::SearchReport& search) {
        laidOut.note = QString::fromStdString(report::describeSearch(search));
        laidOut.isStopped = search.isStopped;
    };
    try {
        laidOut.runs = design::layOut(study, true, stop, progress).runs;
    } catch (const design::Stopped&) {
        laidOut.isStopped = true;
        laidOut.problem =
            RunSearch::tr("The search was stopped before it had a design. Search again, or choose "
                          "another design.");
    } catch (const std::exception& error) {
        laidOut.problem = QString::fromStdString(error.what());
    }
    return laidOut;
}

/// The study with the names that its factors have got: another name asks for no other runs.
study::Study withNamesOf(study::Study study, const study::Study& after)
{
    if (study.factors.size() != after.factors.size())
        return study;
    run::Names names;
    for (std::size_t i = 0; i < after.factors.size(); ++i) {
        names[study.factors[i].name] = after.factors[i].name;
        study.factors[i].name = after.factors[i].name;
    }
    return run::withFactorsRenamed(std::move(study), names);
}

constexpr int kChoicesWidth = 320;

/// In lower windows picture and judgment share one place, so that the runs have theirs.
constexpr int kHighWindow = 900;
constexpr int kLeastPicture = 210; ///< height of that place
constexpr int kLeastRuns = 170;    ///< of the runs below: five of them

/// Whether both give the same picture of the design.
bool isSameLayout(const study::Study& a, const study::Study& b)
{
    return a.factors == b.factors && a.runs == b.runs && a.constraints == b.constraints;
}

/// Whether both are the same design but for how often, in which order and from which seed it is run.
bool isSameKind(const study::DesignSpec& a, const study::DesignSpec& b)
{
    return a.type == b.type && a.alpha == b.alpha && a.runs == b.runs && a.model == b.model;
}

/// Whether it is one of the types that are laid out here, unlike runs from elsewhere.
bool isOffered(const study::DesignSpec& spec)
{
    return design::findDesignType(spec.type) != nullptr;
}

bool isPossible(const std::vector<design::DesignOffer>& offers, const study::DesignSpec& spec)
{
    return std::ranges::any_of(offers, [&](const design::DesignOffer& offer) {
        return offer.isPossible && offer.spec.type == spec.type;
    });
}

} // namespace

bool needsNewRuns(const study::Study& former, const study::Study& after)
{
    const study::Study before = withNamesOf(former, after);
    return before.factors != after.factors || before.design != after.design ||
           before.constraints != after.constraints ||
           (before.fixed != after.fixed && !after.constraints.empty());
}

RunSearch::RunSearch(QObject* parent)
    : QObject(parent)
{
    connect(&m_news, &QTimer::timeout, this, [this] { emit progressed(m_searched->load()); });
}

std::optional<LaidOutRuns> RunSearch::start(const study::Study& study)
{
    cancel();
    const design::DesignType* type = design::findDesignType(study.design.type);
    if (!type || !type->isSlow())
        return layOut(study, {}, {});
    m_searched = std::make_shared<std::atomic<double>>(0.0);
    m_search.start(
        [study, searched = m_searched](const std::stop_token& stop) {
            return layOut(study, stop, {.done = [&](double done) { *searched = done; }});
        },
        [this](const LaidOutRuns& laidOut) {
            m_news.stop();
            emit found(laidOut);
        });
    m_news.start(kNewsEvery);
    return std::nullopt;
}

void RunSearch::cancel()
{
    m_search.cancel();
    m_news.stop();
}

LayoutPage::LayoutPage(QWidget* parent)
    : WizardPage(parent)
    , m_cards(new OfferCards)
    , m_options(new DesignOptions)
    , m_note(mutedLabel({}))
    , m_runs(new RunMatrixModel(this))
    , m_cube(new CubePanel)
    , m_quality(new QualityPanel)
{
    auto* layout = marginless<QHBoxLayout>(this, kGroupGap);
    layout->addWidget(buildChoices());
    layout->addWidget(buildPreview(), 1);
    connect(m_cards, &OfferCards::chosen, this, &LayoutPage::applyDesignSpec);
    connect(m_cards, &OfferCards::offersShown, this, &LayoutPage::followRecommendation);
    connect(m_options, &DesignOptions::specEdited, this, &LayoutPage::applyDesignSpec);
}

QWidget* LayoutPage::buildChoices()
{
    auto* scroll = scrollAreaFor(m_cards);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* box = new QWidget;
    box->setMinimumWidth(kChoicesWidth - 64);
    box->setMaximumWidth(kChoicesWidth);
    auto* column = marginless<QVBoxLayout>(box, kGap);
    m_note->hide();
    nameWidget(m_note, "designNote", tr("Why this design is selected"));
    column->addWidget(m_note);
    column->addWidget(scroll, 1);
    return box;
}

QWidget* LayoutPage::buildPreview()
{
    auto* view = new RunMatrixView(*m_runs);
    nameWidget(view, "matrixPreview", tr("Preview of the runs"));
    view->setMinimumHeight(kLeastRuns);
    m_upper = new QSplitter(Qt::Horizontal);
    m_upper->setHandleWidth(kGroupGap);
    m_upper->setChildrenCollapsible(false);
    m_upper->addWidget(m_cube);
    m_upper->addWidget(m_quality);
    m_upper->setStretchFactor(0, 1);
    m_upper->setStretchFactor(1, 1);
    auto* rows = new QSplitter(Qt::Vertical);
    rows->setHandleWidth(kGap);
    rows->setChildrenCollapsible(false);
    rows->addWidget(m_upper);
    rows->addWidget(view);
    rows->setStretchFactor(0, 3);
    rows->setStretchFactor(1, 2);
    auto* box = new QWidget;
    auto* column = marginless<QVBoxLayout>(box, kGroupGap);
    column->addWidget(m_options);
    column->addWidget(buildSearch());
    column->addWidget(buildResult());
    column->addWidget(rows, 1);
    connect(view, &RunMatrixView::runsPicked, &m_cube->cube(), &DesignCube::setPickedRuns);
    connect(m_cube, &CubePanel::runsPicked, view, [this, view](const PickedRuns& runs) {
        view->pickRuns(runs);
        m_cube->cube().setPickedRuns(runs);
    });
    return box;
}

QWidget* LayoutPage::buildSearch()
{
    m_search = new QWidget;
    m_progress = new QProgressBar;
    m_progress->setRange(0, 100);
    nameWidget(m_progress, "searchProgress", tr("Progress of the search"));
    auto* stop = quietButton(tr("S&top"));
    nameWidget(stop, "stopSearch", tr("Stop the search"));
    stop->setToolTip(tr("Takes the best design that the search has found so far."));
    auto* row = marginless<QHBoxLayout>(m_search, kGap);
    row->addWidget(new QLabel(tr("Searching for the design")));
    row->addWidget(m_progress, 1);
    row->addWidget(stop);
    m_search->hide();
    connect(stop, &QPushButton::clicked, this, &LayoutPage::stopRequested);
    return m_search;
}

QWidget* LayoutPage::buildResult()
{
    m_result = new QWidget;
    m_found = mutedLabel({});
    nameWidget(m_found, "searchFound", tr("How the search ended"));
    auto* again = quietButton(tr("Search a&gain"));
    nameWidget(again, "searchAgain", tr("Search again"));
    again->setToolTip(tr("Goes on with a stopped search; otherwise searches with the next random seed."));
    connect(again, &QPushButton::clicked, this, &LayoutPage::searchRequested);
    auto* row = marginless<QHBoxLayout>(m_result, kGap);
    row->addWidget(m_found, 1);
    row->addWidget(again, 0, Qt::AlignTop);
    m_result->hide();
    return m_result;
}

void LayoutPage::showFound(const QString& words)
{
    m_found->setText(words);
    m_result->setVisible(!words.isEmpty());
}

void LayoutPage::lock(const QString& reason)
{
    m_isLocked = true;
    m_note->setText(reason);
    m_note->show();
    m_cards->setEnabled(false);
    m_options->setEnabled(false);
}

void LayoutPage::showSearch(std::optional<double> done)
{
    m_search->setVisible(done.has_value());
    m_progress->setValue(int(std::lround(100.0 * done.value_or(0.0))));
}

void LayoutPage::setStudy(const study::Study& study)
{
    m_study = study;
    m_options->setStudy(study);
    m_cards->setStudy(study);
    if (isVisible())
        showPreview();
}

void LayoutPage::arrange()
{
    const bool isLow = window()->height() < kHighWindow;
    const bool isShared = m_upper->count() == 1;
    if (isLow == isShared)
        return;
    if (isLow)
        m_quality->showFirst(m_cube, tr("Picture"));
    else
        m_upper->insertWidget(0, m_cube);
    m_cube->show();
    m_upper->setMinimumHeight(isLow ? kLeastPicture : 0); // 0: as the views themselves need
}

void LayoutPage::resizeEvent(QResizeEvent* event)
{
    WizardPage::resizeEvent(event);
    arrange();
}

void LayoutPage::showEvent(QShowEvent* event)
{
    WizardPage::showEvent(event);
    arrange();
    showPreview();
}

void LayoutPage::showPreview()
{
    if (m_shown && isSameLayout(*m_shown, m_study))
        return;
    m_shown = m_study;
    study::Study onlySettings = m_study;
    onlySettings.responses.clear();
    m_runs->setStudy(onlySettings);
    m_cube->setStudy(m_study);
    m_quality->setStudy(m_study);
}

void LayoutPage::applyDesignSpec(const study::DesignSpec& spec)
{
    m_isChosen = true;
    m_chosen = spec;
    showFollowing({});
    study::Study study = m_study;
    study.design = spec;
    emit edited(study);
}

void LayoutPage::showFollowing(const QString& words)
{
    m_note->setText(words);
    m_note->setVisible(!words.isEmpty());
}

/// As long as nobody chose, the recommended design is taken; and in place of a chosen one that the factors do
/// not allow, until they do.
void LayoutPage::followRecommendation()
{
    const std::vector<design::DesignOffer>& offers = m_cards->offers();
    const design::DesignOffer* recommended = design::findRecommended(offers);
    if (m_isLocked || !recommended)
        return;
    study::DesignSpec wanted = m_study.design;
    if (m_chosen && (!isOffered(*m_chosen) || isPossible(offers, *m_chosen))) {
        if (!isSameKind(wanted, *m_chosen))
            wanted = *m_chosen;
        showFollowing({});
    } else {
        if (!isSameKind(wanted, recommended->spec))
            wanted = recommended->spec;
        showFollowing(m_chosen
                          ? tr("%1 is not possible for these factors. The recommended design is selected "
                               "until it is.")
                                .arg(designName(m_chosen->type))
                          : tr("The recommended design is selected until you choose one."));
    }
    if (wanted == m_study.design)
        return;
    study::Study study = m_study;
    study.design = wanted;
    emit edited(study);
}

} // namespace quadric::widgets
