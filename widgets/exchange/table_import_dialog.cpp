// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/exchange/table_import_dialog.h"

#include "core/exchange/import/recognize.h"
#include "core/report/tables/study_tables.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/text/text_table.h"
#include "widgets/text/wording.h"
#include "widgets/wizard/sheets/spreadsheet.h"

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>

namespace quadric::widgets {

ImportOutcome makeImportOutcome(const exchange::ImportedStudy& imported)
{
    ImportOutcome outcome;
    outcome.study = imported.study;
    if (!imported.study.runs.empty())
        outcome.recognized = QString::fromStdString(exchange::recognize(imported.study).sentence);
    for (const std::string& warning : imported.warnings)
        outcome.warnings << QString::fromStdString(warning);
    return outcome;
}

ImportOutcome failedOutcome(const std::exception& error)
{
    ImportOutcome outcome;
    outcome.problem = QString::fromUtf8(error.what());
    return outcome;
}

TableOutcome readTable(const std::string& text, const std::string& name, const exchange::Dialect& dialect,
                       const std::vector<exchange::ColumnMapping>& mapping)
{
    TableOutcome outcome;
    try {
        outcome.grid = exchange::readDelimited(text, name, dialect);
        outcome.mapping = mapping.empty() ? exchange::guessMapping(outcome.grid) : mapping;
        exchange::ImportedStudy imported = exchange::studyOf(outcome.grid, outcome.mapping, name);
        imported.study.name = name;
        exchange::checkImported(imported, name);
        outcome.import = makeImportOutcome(imported);
    } catch (const std::exception& error) {
        outcome.import = failedOutcome(error);
    }
    return outcome;
}

namespace {

constexpr std::size_t kShownRuns = 100;
constexpr int kShownWarnings = 4; ///< lines; the others are scrolled to

report::Table previewTable(study::Study study)
{
    const std::size_t runs = study.runs.size();
    if (runs > kShownRuns)
        study.runs.resize(kShownRuns);
    return report::makeRunTable(study);
}

/// "12 of 15 runs with results, 1 failed." behind the name of the design.
QString summarizeImport(const ImportOutcome& outcome)
{
    const study::Study& study = *outcome.study;
    if (study.runs.empty())
        return ImportSummary::tr("A study without runs.");
    QString design = outcome.recognized;
    design.replace(0, 1, design.left(1).toUpper());
    const int done = study::countRuns(study, study::RunStatus::Done);
    const int failed = study::countRuns(study, study::RunStatus::Failed);
    const QString sentence = ImportSummary::tr("%1. %2 of %3 with results")
                                 .arg(design)
                                 .arg(done)
                                 .arg(formatCount(qint64(study.runs.size()), "run"));
    return failed > 0 ? sentence + ImportSummary::tr(", %1 failed.").arg(failed)
                      : sentence + QLatin1Char('.');
}

constexpr QSize kImportSize(960, 720);

using exchange::ColumnRole;

constexpr int kShownValues = 6;
constexpr int kLongestValue = 24;

/// The first different cells of a column, in the order of the rows.
QString listDistinctCells(const exchange::TextGrid& grid, std::size_t column)
{
    QStringList values;
    for (const std::vector<std::string>& row : grid.rows) {
        QString cell = QString::fromStdString(row[column]).simplified();
        if (cell.size() > kLongestValue)
            cell = cell.left(kLongestValue) + QStringLiteral("…");
        if (cell.isEmpty() || values.contains(cell))
            continue;
        if (values.size() == kShownValues)
            return values.join(QStringLiteral(" · ")) + QStringLiteral(" …");
        values << cell;
    }
    return values.join(QStringLiteral(" · "));
}

} // namespace

ImportSummary::ImportSummary(QWidget* parent)
    : QWidget(parent)
    , m_sentence(new QLabel)
    , m_warnings(mutedLabel({}))
    , m_warningArea(new QScrollArea)
    , m_runs(new TextTableModel(this))
{
    nameWidget(m_sentence, "importSentence", tr("What the table is"));
    nameWidget(m_warnings, "importWarnings", tr("What deserves a look"));
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setWordWrap(true);
    m_warnings->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_warnings->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_warningArea->setWidget(m_warnings);
    m_warningArea->setWidgetResizable(true);
    m_warningArea->setFrameShape(QFrame::NoFrame);
    m_warningArea->setFocusPolicy(Qt::NoFocus);
    auto* view = new QTableView;
    nameWidget(view, "importedRuns", tr("The first runs of the study"));
    setUpTable(*view);
    view->setModel(m_runs);
    auto* layout = marginless<QVBoxLayout>(this, kGap);
    layout->addWidget(m_sentence);
    layout->addWidget(m_warningArea);
    layout->addWidget(view, 1);
}

void ImportSummary::setOutcome(const ImportOutcome& outcome)
{
    QPalette colors = palette();
    if (!outcome.study)
        colors.setColor(QPalette::WindowText, plotColors(palette()).error);
    m_sentence->setPalette(colors);
    QFont font = m_sentence->font();
    font.setWeight(outcome.study ? QFont::DemiBold : QFont::Normal);
    m_sentence->setFont(font);
    m_sentence->setText(outcome.study ? summarizeImport(outcome) : outcome.problem);
    m_runs->setTable(outcome.study ? previewTable(*outcome.study) : report::Table());
    showWarnings(outcome.warnings);
}

void ImportSummary::showWarnings(const QStringList& warnings)
{
    QStringList lines;
    for (const QString& warning : warnings)
        lines << QStringLiteral("⚠ ") + warning;
    m_warnings->setText(lines.join(QLatin1Char('\n')));
    m_warningArea->setVisible(!warnings.isEmpty());
    const auto shown = std::min(kShownWarnings, int(warnings.size()));
    m_warningArea->setFixedHeight((shown + 1) * fontMetrics().lineSpacing());
}

ImportDialog::ImportDialog(const QString& name, QWidget* parent)
    : QDialog(parent)
    , m_choices(new QVBoxLayout)
    , m_summary(new ImportSummary)
{
    setObjectName(QStringLiteral("importDialog"));
    setWindowTitle(tr("Import %1").arg(name));
    resizeWithinScreen(*this, kImportSize);
    m_choices->setSpacing(kGroupGap);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPageMargin, kPageMargin, kPageMargin, kGroupGap);
    layout->setSpacing(kGroupGap);
    layout->addWidget(titleLabel(name));
    layout->addLayout(m_choices);
    layout->addWidget(m_summary);
    layout->addLayout(buildButtons());
}

