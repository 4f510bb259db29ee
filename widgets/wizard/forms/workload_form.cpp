// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/forms/workload_form.h"

#include "core/run/recipe/baseline_needs.h"
#include "core/study/response.h"
#include "widgets/base/style.h"
#include "widgets/design/quality/quality_tables.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

/// The smallest network keeps about this much for an image of 32 px.
constexpr double kMibPerImage = 3.0;

/// Infinite where the machine sets no bound, or none that is known.
double machineBound(const run::Machine& machine, workload::MachineBound bound)
{
    switch (bound) {
    case workload::MachineBound::Cores:
        return std::max(1, machine.cores);
    case workload::MachineBound::Memory:
        if (machine.memoryMib > 0.0)
            return std::max(1.0, std::floor(0.9 * machine.memoryMib / kMibPerImage));
        break;
    case workload::MachineBound::None:
        break;
    }
    return HUGE_VAL;
}

bool isOffered(const workload::Knob& knob, KnobSet set)
{
    const auto others = set == KnobSet::Measured ? workload::Engines::Simulated : workload::Engines::Measured;
    return knob.offer.kind != workload::Offer::Kind::None && knob.engines != others;
}

study::Response wished(const char* name, const char* unit, study::Goal goal)
{
    return {.name = name, .unit = unit, .goal = goal, .bounds = study::knownBounds(name)};
}

/// What is computed from the speed; the price is a fixed setting that the user gives.
void addComputed(const study::Study& study, std::vector<OfferedResponse>& offers)
{
    const std::string speed = run::speedResponse(study);
    if (speed.empty())
        return;
    offers.push_back(
        {tr("Energy per item"), wished("joules_per_item", "J", study::Goal::Minimize), "power_w / " + speed});
    const study::Factor* ranks = run::rankFactorOf(study);
    if (!ranks)
        return;
    offers.push_back({tr("Speed per GPU"), wished("speed_per_gpu", "", study::Goal::Maximize),
                      speed + " / " + ranks->name});
    offers.push_back({tr("Cost of a million items (fixed setting price_per_gpu_hour)"),
                      wished("cost_per_million", "", study::Goal::Minimize),
                      "price_per_gpu_hour * " + ranks->name + " / (3600 * " + speed + ") * 1e6"});
}

QString peersOf(const run::TrainerGpu& gpu)
{
    QStringList peers;
    for (const int peer : gpu.nvlinkPeers)
        peers << QString::number(peer);
    return peers.isEmpty() ? DeviceList::tr("none") : peers.join(QStringLiteral(", "));
}

QString formatFreeMemory(const run::TrainerGpu& gpu)
{
    return DeviceList::tr("%1 of %2 GiB").arg(gpu.freeGib, 0, 'f', 1).arg(gpu.memoryGib, 0, 'f', 1);
}

QLabel* cell(const QString& text)
{
    auto* label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QLabel* heading(const QString& text)
{
    QLabel* label = mutedLabel(text);
    label->setWordWrap(false);
    return label;
}

/// In short lines: a label that wraps by itself would ask for its height only when its width is known.
QString formatGpuUsers(const run::TrainerGpu& gpu)
{
    if (gpu.users.empty())
        return DeviceList::tr("not in use");
    QString users = QString::fromStdString(gpu.users);
    return users.replace(QStringLiteral(", "), QStringLiteral("\n"))
        .replace(QStringLiteral(" ("), QStringLiteral("\n("));
}

void addRow(QGridLayout* grid, int row, const run::TrainerGpu& gpu)
{
    const QStringList texts = {
        QString::number(gpu.index) + QLatin1Char(' ') + QString::fromStdString(gpu.name),
        formatFreeMemory(gpu), QString::fromStdString(gpu.pci), peersOf(gpu), formatGpuUsers(gpu)};
    for (int column = 0; column < texts.size(); ++column)
        grid->addWidget(cell(texts[column]), row, column, Qt::AlignTop);
}

constexpr int kEditorWidth = 160;

/// A number without digits that say nothing: 5, not 5.000.
class PlainNumberBox : public QDoubleSpinBox {
public:
    using QDoubleSpinBox::QDoubleSpinBox;
    QString textFromValue(double value) const override { return locale().toString(value, 'g', 6); }
};

/// The editor of a knob with what it means beside it.
QWidget* explained(QWidget* editor, const QString& explanation)
{
    auto* row = new QWidget;
    auto* layout = marginless<QHBoxLayout>(row, kPageMargin);
    layout->addWidget(editor, 0, Qt::AlignTop);
    layout->addWidget(mutedLabel(explanation), 1, Qt::AlignTop);
    return row;
}

study::Value findKnobValue(const study::Study& study, const workload::Knob& knob)
{
    const auto found = study.fixed.find(knob.name);
    return found == study.fixed.end() ? usualValue(knob) : found->second;
}

void showValue(QWidget* editor, const study::Value& value)
{
    const QSignalBlocker blocker(editor);
    if (auto* number = qobject_cast<QDoubleSpinBox*>(editor))
        number->setValue(study::numberOf(value));
    else if (auto* box = qobject_cast<QComboBox*>(editor))
        box->setCurrentIndex(box->findText(QString::fromStdString(study::toText(value))));
}

} // namespace

