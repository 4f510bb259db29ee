// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/explore_page.h"

#include "core/model/fit/diagnostics.h"
#include "core/model/select/model_choice.h"
#include "core/report/findings/fit_findings.h"
#include "core/study/shown_study.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/explore/model_bar.h"
#include "widgets/explore/views/explore_views.h"
#include "widgets/explore/views/fit_views.h"
#include "widgets/plots/view_kind.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QSplitter>
#include <QStackedLayout>
#include <QStandardItemModel>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace quadric::widgets {

namespace {

constexpr int kCardWidth = 560; ///< pixels of what the line about the model opens

bool differInSliceOnly(const StudyContext& a, const StudyContext& b)
{
    return a.isRunning == b.isRunning && a.path == b.path && study::differInViewOnly(a.study, b.study);
}

/// What the groups of the chooser are called, and the view that each begins with.
const std::array<std::pair<QString, std::string>, 5>& viewGroups()
{
    static const std::array<std::pair<QString, std::string>, 5> groups{{{tr("Effects"), "pareto"},
                                                                        {tr("Surface"), "surface"},
                                                                        {tr("Model"), "coefficients"},
                                                                        {tr("Residuals"), "predicted"},
                                                                        {tr("Other models"), "opinion"}}};
    return groups;
}

void addGroup(QComboBox& chooser, const std::string& firstView)
{
    const auto& groups = viewGroups();
    const auto group = std::ranges::find(groups, firstView, &std::pair<QString, std::string>::second);
    if (group == groups.end())
        return;
    chooser.addItem(group->first);
    auto* title = static_cast<QStandardItemModel*>(chooser.model())->item(chooser.count() - 1);
    title->setEnabled(false);
    QFont bold = chooser.font();
    bold.setBold(true);
    title->setFont(bold);
}

QComboBox* makeViewChooser()
{
    auto* chooser = new QComboBox;
    nameWidget(chooser, "view", tr("Large view"));
    chooser->setToolTip(tr("What the large place shows."));
    chooser->setMinimumContentsLength(14);
    for (const ExploreView& view : exploreViews()) {
        if (!view.make)
            continue;
        addGroup(*chooser, view.id);
        chooser->addItem(view.title, QString::fromStdString(view.id));
        chooser->setItemData(chooser->count() - 1, viewSummary(view), Qt::ToolTipRole);
    }
    return chooser;
}

/// "quadratic, logarithm · good fit · 2 to check", or "5 terms, …"; what is judged in the background follows.
QString describeModelBriefly(const study::Study& study, const model::Fit& fit)
{
    if (!fit.isOk())
        return tr("no model");
    static const std::array<QString, 3> orders{QStringLiteral("linear"), QStringLiteral("interactions"),
                                               QStringLiteral("quadratic")};
    QString text = fromUtf8(fit.model);
    if (std::ranges::find(orders, text) == orders.end())
        text = formatCount(std::ssize(fit.terms) - 1, "term");
    if (fit.transform.kind != study::TransformKind::None)
        text += QStringLiteral(", ") + transformText(fit.transform);
    if (!model::isSelectionTested(fit))
        return text;
    text += tr(" · %1 fit").arg(fromUtf8(report::nameOf(report::judgeFit(fit))));
    const auto causes = report::findWarnings(study, {fit}).size();
    return causes == 0 ? text : text + tr(" · %1 to check").arg(causes);
}

} // namespace

struct ExplorePage::Parts {
    QStackedLayout* stack = nullptr;
    EmptyState* empty = nullptr;
    Step missingStep = Step::Run; ///< where the empty state's button leads
    QTabBar* responses = nullptr;
    QComboBox* chooser = nullptr;
    QToolButton* pill = nullptr; ///< opens the card
    QFrame* card = nullptr;
    ModelBar* bar = nullptr;
    ReportCard* report = nullptr;
    QWidget* place = nullptr; ///< of the large view
    View* large = nullptr;
    View* pareto = nullptr;
    View* effects = nullptr;
    ContextPointer context;
    PickedRuns picked;