QLayout* ImportDialog::buildButtons()
{
    auto* cancel = quietButton(tr("&Cancel"));
    m_import = primaryButton(tr("&Import"));
    nameWidget(cancel, "cancelImport", tr("Cancel"));
    nameWidget(m_import, "import", tr("Import"));
    m_import->setDefault(true);
    m_import->setEnabled(false);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_import, &QPushButton::clicked, this, &QDialog::accept);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGap);
    row->addStretch();
    row->addWidget(cancel);
    row->addWidget(m_import);
    return row;
}

void ImportDialog::offerResults()
{
    auto* folder = quietButton(tr("Folder with &results…"));
    nameWidget(folder, "resultsFolder", tr("Choose the folder with the result files"));
    connect(folder, &QPushButton::clicked, this, &ImportDialog::resultsFolderWanted);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGroupGap);
    row->addWidget(folder, 0, Qt::AlignTop);
    row->addWidget(mutedLabel(tr("Each result file is bound to the run whose settings it records, never by "
                                 "its number.")),
                   1);
    m_choices->addLayout(row);
}

void ImportDialog::setOutcome(const ImportOutcome& outcome)
{
    m_outcome = outcome;
    m_summary->setOutcome(outcome);
    m_import->setEnabled(outcome.study.has_value());
}

void ImportDialog::setBusy()
{
    m_import->setEnabled(false);
}

MappingTableModel::MappingTableModel(QObject* parent)
    : RecordModel({{tr("Column")},
                   {tr("Use as"), false, tr("What the column is in the study.")},
                   {tr("Name")},
                   {tr("Unit")},
                   {tr("Type"), false, tr("What values a factor can have.")},
                   {tr("Scale"), false, tr("The scale on which a factor is coded.")},
                   {tr("Goal"), false, tr("What is wanted of a response.")},
                   {tr("Values"), false, tr("The first different cells of the column.")}},
                  parent)
{
}

