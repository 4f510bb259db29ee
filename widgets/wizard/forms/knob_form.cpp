// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/forms/knob_form.h"

#include "widgets/base/style.h"
#include "widgets/design/quality/words.h"
#include "widgets/text/translate.h"
#include "widgets/wizard/forms/device_list.h"
#include "widgets/wizard/forms/knob_offers.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QSignalBlocker>

namespace quadric::widgets {

namespace {

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
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kPageMargin);
    layout->addWidget(editor, 0, Qt::AlignTop);
    layout->addWidget(mutedLabel(explanation), 1, Qt::AlignTop);
    return row;
}

study::Value valueOf(const study::Study& study, const workload::Knob& knob)
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
    const KnobSet set = knobSetOf(study);
    std::vector<std::string> varied{set == KnobSet::Simulated ? "simulated" : "measured"};
    for (const auto& factor : study.factors)
        varied.push_back(factor.name + '\n' + study::toText(factor.low) + '\n' + study::toText(factor.high));
    if (!m_isBuilt || varied != m_varied) {
        m_varied = std::move(varied);
        m_isBuilt = true;
        build(study);
    }
    for (const auto& [knob, editor] : m_editors)
        showValue(editor, valueOf(study, *knob));
}

void KnobForm::build(const study::Study& study)
{
    while (m_form->rowCount() > 0)
        m_form->removeRow(0);
    m_editors.clear();
    m_deviceList = nullptr;
    m_isSimulated = knobSetOf(study) == KnobSet::Simulated;
    for (const workload::Knob* knob : knobsOf(knobSetOf(study))) {
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
