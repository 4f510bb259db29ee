// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/exchange/table_import_dialog.h"

#include "widgets/base/style.h"
#include "widgets/exchange/mapping_table_model.h"
#include "widgets/wizard/sheets/spreadsheet.h"

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>

namespace quadric::widgets {

namespace {

constexpr int kLeastRows = 4;

struct SeparatorName {
    char separator;
    const char* name;
};
constexpr SeparatorName kSeparators[] = {
    {',', QT_TRANSLATE_NOOP("quadric::widgets::TableImportDialog", "comma")},
    {';', QT_TRANSLATE_NOOP("quadric::widgets::TableImportDialog", "semicolon")},
    {'\t', QT_TRANSLATE_NOOP("quadric::widgets::TableImportDialog", "tab")},
    {'|', QT_TRANSLATE_NOOP("quadric::widgets::TableImportDialog", "bar")}};

QString nameOfSeparator(char separator)
{
    for (const SeparatorName& each : kSeparators)
        if (each.separator == separator)
            return TableImportDialog::tr(each.name);
    return {};
}

QString nameOfMark(bool isComma)
{
    return isComma ? TableImportDialog::tr("comma (3,5)") : TableImportDialog::tr("point (3.5)");
}

} // namespace

TableImportDialog::TableImportDialog(const QString& name, std::string text, QWidget* parent)
    : ImportDialog(name, parent)
    , m_name(QFileInfo(name).completeBaseName().toStdString())
    , m_text(std::move(text))
    , m_separator(new QComboBox)
    , m_decimal(new QComboBox)
    , m_mapping(new MappingTableModel(this))
{
    choices().addLayout(buildDialect());
    choices().addWidget(buildMapping());
    read({});
}

TableImportDialog::~TableImportDialog() = default;

QLayout* TableImportDialog::buildDialect()
{
    nameWidget(m_separator, "separator", tr("What separates the cells"));
    nameWidget(m_decimal, "decimalMark", tr("Decimal mark"));
    m_separator->addItem(tr("as found"));
    for (const SeparatorName& each : kSeparators)
        m_separator->addItem(tr(each.name), QChar::fromLatin1(each.separator));
    m_decimal->addItem(tr("as found"));
    m_decimal->addItem(nameOfMark(false), false);
    m_decimal->addItem(nameOfMark(true), true);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGap);
    for (const auto& [text, box] :
         {std::pair(tr("Cells &separated by"), m_separator), std::pair(tr("&Decimal mark"), m_decimal)}) {
        auto* label = new QLabel(text);
        label->setBuddy(box);
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        row->addWidget(label);
        row->addWidget(box);
        row->addSpacing(kGroupGap);
        connect(box, &QComboBox::activated, this, [this] { read({}); });
    }
    row->addStretch();
    return row;
}

Spreadsheet* TableImportDialog::buildMapping()
{
    auto* table = new Spreadsheet(*m_mapping);
    nameWidget(table, "mapping", tr("What the columns become"));
    table->setItemDelegateForColumn(MappingTableModel::Role,
                                    new ChoiceDelegate(MappingTableModel::roleWords(), false, table));
    table->setItemDelegateForColumn(
        MappingTableModel::Type,
        new ChoiceDelegate({QStringLiteral("continuous"), QStringLiteral("integer"),
                            QStringLiteral("discrete"), QStringLiteral("categorical")},
                           false, table));
    table->setItemDelegateForColumn(
        MappingTableModel::ScaleColumn,
        new ChoiceDelegate({QStringLiteral("linear"), QStringLiteral("log2")}, false, table));
    table->setItemDelegateForColumn(
        MappingTableModel::GoalColumn,
        new ChoiceDelegate({QStringLiteral("none"), QStringLiteral("maximize"), QStringLiteral("minimize")},
                           false, table));
    table->setFrameShape(QFrame::NoFrame);
    table->horizontalHeader()->setStretchLastSection(true);
    table->setMinimumHeight(kLeastRows * table->verticalHeader()->defaultSectionSize());
    connect(m_mapping, &MappingTableModel::edited, this, [this] { read(m_mapping->mapping()); });
    return table;
}

exchange::Dialect TableImportDialog::dialect() const
{
    exchange::Dialect dialect;
    if (const QVariant separator = m_separator->currentData(); separator.isValid())
        dialect.separator = separator.toChar().toLatin1();
    if (const QVariant isComma = m_decimal->currentData(); isComma.isValid())
        dialect.decimalComma = isComma.toBool();
    return dialect;
}

void TableImportDialog::read(const std::vector<exchange::ColumnMapping>& mapping)
{
    setBusy();
    m_jobs.start([text = m_text, name = m_name, dialect = dialect(),
                  mapping](const std::stop_token&) { return readTable(text, name, dialect, mapping); },
                 [this](const TableOutcome& outcome) { show(outcome); });
}

void TableImportDialog::show(const TableOutcome& outcome)
{
    if (!outcome.mapping.empty()) {
        m_mapping->setMapping(outcome.grid, outcome.mapping);
        showFound(outcome.grid);
    }
    setOutcome(outcome.import);
}

void TableImportDialog::showFound(const exchange::TextGrid& grid)
{
    m_separator->setItemText(0, tr("found: %1").arg(nameOfSeparator(grid.separator)));
    m_decimal->setItemText(0, tr("found: %1").arg(nameOfMark(grid.decimalComma)));
}

} // namespace quadric::widgets