void MappingTableModel::setMapping(const exchange::TextGrid& grid,
                                   const std::vector<exchange::ColumnMapping>& mapping)
{
    std::vector<MappedColumn> columns;
    for (std::size_t i = 0; i < mapping.size(); ++i)
        columns.push_back({mapping[i], listDistinctCells(grid, i)});
    show(columns);
}

std::vector<exchange::ColumnMapping> MappingTableModel::mapping() const
{
    std::vector<exchange::ColumnMapping> mapping;
    for (const MappedColumn& column : records())
        mapping.push_back(column.mapping);
    return mapping;
}

QStringList MappingTableModel::roleWords()
{
    return {tr("ignored"), tr("factor"),     tr("response"), tr("run number"), tr("run order"),
            tr("block"),   tr("point type"), tr("status"),   tr("source"),     tr("remark")};
}

QString MappingTableModel::textOf(const MappedColumn& column, int cell) const
{
    const exchange::ColumnMapping& mapping = column.mapping;
    const bool isFactor = mapping.role == ColumnRole::Factor;
    const bool isResponse = mapping.role == ColumnRole::Response;
    switch (cell) {
    case Heading:
        return QString::fromStdString(mapping.header).simplified();
    case Role:
        return roleWords()[int(mapping.role)];
    case Name:
        return isFactor || isResponse ? QString::fromStdString(mapping.name) : QString();
    case Unit:
        return isFactor || isResponse ? QString::fromStdString(mapping.unit) : QString();
    case Type:
        return isFactor ? fromUtf8(study::nameOf(mapping.type)) : QString();
    case ScaleColumn:
        return canTypeInto(column, cell) ? fromUtf8(study::nameOf(mapping.scale)) : QString();
    case GoalColumn:
        return isResponse ? fromUtf8(study::nameOf(mapping.goal)) : QString();
    default:
        return column.values;
    }
}

bool MappingTableModel::canTypeInto(const MappedColumn& column, int cell) const
{
    const bool isFactor = column.mapping.role == ColumnRole::Factor;
    const bool isResponse = column.mapping.role == ColumnRole::Response;
    switch (cell) {
    case Role:
        return true;
    case Name:
    case Unit:
        return isFactor || isResponse;
    case Type:
        return isFactor;
    case ScaleColumn:
        return isFactor && column.mapping.type != study::FactorType::Categorical;
    case GoalColumn:
        return isResponse;
    default:
        return false;
    }
}

std::optional<MappedColumn> MappingTableModel::withCellText(const MappedColumn& column, int cell,
                                                            const QString& text) const
{
    MappedColumn after = column;
    exchange::ColumnMapping& mapping = after.mapping;
    const std::string word = text.trimmed().toStdString();
    const auto take = [&after](auto& field, const auto& value) -> std::optional<MappedColumn> {
        if (!value)
            return std::nullopt;
        field = *value;
        return after;
    };
    switch (cell) {
    case Role:
        if (const qsizetype role = roleWords().indexOf(text); role >= 0)
            return take(mapping.role, std::optional(static_cast<ColumnRole>(role)));
        return std::nullopt;
    case Name:
        return take(mapping.name, word.empty() ? std::nullopt : std::optional(word));
    case Unit:
        return take(mapping.unit, std::optional(word));
    case Type:
        return take(mapping.type, study::factorTypeFrom(word));
    case ScaleColumn:
        return take(mapping.scale, study::scaleFrom(word));
    case GoalColumn:
        return take(mapping.goal, study::goalFrom(word));
    default:
        return std::nullopt;
    }
}

namespace {

constexpr int kLeastRows = 4;

struct SeparatorName {
    char separator;
    const char* name;
};
constexpr SeparatorName kSeparators[] = {{',', "comma"}, {';', "semicolon"}, {'\t', "tab"}, {'|', "bar"}};

QString nameOfSeparator(char separator)
{
    for (const SeparatorName& each : kSeparators)
        if (each.separator == separator)
            return TableImportDialog::tr(each.name);
    return {};
}

QString decimalMarkName(bool isComma)
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
    m_decimal->addItem(decimalMarkName(false), false);
    m_decimal->addItem(decimalMarkName(true), true);
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
    m_decimal->setItemText(0, tr("found: %1").arg(decimalMarkName(grid.decimalComma)));
}

} // namespace quadric::widgets
