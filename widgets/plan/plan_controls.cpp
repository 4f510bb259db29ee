// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_controls.h"

#include "core/exchange/import/table_import.h"
#include "core/plan/scaling_forecast.h"
#include "core/plan/speed_up.h"
#include "core/study/files/file.h"
#include "core/text/numbers.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/base/typed_value.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QStringList>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr int kSliderSteps = 500;
constexpr int kSliderDigits = 3; ///< of a value that the slider gives
constexpr int kTypedDigits = 12;
constexpr double kHundred = 100.0;
constexpr double kHighestPrice = 1e12;

constexpr double kBytesOfMegabyte = 1e6;

SliderKind bytesKind()
{
    return {.name = LinkControls::tr("Exchanged in a step"),
            .tooltip =
                LinkControls::tr("Bytes of the gradients: four for each parameter in single precision."),
            .low = 1.0,
            .high = 1e4,
            .isLog = true,
            .show = showNumber(QStringLiteral("MB")),
            .read = readNumberFrom(1e-6, 1e9, QStringLiteral("MB")),
            .expected = LinkControls::tr("expected more than 0 MB")};
}

SliderKind batchKind()
{
    return {.name = LinkControls::tr("Batch of a GPU"),
            .tooltip = LinkControls::tr("Images, tokens, … that a GPU works on in a step."),
            .low = 1.0,
            .high = 4096.0,
            .isLog = true,
            .isWhole = true,
            .show = showNumber({}),
            .read = readNumberFrom(1.0, 1e9, {}),
            .expected = LinkControls::tr("expected 1 or more")};
}

} // namespace

ValueSlider::ValueSlider(SliderKind kind, QWidget* parent)
    : QWidget(parent)
    , m_kind(std::move(kind))
    , m_slider(new QSlider(Qt::Horizontal, this))
    , m_field(new ValueField(this))
{
    auto* name = new QLabel(m_kind.name, this);
    name->setBuddy(m_slider);
    name->setToolTip(m_kind.tooltip);
    m_slider->setAccessibleName(m_kind.name);
    m_slider->setToolTip(m_kind.tooltip);
    m_slider->setMinimumWidth(64);
    m_field->setAccessibleName(tr("Value of %1").arg(m_kind.name));
    m_field->setAlignment(Qt::AlignRight);
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kNameGap);
    layout->addWidget(name, 0, 0);
    layout->addWidget(m_field, 0, 1);
    layout->setColumnStretch(1, 1);
    layout->addWidget(m_slider, 1, 0, 1, 2);
    setRange(m_kind.low, m_kind.high);
    connect(m_slider, &QSlider::valueChanged, this, [this](int position) {
        const double value = valueAt(position);
        if (value == m_value)
            return;
        setValue(value);
        emit moved(m_value);
    });
    m_field->setTaker([this](const QString& typed) { return applyTypedValue(typed); });
}

void ValueSlider::setRange(double low, double high)
{
    m_kind.low = low;
    m_kind.high = std::max(high, low);
    const QSignalBlocker quiet(m_slider);
    const int last =
        m_kind.isWhole && !m_kind.isLog ? static_cast<int>(m_kind.high - m_kind.low) : kSliderSteps;
    m_slider->setRange(0, last);
    m_slider->setPageStep(std::max(1, last / 10));
    m_slider->setValue(positionOf(m_value));
}

void ValueSlider::setValue(double value)
{
    m_value = value;
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(positionOf(value));
    m_field->setValue(m_kind.show(value), m_kind.show(value));
}

int ValueSlider::positionOf(double value) const
{
    const double low = m_kind.isLog ? std::log(m_kind.low) : m_kind.low;
    const double high = m_kind.isLog ? std::log(m_kind.high) : m_kind.high;
    const double at = m_kind.isLog ? std::log(std::max(value, m_kind.low)) : value;
    const double share = high > low ? std::clamp((at - low) / (high - low), 0.0, 1.0) : 0.0;
    return static_cast<int>(std::lround(share * m_slider->maximum()));
}

double ValueSlider::valueAt(int position) const
{
    const double share = m_slider->maximum() > 0 ? double(position) / m_slider->maximum() : 0.0;
    const double exact = m_kind.isLog ? m_kind.low * std::pow(m_kind.high / m_kind.low, share)
                                      : m_kind.low + (m_kind.high - m_kind.low) * share;
    if (m_kind.isWhole)
        return std::round(exact);
    return std::stod(text::formatBriefly(exact, kSliderDigits));
}

QString ValueSlider::applyTypedValue(const QString& typed)
{
    const std::optional<double> value = m_kind.read(typed);
    if (!value)
        return m_kind.expected;
    setValue(*value);
    emit moved(m_value);
    return {};
}

std::function<QString(double)> showNumber(const QString& unit)
{
    return [unit](double value) {
        const QString number =
            QString::fromStdString(text::formatDigits(value, kTypedDigits, text::Typography::Typeset));
        return unit.isEmpty() ? number : number + QChar::Nbsp + unit;
    };
}

