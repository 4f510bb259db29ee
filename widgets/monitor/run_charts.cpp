// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/run_charts.h"

#include "core/run/follow/live_series.h"
#include "widgets/base/style.h"
#include "widgets/monitor/live_chart.h"
#include "widgets/text/wording.h"

#include <QGridLayout>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace quadric::widgets {

ResponseCharts::ResponseCharts(QWidget& parent)
    : m_parent(parent)
{
}

bool ResponseCharts::setResponses(const std::vector<study::Response>& responses)
{
    if (std::ranges::equal(responses, m_responses,
                           [](const study::Response& one, const study::Response& other) {
                               return one.name == other.name && one.unit == other.unit;
                           }))
        return false;
    qDeleteAll(m_charts);
    m_charts.clear();
    m_responses = responses;
    for (const study::Response& response : responses) {
        auto* chart =
            new LiveChart(QString::fromStdString(response.name), QString::fromStdString(response.unit));
        chart->setObjectName(QStringLiteral("liveResponse-%1").arg(chart->accessibleName()));
        chart->setParent(&m_parent);
        chart->hide();
        m_charts.push_back(chart);
    }
    return true;
}

std::vector<LiveChart*> ResponseCharts::fill(const run::RunSamples& samples,
                                             const std::vector<run::ComparedRun>& others)
{
    std::vector<LiveChart*> shown;
    for (std::size_t i = 0; i < m_charts.size(); ++i) {
        const std::vector<run::TimePoint> points = run::makeResponseSeries(samples, m_responses[i].name);
        const bool hasLine = points.size() > 1;
        m_charts[i]->setVisible(hasLine);
        if (!hasLine)
            continue;
        m_charts[i]->setPoints(points);
        m_charts[i]->setOthers(collectOtherLines(others, [&](const run::RunSamples& each) {
            return run::makeResponseSeries(each, m_responses[i].name);
        }));
        shown.push_back(m_charts[i]);
    }
    return shown;
}

namespace {

using run::Quantity;

constexpr int kSpace = 16;
constexpr int kColumnWidth = 240;

struct ChartWords {
    Quantity quantity;
    const char *id, *title, *unit, *nobody; ///< why it can be missing
};

constexpr std::array kChartWords = {
    ChartWords{Quantity::Throughput, "run-throughput", "Throughput", "steps/s", ""},
    ChartWords{Quantity::StepTime, "run-step-time", "Step time", "ms",
               "throughput and step time (the program sends no samples)"},
    ChartWords{Quantity::Power, "run-power", "Power", "W", "power (no meter)"},
    ChartWords{Quantity::Clock, "run-clock", "Clock", "MHz", "clock"},
    ChartWords{Quantity::Temperature, "run-temperature", "Temperature", "°C", "temperature (no sensor)"},
    ChartWords{Quantity::ForeignLoad, "run-other-processes", "Other processes", "% of the cores",
               "other processes"}};

LiveChart* makeChart(const ChartWords& words)
{
    return new LiveChart(RunCharts::tr(words.title), RunCharts::tr(words.unit));
}

/// False where nobody tells the quantity.
bool fill(LiveChart& chart, Quantity quantity, const run::RunSamples& samples)
{
    const std::vector<run::TimePoint> points = run::makeTimeSeries(samples, quantity);
    const bool hasLine = points.size() > 1;
    if (quantity == Quantity::Throughput)
        chart.setUnit(QString::fromStdString(run::throughputUnit(samples)) + QStringLiteral("/s"));
    chart.setPoints(hasLine ? points : std::vector<run::TimePoint>());
    return hasLine;
}

} // namespace

const std::vector<RunView>& runViews()
{
    static const std::vector<RunView> views = [] {
        std::vector<RunView> all;
        all.reserve(kChartWords.size());
        for (const ChartWords& words : kChartWords)
            all.push_back({{words.id, RunCharts::tr(words.title), "run", ViewSubject::Run},
                           [&words] { return makeChart(words); },
                           [&words](const run::RunSamples& samples) {
                               std::shared_ptr<LiveChart> chart(makeChart(words));
                               fill(*chart, words.quantity, samples);
                               return chart;
                           }});
        return all;
    }();
    return views;
}