    QWidget* makeViews();
    QLayout* makeHead();
    void makeCard(QWidget* views);
    View* makeView(const std::string& id) const;
    bool showLarge(const std::string& id);
    void placeCard() const;
    void fillResponses();
    const model::Fit* fit() const;
    void showEmpty();
    void showFit();
    void showPill() const;
};

QWidget* ExplorePage::Parts::makeViews()
{
    auto* views = new QWidget;
    place = new QWidget;
    marginless<QVBoxLayout>(place);
    pareto = makeView("pareto");
    effects = makeView("main-effects");
    auto* right = new QSplitter(Qt::Vertical);
    auto* split = new QSplitter(Qt::Horizontal);
    for (QSplitter* each : {right, split}) {
        each->setChildrenCollapsible(false);
        each->setHandleWidth(kGap);
    }
    right->addWidget(pareto);
    right->addWidget(effects);
    split->addWidget(place);
    split->addWidget(right);
    split->setSizes({720, 480});
    auto* layout = new QVBoxLayout(views);
    layout->setContentsMargins(kGroupGap, kGap, kGroupGap, kGap);
    layout->setSpacing(kGap);
    layout->addLayout(makeHead());
    layout->addWidget(split, 1);
    makeCard(views);
    return views;
}

QLayout* ExplorePage::Parts::makeHead()
{
    responses = new QTabBar;
    nameWidget(responses, "responses", tr("Response"));
    responses->setExpanding(false);
    responses->setDrawBase(false);
    responses->setUsesScrollButtons(true);
    chooser = makeViewChooser();
    pill = new QToolButton;
    nameWidget(pill, "pill", tr("The model"));
    pill->setCheckable(true);
    pill->setFocusPolicy(Qt::StrongFocus);
    pill->setToolTip(tr("Which model it is, to be changed, and how far it may be relied upon."));
    auto* head = new QHBoxLayout;
    head->setSpacing(kGap);
    head->addWidget(responses, 1);
    head->addWidget(chooser);
    head->addWidget(pill);
    return head;
}

/// It lies over the views, which follow what is changed in it.
void ExplorePage::Parts::makeCard(QWidget* views)
{
    card = new QFrame(views);
    nameWidget(card, "modelCard", tr("The model"));
    card->setFrameShape(QFrame::StyledPanel);
    card->setAutoFillBackground(true);
    markView(*card, "report-card");
    bar = new ModelBar;
    report = new ReportCard;
    report->setAbout(aboutView(*findView(exploreViews(), "report-card")));
    auto* layout = new QVBoxLayout(card);
    layout->setSpacing(kGap);
    layout->addWidget(bar);
    layout->addWidget(report, 1);
    card->hide();
}

void ExplorePage::Parts::placeCard() const
{
    const QWidget* views = card->parentWidget();
    const QPoint below = pill->mapTo(views, QPoint(pill->width(), pill->height() + kGap / 2));
    const int width = std::min(kCardWidth, views->width() - 2 * kGap);
    card->setGeometry(std::max(kGap, below.x() - width), below.y(), width,
                      views->height() - below.y() - kGap);
}

View* ExplorePage::Parts::makeView(const std::string& id) const
{
    const ExploreView* row = findView(exploreViews(), id);
    View* view = row->make();
    view->setAbout(aboutView(*row));
    view->setObjectName(QString::fromStdString(id));
    view->setMinimumSize(180, 140);
    markView(*view, id);
    return view;
}

/// Whether it is another one than before.
bool ExplorePage::Parts::showLarge(const std::string& id)
{
    const ExploreView* row = findView(exploreViews(), id);
    const QString name = QString::fromStdString(id);
    if (row == nullptr || !row->make || (large != nullptr && large->objectName() == name))
        return false;
    delete large;
    large = makeView(id);
    place->layout()->addWidget(large);
    large->show(); // at once: a layout would do it later
    chooser->setCurrentIndex(chooser->findData(name));
    return true;
}