std::function<std::optional<double>(const QString&)> readNumberFrom(double low, double high,
                                                                    const QString& unit)
{
    return [low, high, unit](const QString& typed) -> std::optional<double> {
        const auto value = parseQuantity(typed, unit.toStdString());
        return value && *value >= low && *value <= high ? value : std::nullopt;
    };
}

SliderKind countKind(const QString& name, const QString& tooltip, int high, int most)
{
    return {.name = name,
            .tooltip = tooltip,
            .low = 1,
            .high = static_cast<double>(high),
            .isWhole = true,
            .show = showNumber({}),
            .read = readNumberFrom(1, most, {}),
            .expected = ValueSlider::tr("expected 1 to %1").arg(most)};
}

SliderKind priceKind(const QString& name, const QString& tooltip, double high)
{
    return {.name = name,
            .tooltip = tooltip,
            .low = 0.0,
            .high = high,
            .show = showNumber({}),
            .read = readNumberFrom(0.0, kHighestPrice, {}),
            .expected = ValueSlider::tr("expected 0 or more")};
}

QString showShare(double share)
{
    return formatPercent(share, 2);
}

std::function<std::optional<double>(const QString&)> readShareFrom(double low, double high)
{
    return [low, high](const QString& typed) -> std::optional<double> {
        const auto percent = parseQuantity(typed, "%");
        const bool isInside = percent && *percent >= kHundred * low && *percent <= kHundred * high;
        return isInside ? std::optional(*percent / kHundred) : std::nullopt;
    };
}

LinkControls::LinkControls(QWidget* parent)
    : QWidget(parent)
    , m_bytes(new ValueSlider(bytesKind(), this))
    , m_batch(new ValueSlider(batchKind(), this))
    , m_message(mutedLabel({}, this))
{
    auto* column = marginless<QVBoxLayout>(this, kControlGap);
    m_network =
        addLinks(tr("Network"), tr("Links between nodes: adds the speed that they allow."), "scaleNetwork");
    m_node = addLinks(tr("In a node"), tr("Links between the GPUs of a node."), "scaleNodeLink");
    auto* read = linkButton(tr("Links from &nccl-tests…"), this);
    read->setObjectName(QStringLiteral("readNcclTests"));
    read->setToolTip(tr("Latency and bandwidth from the output of all_reduce_perf."));
    column->addWidget(m_bytes);
    column->addWidget(m_batch);
    column->addWidget(read, 0, Qt::AlignLeft);
    column->addWidget(m_message);
    m_message->hide();
    follow(m_network, tr("Network"), &plan::PlanChoices::network);
    follow(m_node, tr("Links in a node"), &plan::PlanChoices::nodeLink);
    connect(m_bytes, &ValueSlider::moved, this, [this](double megabytes) {
        plan::PlanChoices choices = m_source.choices;
        choices.exchangeBytes = megabytes * kBytesOfMegabyte;
        emit choicesChanged(choices, tr("Exchanged in a step"));
    });
    connect(m_batch, &ValueSlider::moved, this, [this](double batch) {
        plan::PlanChoices choices = m_source.choices;
        choices.batch = batch;
        emit choicesChanged(choices, tr("Batch of a GPU"));
    });
    connect(read, &QPushButton::clicked, this, &LinkControls::askForFile);
}

QComboBox* LinkControls::addLinks(const QString& name, const QString& tooltip, const char* objectName)
{
    auto* field = new QWidget(this);
    auto* column = marginless<QVBoxLayout>(field, kNameGap);
    QComboBox* chooser = addChooserBelowLabel(*column, name, field);
    chooser->setToolTip(tooltip);
    chooser->setObjectName(QLatin1String(objectName));
    layout()->addWidget(field);
    return chooser;
}

void LinkControls::follow(QComboBox* chooser, const QString& what, std::string plan::PlanChoices::*member)
{
    connect(chooser, &QComboBox::activated, this, [this, chooser, what, member] {
        plan::PlanChoices choices = m_source.choices;
        choices.*member = chooser->currentData().toString().toStdString();
        emit choicesChanged(choices, what);
    });
}

void LinkControls::fillLinks(QComboBox& chooser, const std::string& chosen) const
{
    const QSignalBlocker quiet(chooser);
    chooser.clear();
    if (&chooser == m_network)
        chooser.addItem(tr("(none)"), QString());
    const plan::PlanChoices& choices = m_source.choices;
    if (choices.measuredGigabytesPerSec)
        chooser.addItem(tr("measured: %1 µs, %2 GB/s")
                            .arg(formatNumber(choices.measuredLatencyUs.value_or(0.0)),
                                 formatNumber(*choices.measuredGigabytesPerSec)),
                        QLatin1String(plan::kMeasuredLink));
    for (const workload::Link& link : workload::kLinks)
        chooser.addItem(fromUtf8(link.words), fromUtf8(link.name));
    chooser.setCurrentIndex(std::max(0, chooser.findData(QString::fromStdString(chosen))));
    chooser.setToolTip(chooser.currentText());
}

