// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/compare_dialog.h"

#include "core/report/tables/study_tables.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/design/quality/cube_panel.h"
#include "widgets/design/quality/quality_plots.h"
#include "widgets/design/quality/quality_tables.h"
#include "widgets/text/wording.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QListWidget>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr int kHeadingLines = 3; ///< names of designs are long
constexpr int kMostTable = 500;  ///< pixels; what is wider is scrolled
constexpr int kLeastCurves = 240;

/// "Central composite,⏎face-centered⏎(20 runs)": a heading of a narrow column.
QString inLines(QString name)
{
    return name.replace(QLatin1String(", "), QLatin1String(",\n"))
        .replace(QLatin1String(" ("), QLatin1String("\n("));
}

constexpr QSize kCompareSize(1240, 760);
constexpr int kChoiceWidth = 232;
constexpr std::size_t kMostOthers = 3;
constexpr int kNumberRole = Qt::UserRole; ///< which of the others an item stands for

QString designOfferTitle(const design::DesignOffer& offer)
{
    return offer.title.empty() || offer.title == offer.spec.type ? designName(offer.spec.type)
                                                                 : fromUtf8(offer.title);
}

} // namespace

JudgedDesign judgedDesign(const QString& name, const study::Study& study, const JudgmentOptions& options)
{
    design::Evaluation evaluation = evaluated(study, options);
    const QString title = QStringLiteral("%1 (%2)").arg(name, formatCount(evaluation.runs, "run"));
    return {title, study, std::move(evaluation)};
}

TextTable comparisonTable(const std::vector<JudgedDesign>& designs)
{
    std::vector<std::string> names;
    std::vector<const design::Evaluation*> evaluations;
    for (const JudgedDesign& design : designs) {
        names.push_back(design.name.toStdString());
        evaluations.push_back(&design.evaluation);
    }
    return typeset(report::makeComparisonTable(names, design::compare(evaluations)));
}

ComparisonView::ComparisonView(QWidget* parent)
    : QWidget(parent)
    , m_cubes(new CubePanel)
    , m_fds(new FdsPlot)
    , m_note(mutedLabel({}))
    , m_numbers(new TextTableModel(this))
    , m_table(new QTableView)
{
    auto* lower = new QSplitter(Qt::Horizontal);
    lower->setChildrenCollapsible(false);
    lower->setHandleWidth(kGroupGap);
    m_fds->setMinimumWidth(kLeastCurves);
    lower->addWidget(m_fds);
    lower->addWidget(buildNumbers());
    lower->setStretchFactor(0, 2);
    lower->setStretchFactor(1, 3);
    auto* rows = new QSplitter(Qt::Vertical);
    rows->setChildrenCollapsible(false);
    rows->setHandleWidth(kGap);
    rows->addWidget(m_cubes);
    rows->addWidget(lower);
    rows->setStretchFactor(0, 1);
    rows->setStretchFactor(1, 1);
    auto* layout = marginless<QVBoxLayout>(this);
    layout->addWidget(rows);
}

QWidget* ComparisonView::buildNumbers()
{
    m_table->setModel(m_numbers);
    setUpTable(*m_table);
    nameWidget(m_table, "comparisonTable", tr("Numbers of the designs"));
    nameWidget(m_note, "comparisonNote", tr("What is marked in the table"));
    QHeaderView& header = *m_table->horizontalHeader();
    header.setFixedHeight(kHeadingLines * fontMetrics().height() + kGap);
    auto* box = new QWidget;
    auto* column = marginless<QVBoxLayout>(box);
    column->setSpacing(kGap / 2);
    column->addWidget(m_table, 1);
    column->addWidget(m_note);
    return box;
}

void ComparisonView::setDesigns(const std::vector<JudgedDesign>& designs)
{
    std::vector<FdsCurve> curves;
    std::vector<NamedDesign> pictures;
    for (const JudgedDesign& design : designs) {
        pictures.push_back({design.name, design.study});
        curves.push_back({design.name, design.evaluation.fds});
    }
    m_cubes->setDesigns(pictures);
    m_fds->setCurves(std::move(curves));
    TextTable table = comparisonTable(designs);
    for (TextColumn& column : table.columns)
        column.title = inLines(column.title);
    m_note->setText(table.note);
    m_numbers->setTable(table);
    QHeaderView& header = *m_table->horizontalHeader();
    header.setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->setMinimumWidth(std::min(header.length() + 2 * m_table->frameWidth(), kMostTable));
}

CompareDialog::CompareDialog(study::Study study, JudgmentOptions options, QWidget* parent)
    : QDialog(parent)
    , m_study(std::move(study))
    , m_options(std::move(options))
    , m_list(new QListWidget)
    , m_state(mutedLabel({}))
    , m_view(new ComparisonView)
{
    setObjectName(QStringLiteral("compareDialog"));
    setWindowTitle(tr("Compare designs"));
    resizeWithinScreen(*this, kCompareSize);
    auto* close = quietButton(tr("&Close"));
    nameWidget(close, "closeComparison", tr("Close"));
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    nameWidget(m_state, "comparisonState", tr("State of the comparison"));
    m_view->hide();
    auto* right = new QVBoxLayout;
    right->setSpacing(kGap);
    right->addWidget(m_state);
    right->addWidget(m_view, 1);
    right->addStretch();
    auto* columns = new QHBoxLayout;
    columns->setSpacing(kGroupGap);
    columns->addWidget(buildChoice());
    columns->addLayout(right, 1);
    auto* footer = new QHBoxLayout;
    footer->addStretch();
    footer->addWidget(close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPageMargin, kPageMargin, kPageMargin, kGroupGap);
    layout->setSpacing(kGroupGap);
    layout->addLayout(columns, 1);
    layout->addLayout(footer);
    m_offerJobs.start(
        [wanted = m_study](const std::stop_token& stop) {
            try {
                return design::offersFor(wanted, stop);
            } catch (const std::exception&) {
                return std::vector<design::DesignOffer>(); // the design of a file can still be chosen
            }
        },
        [this](const std::vector<design::DesignOffer>& offers) { showOffers(offers); });
}