void ExplorePage::Parts::fillResponses()
{
    QStringList names;
    for (const study::Response& each : context->study.responses)
        names << nameText(each.name);
    for (int i = responses->count(); i > names.size(); --i)
        responses->removeTab(i - 1);
    for (int i = 0; i < names.size(); ++i)
        i < responses->count() ? responses->setTabText(i, names[i]) : void(responses->addTab(names[i]));
}

const model::Fit* ExplorePage::Parts::fit() const
{
    const int index = responses->currentIndex();
    if (!context || index < 0 || index >= static_cast<int>(context->fits.size()))
        return nullptr;
    return &context->fits[static_cast<std::size_t>(index)];
}

void ExplorePage::Parts::showEmpty()
{
    const bool hasRuns = context && !context->study.runs.empty();
    missingStep = hasRuns ? Step::Run : Step::Design;
    if (!hasRuns) {
        empty->setTexts(tr("Nothing to explore yet"),
                        tr("This study has no runs yet. Lay out a design first."), tr("Go to Design"));
        return;
    }
    const QString missing = context->fits.empty() ? tr("No run is finished yet.")
                                                  : QString::fromStdString(context->fits.front().message);
    empty->setTexts(tr("Nothing to explore yet"), missing, tr("Go to Run"));
}

void ExplorePage::Parts::showFit()
{
    const model::Fit* shown = fit();
    if (shown == nullptr)
        return;
    bar->setResponse(responses->currentIndex());
    for (View* view : {large, pareto, effects}) {
        view->showFit(context->study, *shown);
        view->setPickedRuns(picked);
    }
    report->showFit(context->study, *shown);
    showPill();
}

void ExplorePage::Parts::showPill() const
{
    if (const model::Fit* shown = fit()) {
        const QString text = describeModelBriefly(context->study, *shown);
        pill->setText(text + QStringLiteral(" ▾"));
        pill->setAccessibleName(tr("The model: %1").arg(text));
    }
}

ExplorePage::ExplorePage(QWidget* parent)
    : Page(parent)
    , m_parts(std::make_unique<Parts>())
{
    m_parts->empty = new EmptyState;
    m_parts->stack = new QStackedLayout(this);
    m_parts->stack->addWidget(m_parts->empty);
    m_parts->stack->addWidget(m_parts->makeViews());
    m_parts->showEmpty();
    wire();
    showView("surface");
}

ExplorePage::~ExplorePage() = default;

void ExplorePage::wire()
{
    connect(m_parts->empty, &EmptyState::buttonClicked, this,
            [this] { emit stepRequested(m_parts->missingStep); });
    connect(m_parts->responses, &QTabBar::currentChanged, this, [this] { m_parts->showFit(); });
    connect(m_parts->chooser, &QComboBox::activated, this,
            [this] { showView(m_parts->chooser->currentData().toString().toStdString()); });
    connect(m_parts->pill, &QToolButton::toggled, this, [this](bool isOpen) {
        m_parts->placeCard();
        m_parts->card->setVisible(isOpen);
        m_parts->card->raise();
    });
    connect(m_parts->report, &ReportCard::judged, this, [this] { m_parts->showPill(); });
    connect(m_parts->report, &View::remedyRequested, this, &Page::remedyRequested);
    connect(m_parts->bar, &ModelBar::modelChosen, this, &ExplorePage::requestModel);
    connect(m_parts->bar, &ModelBar::transformChosen, this, &ExplorePage::requestTransform);
    connect(m_parts->bar, &ModelBar::factorsChosen, this, &ExplorePage::requestFactors);
    connect(m_parts->bar, &ModelBar::automaticChosen, this, &ExplorePage::requestAutomaticModels);
    for (View* view : {m_parts->pareto, m_parts->effects})
        follow(*view);
}

void ExplorePage::follow(const View& view)
{
    connect(&view, &View::valueHeld, this, &ExplorePage::requestSlice);
    connect(&view, &View::remedyRequested, this, &Page::remedyRequested);
    connect(&view, &View::modelRequested, this,
            [this](const QString& model) { requestModel(m_parts->responses->currentIndex(), model); });
    connect(&view, &View::runsPicked, this, [this](const PickedRuns& runs) {
        pickRuns(runs);
        emit runsPicked(runs);
    });
}