KnobSet selectKnobSet(const study::Study& study)
{
    const auto found = study.fixed.find("engine");
    const bool isSimulated = found != study.fixed.end() && study::toText(found->second) == "simulated";
    return isSimulated ? KnobSet::Simulated : KnobSet::Measured;
}

std::vector<const workload::Knob*> listOfferedKnobs(KnobSet set)
{
    std::vector<const workload::Knob*> offered;
    for (const workload::Knob& knob : workload::kKnobs) {
        if (isOffered(knob, set))
            offered.push_back(&knob);
    }
    return offered;
}

KnobRange rangeOn(const run::Machine& machine, KnobSet set, const workload::Knob& knob)
{
    const double bound = set == KnobSet::Measured ? machineBound(machine, knob.offer.bound) : HUGE_VAL;
    return {knob.values.lowest, std::min(knob.values.highest, bound)};
}

study::Value usualValue(const workload::Knob& knob)
{
    const std::string usual(knob.usual);
    return workload::isNumber(knob) ? study::Value(std::stod(usual)) : study::Value(usual);
}

study::Factor factorFrom(const workload::Knob& knob, const KnobRange& range)
{
    study::Factor factor;
    factor.name = knob.name;
    factor.unit = knob.values.unit;
    if (!workload::isNumber(knob)) {
        const auto choices = workload::choicesOf(knob);
        factor.type = study::FactorType::Categorical;
        factor.categories.assign(choices.begin(), choices.end());
        return factor;
    }
    factor.type = knob.values.kind == workload::KnobKind::Integer ? study::FactorType::Integer
                                                                  : study::FactorType::Continuous;
    factor.low = std::max(range.least, knob.offer.low);
    factor.high = std::min(range.most, knob.offer.high);
    factor.scale = knob.offer.spacing == workload::Spacing::Log2 ? study::Scale::Log2 : study::Scale::Linear;
    if (knob.name == "ranks")
        factor.binds = "ranks";
    return factor;
}

std::optional<study::Factor> suggestedFactor(const study::Study& study, const run::Machine& machine)
{
    const KnobSet set = selectKnobSet(study);
    std::vector<const workload::Knob*> knobs = listOfferedKnobs(set);
    std::erase_if(knobs, [&](const workload::Knob* knob) {
        return knob->offer.kind != workload::Offer::Kind::Factor || study::findFactor(study, knob->name);
    });
    if (knobs.empty())
        return std::nullopt;
    std::stable_partition(knobs.begin(), knobs.end(), [&](const workload::Knob* knob) {
        const KnobRange range = rangeOn(machine, set, *knob); // with room for levels
        return workload::isNumber(*knob) && range.most >= range.least + 2.0;
    });
    return factorFrom(*knobs.front(), rangeOn(machine, set, *knobs.front()));
}

std::vector<OfferedResponse> offeredResponses(const study::Study& study)
{
    if (study.benchmark.workload != "command")
        return {};
    using study::Goal;
    std::vector<OfferedResponse> offers = {
        {tr("Energy of the GPUs"), wished("energy_joules", "J", Goal::Minimize)},
        {tr("Mean power of the GPUs"), wished("power_w", "W", Goal::Minimize)},
        {tr("Memory of the fullest GPU"), wished("gpu_memory_peak_mib", "MiB", Goal::Minimize)},
        {tr("Time of the run"), wished("run_seconds", "s", Goal::Minimize)}};
    if (run::rankFactorOf(study) && !run::speedResponse(study).empty()) {
        offers.push_back({tr("Scaling efficiency"), wished(run::kScalingEfficiency, "%", Goal::Maximize)});
        offers.push_back({tr("Speed-up"), wished(run::kSpeedUp, "", Goal::Maximize)});
    }
    addComputed(study, offers);
    std::erase_if(offers, [&study](const OfferedResponse& offer) {
        return study::findResponse(study, offer.response.name) != nullptr;
    });
    return offers;
}

