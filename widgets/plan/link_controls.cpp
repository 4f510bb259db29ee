// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/link_controls.h"

#include "core/plan/links.h"
#include "core/plan/scale_plan.h"
#include "core/study/files/file.h"
#include "widgets/base/labeled_chooser.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/plan/value_slider.h"

#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

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

LinkControls::LinkControls(QWidget* parent)
    : QWidget(parent)
    , m_bytes(new ValueSlider(bytesKind(), this))
    , m_batch(new ValueSlider(batchKind(), this))
    , m_message(mutedLabel({}, this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kControlGap);
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
    auto* column = new QVBoxLayout(field);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kNameGap);
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
        chooser.addItem(QString::fromUtf8(link.words.data(), std::ssize(link.words)),
                        QString::fromUtf8(link.name.data(), std::ssize(link.name)));
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
        takeNcclTests(path);
}

QString LinkControls::takeNcclTests(const QString& path)
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

} // namespace quadric::widgets