RunCharts::RunCharts(QWidget* parent)
    : QWidget(parent)
    , m_hint(new QLabel)
    , m_scroll(new QScrollArea)
    , m_grid(new QWidget)
    , m_cells(new QGridLayout(m_grid))
    , m_responses(*m_grid)
{
    m_hint->setWordWrap(true);
    m_hint->setForegroundRole(QPalette::PlaceholderText);
    m_cells->setContentsMargins(0, 0, 8, 0); // beside the scroll bar
    m_cells->setSpacing(kSpace);
    for (const ChartWords& words : kChartWords) {
        LiveChart* chart = makeChart(words);
        describePlot(*chart, *findView(runViews(), words.id));
        chart->setParent(m_grid);
        chart->hide();
        m_charts[words.quantity] = chart;
    }
    m_scroll->setWidget(m_grid);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* layout = marginless<QVBoxLayout>(this, 8);
    layout->addWidget(m_scroll, 1);
    layout->addWidget(m_hint);
    setMinimumSize(240, 140);
}

/// Those that this run tells and, so that places stay, those that others have told. Before the first has
/// ended, all that may come.
std::vector<LiveChart*> RunCharts::chartsToShow(const std::set<Quantity>& told, bool isLive) const
{
    std::vector<LiveChart*> shown;
    if (told.empty() && !isLive)
        return shown;
    const bool isAll = isLive && m_everTold.empty();
    for (const ChartWords& words : kChartWords) {
        if (isAll || told.contains(words.quantity) || m_everTold.contains(words.quantity))
            shown.push_back(m_charts.at(words.quantity));
    }
    return shown;
}

/// What a run in progress has not told yet may come, unless no other run has told it.
QString RunCharts::missingText(const std::set<Quantity>& told, bool isLive) const
{
    QStringList missing;
    for (const ChartWords& words : kChartWords) {
        const bool mayCome = isLive && (m_everTold.empty() || m_everTold.contains(words.quantity));
        const bool isExpected = m_tellsSteps || words.quantity != Quantity::StepTime;
        if (!told.contains(words.quantity) && !mayCome && isExpected && *words.nobody != '\0')
            missing << tr(words.nobody);
    }
    return missing.isEmpty() ? QString() : tr("Not available: %1.").arg(missing.join(QStringLiteral(", ")));
}

void RunCharts::setSamples(const run::RunSamples& samples, const QString& hint, bool isLive)
{
    std::set<Quantity> told;
    for (const ChartWords& words : kChartWords) {
        LiveChart& chart = *m_charts.at(words.quantity);
        if (fill(chart, words.quantity, samples))
            told.insert(words.quantity);
        chart.setOthers(collectOtherLines(m_compared, [&words](const run::RunSamples& each) {
            return run::makeTimeSeries(each, words.quantity);
        }));
    }
    if (!isLive)
        m_everTold.insert(told.begin(), told.end());
    std::vector<LiveChart*> shown = m_responses.fill(samples, m_compared);
    const bool mayTellSteps = isLive && m_tellsSteps && shown.empty(); // what prints values tells of no steps
    const std::vector<LiveChart*> measured = chartsToShow(told, mayTellSteps);
    shown.insert(shown.end(), measured.begin(), measured.end());
    m_hint->setText(shown.empty() ? hint : missingText(told, isLive));
    m_hint->setVisible(!m_hint->text().isEmpty());
    m_scroll->setVisible(!shown.empty());
    m_hint->setAlignment(shown.empty() ? Qt::AlignCenter : Qt::AlignLeft);
    if (shown != m_shown) {
        m_shown = shown;
        for (const auto& [quantity, chart] : m_charts)
            chart->setVisible(std::ranges::find(shown, chart) != shown.end());
        m_columns = 0;
    }
    arrange();
}

bool RunCharts::setResponses(const std::vector<study::Response>& responses)
{
    if (!m_responses.setResponses(responses))
        return false;
    m_shown.clear(); // its charts are gone
    m_columns = 0;
    return true;
}

void RunCharts::setStudyName(const QString& name)
{
    for (const auto& [quantity, chart] : m_charts)
        chart->setSource({name, {}});
    for (LiveChart* chart : m_responses.all())
        chart->setSource({name, {}});
}

void RunCharts::setSimulated(bool isSimulated)
{
    for (const auto& [quantity, chart] : m_charts)
        chart->setSimulated(isSimulated);
    for (LiveChart* chart : m_responses.all())
        chart->setSimulated(isSimulated);
}

/// As many columns as there is room for.
void RunCharts::arrange()
{
    const int columns = std::clamp(width() / kColumnWidth, 1, 3);
    if (columns == m_columns)
        return;
    m_columns = columns;
    while (m_cells->count() > 0)
        delete m_cells->takeAt(0);
    for (int i = 0; i < static_cast<int>(m_shown.size()); ++i)
        m_cells->addWidget(m_shown[static_cast<std::size_t>(i)], i / columns, i % columns);
}

void RunCharts::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

} // namespace quadric::widgets