DeviceList::DeviceList(const run::TrainerDevices& devices, QWidget* parent)
    : QWidget(parent)
{
    nameWidget(this, "deviceList", tr("GPUs of this machine"));
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, kGap);
    rows->setSpacing(kGap / 2);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(kGroupGap);
    grid->setVerticalSpacing(kGap / 2);
    rows->addLayout(grid);
    const QStringList headings = {tr("GPU"), tr("Free memory"), tr("PCI"), tr("NVLink to"), tr("Used by")};
    int row = 0;
    for (int column = 0; !devices.gpus.empty() && column < headings.size(); ++column)
        grid->addWidget(heading(headings[column]), row, column);
    for (const run::TrainerGpu& gpu : devices.gpus)
        addRow(grid, ++row, gpu);
    QString about = QString::fromStdString(devices.about);
    if (!devices.gpus.empty() && !devices.driver.empty())
        about = tr("Driver %1.").arg(QString::fromStdString(devices.driver)) + QLatin1Char(' ') + about;
    QLabel* sentence = mutedLabel(about);
    sentence->setTextFormat(Qt::PlainText);
    grid->setColumnStretch(static_cast<int>(headings.size()) - 1, 1);
    rows->addWidget(sentence); // below the grid: a label across columns gets the height of a wider one
    sentence->setVisible(!about.isEmpty()); // only now: without a parent it would be a window
}

KnobForm::KnobForm(QWidget* parent)
    : QWidget(parent)
    , m_form(new QFormLayout(this))
{
    m_form->setContentsMargins(0, 0, kGap, 0);
    m_form->setHorizontalSpacing(kPageMargin);
    m_form->setVerticalSpacing(kGap);
    m_form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
}

void KnobForm::setStudy(const study::Study& study)
{
    const KnobSet set = selectKnobSet(study);
    std::vector<std::string> varied{set == KnobSet::Simulated ? "simulated" : "measured"};
    for (const auto& factor : study.factors)
        varied.push_back(factor.name + '\n' + study::toText(factor.low) + '\n' + study::toText(factor.high));
    if (!m_isBuilt || varied != m_varied) {
        m_varied = std::move(varied);
        m_isBuilt = true;
        build(study);
    }
    for (const auto& [knob, editor] : m_editors)
        showValue(editor, findKnobValue(study, *knob));
}

void KnobForm::build(const study::Study& study)
{
    while (m_form->rowCount() > 0)
        m_form->removeRow(0);
    m_editors.clear();
    m_deviceList = nullptr;
    m_isSimulated = selectKnobSet(study) == KnobSet::Simulated;
    for (const workload::Knob* knob : listOfferedKnobs(selectKnobSet(study))) {
        const QString title = fromUtf8(knob->title), help = fromUtf8(knob->help) + QLatin1Char('.');
        auto* label = new QLabel(title);
        label->setToolTip(help);
        if (const study::Factor* factor = study::findFactor(study, knob->name)) {
            auto* range = new QLabel(tr("varied: %1").arg(rangeWords(*factor)));
            range->setFixedSize(kEditorWidth, QComboBox().sizeHint().height());
            m_form->addRow(label, explained(range, help));
            continue;
        }
        QWidget* editor = workload::isNumber(*knob) ? numberEditor(*knob) : choiceEditor(*knob);
        editor->setObjectName(QStringLiteral("knob-") + QString::fromUtf8(knob->name));
        editor->setAccessibleName(title);
        editor->setToolTip(help);
        editor->setFixedWidth(kEditorWidth);
        m_editors[knob] = editor;
        m_form->addRow(label, explained(editor, help));
    }
    showDevices();
}

void KnobForm::setDevices(const run::TrainerDevices& devices)
{
    m_devices = devices;
    showDevices();
}

/// Under the engine, which is the first row.
void KnobForm::showDevices()
{
    if (m_deviceList)
        m_form->removeRow(m_deviceList);
    m_deviceList = nullptr;
    if (!m_devices || m_isSimulated || m_form->rowCount() == 0)
        return;
    m_deviceList = new DeviceList(*m_devices);
    m_form->insertRow(1, m_deviceList);
}

QWidget* KnobForm::numberEditor(const workload::Knob& knob)
{
    const KnobSet set = m_isSimulated ? KnobSet::Simulated : KnobSet::Measured;
    const KnobRange range = rangeOn(run::thisMachine(), set, knob);
    const bool isWhole = knob.values.kind == workload::KnobKind::Integer;
    auto* box = new PlainNumberBox;
    box->setDecimals(isWhole ? 0 : 3);
    box->setRange(range.least, range.most);
    if (!isWhole)
        box->setSuffix(QLatin1Char(' ') + QString::fromUtf8(knob.values.unit));
    const QString name = QString::fromUtf8(knob.name);
    connect(box, &QDoubleSpinBox::valueChanged, this,
            [this, name](double value) { emit fixedEdited(name, value); });
    return box;
}

QWidget* KnobForm::choiceEditor(const workload::Knob& knob)
{
    auto* box = new QComboBox;
    for (const std::string_view choice : workload::choicesOf(knob))
        box->addItem(QString::fromUtf8(choice));
    const QString name = QString::fromUtf8(knob.name);
    // Queued: another engine builds the form anew and deletes the box that is just being used.
    connect(
        box, &QComboBox::currentTextChanged, this,
        [this, name](const QString& text) { emit fixedEdited(name, text.toStdString()); },
        Qt::QueuedConnection);
    return box;
}

} // namespace quadric::widgets