void ExplorePage::setContext(ContextPointer context)
{
    const ContextPointer before = std::exchange(m_parts->context, std::move(context));
    if (before && differInSliceOnly(*before, *m_parts->context)) {
        for (View* view : {m_parts->large, m_parts->pareto, m_parts->effects})
            view->moveSlice(m_parts->context->study);
        return;
    }
    const auto& fits = m_parts->context->fits;
    const bool hasModel = std::any_of(fits.begin(), fits.end(), [](const model::Fit& fit) {
        return fit.status != model::FitStatus::NoData; // what else is missing, other terms may mend
    });
    m_parts->stack->setCurrentIndex(hasModel ? 1 : 0);
    const QSignalBlocker quiet(m_parts->responses);
    m_parts->fillResponses();
    m_parts->bar->setStudy(m_parts->context->study, fits);
    if (hasModel)
        m_parts->showFit();
    else
        m_parts->showEmpty();
}

void ExplorePage::requestModel(int response, const QString& model)
{
    study::Study after = m_parts->context->study;
    const std::string name = after.responses.at(static_cast<std::size_t>(response)).name;
    after.model[name] = model.toStdString();
    emit changeRequested(after, tr("Model of %1").arg(nameText(name)), {});
}

void ExplorePage::requestTransform(int response, const study::Transform& transform)
{
    const study::Study& before = m_parts->context->study;
    const std::string name = before.responses.at(static_cast<std::size_t>(response)).name;
    emit changeRequested(model::withTransform(before, name, transform),
                         tr("Transform of %1").arg(nameText(name)), {});
}

void ExplorePage::requestFactors(const std::vector<study::Factor>& factors)
{
    study::Study after = m_parts->context->study;
    after.factors = factors;
    emit changeRequested(after, tr("Factor scales"), {});
}

void ExplorePage::requestAutomaticModels()
{
    emit changeRequested(model::withoutModels(m_parts->context->study), tr("Choose models automatically"),
                         {});
}

/// The views follow at once; the page hears of its own change and has nothing left to do.
void ExplorePage::requestSlice(const QString& factor, const study::Value& value)
{
    const study::Study after = study::withHeld(m_parts->context->study, factor.toStdString(), value);
    for (View* view : {m_parts->large, m_parts->pareto, m_parts->effects})
        view->moveSlice(after);
    emit changeRequested(after, tr("Hold %1").arg(factor), QStringLiteral("slice-") + factor);
}

void ExplorePage::showResponse(const QString& response)
{
    if (!m_parts->context)
        return;
    const auto& responses = m_parts->context->study.responses;
    for (std::size_t i = 0; i < responses.size(); ++i)
        if (responses[i].name == response.toStdString())
            m_parts->responses->setCurrentIndex(static_cast<int>(i));
}

void ExplorePage::showView(const std::string& view)
{
    if (view == "report-card")
        return m_parts->pill->setChecked(true);
    m_parts->pill->setChecked(false);
    const bool isChosen = m_parts->chooser->currentData().toString().toStdString() == view;
    const bool standsBeside = view == "pareto" || view == "main-effects";
    if ((standsBeside && !isChosen) || !m_parts->showLarge(view))
        return;
    follow(*m_parts->large);
    if (m_parts->context && m_parts->fit() != nullptr) {
        m_parts->large->showFit(m_parts->context->study, *m_parts->fit());
        m_parts->large->setPickedRuns(m_parts->picked);
    }
}

void ExplorePage::pickRuns(const PickedRuns& runs)
{
    m_parts->picked = runs;
    for (View* view : {m_parts->large, m_parts->pareto, m_parts->effects})
        view->setPickedRuns(runs);
}

void ExplorePage::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || !m_parts->pill->isChecked())
        return Page::keyPressEvent(event);
    m_parts->pill->setChecked(false);
    m_parts->pill->setFocus();
}

void ExplorePage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    m_parts->placeCard();
}

} // namespace quadric::widgets