void LinkControls::showLinks(const PlanSource& source)
{
    m_source = source;
    const plan::PlanChoices& choices = source.choices;
    fillLinks(*m_network, choices.network);
    fillLinks(*m_node, choices.nodeLink);
    m_bytes->setValue(choices.exchangeBytes / kBytesOfMegabyte);
    m_batch->setValue(choices.batch.value_or(plan::usualBatch(source.study(), source.settings)));
    const bool isAsked = !choices.network.empty();
    m_bytes->setVisible(isAsked);
    m_batch->setVisible(isAsked);
    m_node->parentWidget()->setVisible(isAsked && choices.perNode > 1);
}

void LinkControls::askForFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Output of all_reduce_perf"));
    if (!path.isEmpty())
        loadNcclTests(path);
}

QString LinkControls::loadNcclTests(const QString& path)
{
    QString problem;
    try {
        const plan::LinkMeasurement link = plan::readNcclTests(study::readTextFile(path.toStdU16String()));
        plan::PlanChoices choices = m_source.choices;
        choices.measuredLatencyUs = link.latencyUs;
        choices.measuredGigabytesPerSec = link.gigabytesPerSec;
        const bool isNode = choices.perNode > 1 && link.ranks <= choices.perNode;
        (isNode ? choices.nodeLink : choices.network) = plan::kMeasuredLink;
        emit choicesChanged(choices, tr("Measured links"));
    } catch (const std::exception& error) {
        problem = QString::fromUtf8(error.what());
    }
    m_message->setText(problem);
    m_message->setVisible(!problem.isEmpty());
    return problem;
}

namespace {

constexpr std::size_t kKeptJobs = 500; ///< in the study
constexpr double kLowestLoad = 0.01, kHighestTypedLoad = 0.99;

} // namespace

JobSource::JobSource(QWidget* parent)
    : QWidget(parent)
    , m_name(new QLabel(this))
    , m_runs(linkButton(tr("Use the r&uns"), this))
    , m_message(mutedLabel({}, this))
{
    auto* read = linkButton(tr("&Jobs from a file…"), this);
    read->setObjectName(QStringLiteral("readJobs"));
    read->setToolTip(
        tr("A table with the columns seconds and, if known, gpus and submit, or what sacct --parsable2 "
           "--allocations --format=JobID,Submit,ElapsedRaw,AllocTRES prints."));
    m_runs->setObjectName(QStringLiteral("jobsOfRuns"));
    m_name->setObjectName(QStringLiteral("jobsName"));
    m_name->setWordWrap(true);
    auto* column = marginless<QVBoxLayout>(this, 4);
    column->addWidget(m_name);
    column->addWidget(read, 0, Qt::AlignLeft);
    column->addWidget(m_runs, 0, Qt::AlignLeft);
    column->addWidget(m_message);
    m_message->hide();
    connect(read, &QPushButton::clicked, this, &JobSource::askForFile);
    connect(m_runs, &QPushButton::clicked, this, [this] {
        plan::PlanChoices choices = m_choices;
        choices.jobs.clear();
        choices.jobsName.clear();
        m_message->hide();
        emit choicesChanged(choices, tr("Jobs that queue"));
    });
}

void JobSource::showChoices(const plan::PlanChoices& choices)
{
    m_choices = choices;
    m_name->setText(choices.jobs.empty() ? tr("Jobs: the runs")
                                         : tr("Jobs: %1").arg(nameText(choices.jobsName)));
    m_runs->setVisible(!choices.jobs.empty());
}

void JobSource::askForFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Jobs that queue"), {},
                                                      tr("Tables (*.csv *.txt *.tsv);;All files (*)"));
    if (!path.isEmpty())
        loadJobFile(path);
}

QString JobSource::loadJobFile(const QString& path)
{
    QString problem;
    QStringList notes;
    try {
        const plan::JobRecords records = exchange::readJobFile(path.toStdU16String());
        plan::PlanChoices choices = m_choices;
        choices.jobs = plan::condenseJobs(records.tasks, kKeptJobs);
        choices.jobsName = tr("%1 (%2)")
                               .arg(QFileInfo(path).fileName(), formatCount(std::ssize(records.tasks), "job"))
                               .toStdString();
        choices.variation.reset();
        choices.machines = std::max(choices.machines, plan::largestGang(choices.jobs));
        if (records.skipped > 0)
            notes << tr("%1 without a time left out.").arg(formatCount(records.skipped, "row"));
        if (records.rate) {
            const double capacity = plan::computeCapacity({{}, choices.machines, choices.jobs},
                                                          plan::drawArrivals(kCapacityJobs, 1));
            const double load = *records.rate / capacity;
            choices.load = std::clamp(load, kLowestLoad, kHighestTypedLoad);
            if (load > kHighestTypedLoad)
                notes << tr("They arrive at %1 of the capacity of %2: shown with %3.")
                             .arg(formatPercent(load, 0), formatCount(choices.machines, "machine"),
                                  formatPercent(kHighestTypedLoad, 0));
        }
        emit choicesChanged(choices, tr("Jobs that queue"));
    } catch (const std::exception& error) {
        problem = QString::fromUtf8(error.what());
    }
    m_message->setText(problem.isEmpty() ? notes.join(QLatin1Char(' ')) : problem);
    m_message->setVisible(!m_message->text().isEmpty());
    return problem;
}

} // namespace quadric::widgets