QWidget* CompareDialog::buildChoice()
{
    nameWidget(m_list, "comparedDesigns", tr("Designs to compare with"));
    auto* caption = new QLabel(tr("Compare this design &with"));
    caption->setBuddy(m_list);
    auto* file = quietButton(tr("Open &study…"));
    nameWidget(file, "comparedFile", tr("Compare with the design of a study file"));
    connect(file, &QPushButton::clicked, this, &CompareDialog::fileRequested);
    connect(m_list, &QListWidget::itemChanged, this, &CompareDialog::updateComparedDesigns);
    auto* box = new QWidget;
    box->setFixedWidth(kChoiceWidth);
    auto* column = marginless<QVBoxLayout>(box, kGap);
    column->addWidget(caption);
    column->addWidget(m_list, 1);
    column->addWidget(mutedLabel(tr("Choose one to three.")));
    column->addWidget(file);
    m_list->setWordWrap(true);
    return box;
}

void CompareDialog::add(Other other, int row, bool isChosen)
{
    auto* item = new QListWidgetItem(other.name);
    item->setData(kNumberRole, int(m_others.size()));
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(Qt::Unchecked);
    m_others.push_back(std::move(other));
    m_list->insertItem(row, item);
    if (isChosen)
        item->setCheckState(Qt::Checked);
}

/// The recommended design is what most people want to see beside their own.
void CompareDialog::showOffers(const std::vector<design::DesignOffer>& offers)
{
    bool hasChosen = !m_order.empty();
    for (const design::DesignOffer& offer : offers) {
        if (!offer.isPossible)
            continue;
        study::Study wanted = m_study;
        wanted.design = offer.spec;
        const bool isChosen = !hasChosen && offer.spec.type != m_study.design.type;
        hasChosen = hasChosen || isChosen;
        add({designOfferTitle(offer),
             [wanted](const std::stop_token& stop) { return design::layOut(wanted, true, stop); }},
            m_list->count(), isChosen);
    }
}

void CompareDialog::compareWith(const QString& name, const study::Study& other)
{
    add({name, [other](const std::stop_token&) { return other; }}, 0, true);
}

/// The numbers of the chosen designs in the order of the list.
std::vector<int> CompareDialog::chosen() const
{
    std::vector<int> numbers;
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->checkState() == Qt::Checked)
            numbers.push_back(m_list->item(row)->data(kNumberRole).toInt());
    return numbers;
}

/// Of more than three the one that was chosen first is no longer.
void CompareDialog::updateComparedDesigns(QListWidgetItem* item)
{
    const int number = item->data(kNumberRole).toInt();
    std::erase(m_order, number);
    if (item->checkState() == Qt::Checked)
        m_order.push_back(number);
    if (m_order.size() > kMostOthers) {
        const QSignalBlocker blocker(m_list);
        for (int row = 0; row < m_list->count(); ++row)
            if (m_list->item(row)->data(kNumberRole).toInt() == m_order.front())
                m_list->item(row)->setCheckState(Qt::Unchecked);
        m_order.erase(m_order.begin());
    }
    judgeChosen();
}

/// What was judged before is not judged again.
void CompareDialog::judgeChosen()
{
    Judged wanted{m_own, {}, {}};
    for (const int number : chosen())
        wanted.others.emplace_back(number, m_others[size_t(number)]);
    m_state->setText(wanted.others.empty() ? tr("Choose a design to compare with.") : tr("Computing…"));
    m_state->show();
    m_view->setVisible(m_view->isVisible() && !wanted.others.empty());
    m_jobs.start(
        [study = m_study, options = m_options, wanted](const std::stop_token& stop) {
            Judged judged = wanted;
            try {
                if (!judged.own)
                    judged.own = judgedDesign(tr("This design"), study, options);
            } catch (const std::exception& error) {
                judged.problem = QString::fromStdString(error.what());
            }
            for (auto& each : judged.others) {
                Other& other = each.second;
                try {
                    if (!other.judged && !stop.stop_requested())
                        other.judged = judgedDesign(other.name, other.make(stop), options);
                } catch (const std::exception& error) {
                    other.problem = QString::fromStdString(error.what());
                }
            }
            return judged;
        },
        [this](const Judged& judged) { showJudged(judged); });
}

void CompareDialog::showJudged(const Judged& judged)
{
    m_own = judged.own;
    std::vector<JudgedDesign> designs;
    QStringList problems;
    if (m_own)
        designs.push_back(*m_own);
    else
        problems << judged.problem;
    for (const auto& [number, other] : judged.others) {
        m_others[size_t(number)] = other;
        if (other.judged)
            designs.push_back(*other.judged);
        else
            problems << QStringLiteral("%1: %2").arg(other.name, other.problem);
    }
    if (judged.others.empty())
        problems = {tr("Choose a design to compare with.")};
    m_state->setText(problems.join(QLatin1Char('\n')));
    m_state->setVisible(!problems.isEmpty());
    m_view->setVisible(designs.size() > 1);
    if (designs.size() > 1)
        m_view->setDesigns(designs);
}

} // namespace quadric::widgets
