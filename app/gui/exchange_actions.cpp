// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/exchange_actions.h"

#include "app/gui/session/study_editor.h"
#include "app/gui/session/study_session.h"
#include "core/exchange/export/formats.h"
#include "core/exchange/import/audit.h"
#include "core/exchange/import/doehelper.h"
#include "core/run/proposal/command_line.h"
#include "core/study/document/document.h"
#include "core/study/files/file.h"
#include "core/study/files/output_file.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/exchange/comparison_dialogs.h"
#include "widgets/exchange/table_import_dialog.h"
#include "widgets/text/wording.h"

#include <QClipboard>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMimeData>
#include <QPainter>

namespace quadric::app {

namespace {

constexpr int kFrameWidth = 3;
constexpr int kBoxWidth = 480;
constexpr int kGroundAlpha = 200;

constexpr const char* kImported[] = {"csv", "tsv", "txt", "tab", "json"};

/// "csv: the runs, separated by commas (*.csv)"
QString filterOf(const exchange::Format& format)
{
    return QStringLiteral("%1 (*.%2)").arg(widgets::fromUtf8(format.what), widgets::fromUtf8(format.name));
}

const exchange::Format* chooseExportFormat(const QString& path, const QString& filter)
{
    for (const exchange::Format& format : exchange::formats())
        if (QFileInfo(path).suffix().isEmpty() && filter == filterOf(format))
            return &format;
    return exchange::formatNamed(QFileInfo(path).suffix().toStdString());
}

bool isStudy(const QString& path)
{
    return path.endsWith(QStringLiteral(".quadric"));
}

/// A script, or a program without an ending: on some disks every file is executable.
bool isScript(const QString& path)
{
    const QFileInfo file(path);
    return file.isFile() && (run::hasScriptEnding(file.fileName().toStdString()) ||
                             (file.isExecutable() && file.suffix().isEmpty()));
}

/// A table, or JSON of doehelper; other JSON may be a study.
bool isOfAnotherTool(const QString& path)
{
    if (!Exchange::canImport(path) ||
        QFileInfo(path).suffix().compare(QLatin1String("json"), Qt::CaseInsensitive))
        return Exchange::canImport(path);
    try {
        return exchange::isDoehelperConfig(study::readTextFile(path.toStdU16String()));
    } catch (const std::exception&) {
        return false; // opening it as a study says why
    }
}

QString dropWords(const QString& path)
{
    const QString name = QFileInfo(path).fileName();
    if (isStudy(path))
        return Exchange::tr("Drop to open %1").arg(name);
    return isScript(path) ? Exchange::tr("Drop to make a study that runs %1").arg(name)
                          : Exchange::tr("Drop to import %1").arg(name);
}

/// The one file that is dropped; empty for anything that cannot be opened or imported.
QString droppedFile(const QMimeData& data)
{
    const QList<QUrl> urls = data.urls();
    const QString path = urls.size() == 1 ? urls.front().toLocalFile() : QString();
    return isStudy(path) || Exchange::canImport(path) || isScript(path) ? path : QString();
}

QString whyNotDropped(const QList<QUrl>& urls)
{
    if (urls.size() > 1)
        return Exchange::tr("Drop one file at a time.");
    return Exchange::tr(
               "%1 is neither a study (.quadric), nor a table (.csv, .tsv, .txt, .tab, .json), nor a "
               "script or program.")
        .arg(QFileInfo(urls.front().toLocalFile()).fileName());
}

} // namespace

DropOverlay::DropOverlay(QWidget& window)
    : QWidget(&window)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    widgets::nameWidget(this, "dropOverlay", tr("Drop a file"));
    hide();
}

void DropOverlay::showWords(const QString& words, bool isWelcome)
{
    m_words = words;
    m_isWelcome = isWelcome;
    setAccessibleDescription(words);
    setGeometry(parentWidget()->rect());
    raise();
    show();
    update();
}

void DropOverlay::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor ground = palette().color(QPalette::Window);
    ground.setAlpha(kGroundAlpha);
    painter.fillRect(rect(), ground);
    const widgets::PlotColors colors = widgets::plotColors(palette());
    painter.setPen(QPen(m_isWelcome ? colors.accent : colors.warning, kFrameWidth,
                        m_isWelcome ? Qt::SolidLine : Qt::DashLine));
    painter.drawRoundedRect(QRectF(rect()).adjusted(8, 8, -8, -8), 8, 8);

    QFont font = painter.font();
    font.setPointSizeF(font.pointSizeF() * 1.25);
    painter.setFont(font);
    const int width = std::min(kBoxWidth, this->width() - 4 * widgets::kPageMargin);
    const int margin = widgets::kGroupGap;
    const QRect most(0, 0, width - 2 * margin, height());
    const QRect words = painter.boundingRect(most, Qt::AlignCenter | Qt::TextWordWrap, m_words);
    QRect box(0, 0, width, words.height() + 2 * margin);
    box.moveCenter(rect().center());
    painter.setPen(QPen(palette().color(QPalette::Mid), 1));
    painter.setBrush(palette().color(QPalette::Base));
    painter.drawRoundedRect(box, 8, 8);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(box.adjusted(margin, margin, -margin, -margin), Qt::AlignCenter | Qt::TextWordWrap,
                     m_words);
}

Exchange::Exchange(StudyEditor& editor, QWidget& window)
    : QObject(&window)
    , m_editor(editor)
    , m_window(window)
    , m_overlay(new DropOverlay(window))
{
    window.setAcceptDrops(true);
    window.installEventFilter(this);
}

bool Exchange::eventFilter(QObject* watched, QEvent* event)
{
    switch (event->type()) {
    case QEvent::DragEnter:
    case QEvent::DragMove:
        return drag(*static_cast<QDropEvent*>(event));
    case QEvent::DragLeave:
        m_overlay->hide();
        return true;
    case QEvent::Drop:
        m_overlay->hide();
        return drop(*static_cast<QDropEvent*>(event));
    default:
        return QObject::eventFilter(watched, event);
    }
}

/// A file that cannot be dropped is followed, too, so that the window can say why.
bool Exchange::drag(QDropEvent& event)
{
    if (!event.mimeData()->hasUrls())
        return false;
    const QString path = droppedFile(*event.mimeData());
    if (path.isEmpty())
        m_overlay->showWords(whyNotDropped(event.mimeData()->urls()), false);
    else
        m_overlay->showWords(dropWords(path), true);
    event.setDropAction(path.isEmpty() ? Qt::IgnoreAction : event.proposedAction());
    event.accept();
    return true;
}

bool Exchange::drop(QDropEvent& event)
{
    const QString path = droppedFile(*event.mimeData());
    if (path.isEmpty())
        return false;
    event.acceptProposedAction();
    openFile(path);
    return true;
}

void Exchange::openFile(const QString& path)
{
    if (isScript(path))
        emit scriptChosen(path);
    else if (isOfAnotherTool(path))
        importFile(path);
    else
        emit studyChosen(path);
}

bool Exchange::canImport(const QString& path)
{
    const QString suffix = QFileInfo(path).suffix();
    return std::ranges::any_of(kImported, [&](const char* known) {
        return suffix.compare(QLatin1String(known), Qt::CaseInsensitive) == 0;
    });
}

void Exchange::chooseImport()
{
    QStringList patterns;
    for (const char* suffix : kImported)
        patterns << QStringLiteral("*.") + QLatin1String(suffix);
    const QString path =
        QFileDialog::getOpenFileName(&m_window, tr("Import"), studiesFolder(),
                                     tr("Tables and configurations of doehelper (%1);;All files (*)")
                                         .arg(patterns.join(QLatin1Char(' '))));
    if (!path.isEmpty())
        importFile(path);
}

void Exchange::importFile(const QString& path)
{
    try {
        std::string text = study::readTextFile(path.toStdU16String());
        if (exchange::isDoehelperConfig(text))
            openConfiguration(path);
        else
            openTable(path, std::move(text));
    } catch (const std::exception& error) {
        emit failed(tr("This file cannot be read"), QString::fromUtf8(error.what()));
    }
}

void Exchange::openTable(const QString& path, std::string text)
{
    open(new widgets::TableImportDialog(QFileInfo(path).fileName(), std::move(text), &m_window));
}

void Exchange::openConfiguration(const QString& path)
{
    const QFileInfo file(path);
    auto* dialog = new widgets::ImportDialog(file.fileName(), &m_window);
    dialog->offerResults();
    connect(dialog, &widgets::ImportDialog::resultsFolderWanted, this, [this, dialog, path] {
        const QString folder = QFileDialog::getExistingDirectory(dialog, tr("Folder with the result files"),
                                                                 QFileInfo(path).absolutePath());
        if (!folder.isEmpty())
            readConfiguration(*dialog, path, folder);
    });
    const QString usual = file.dir().filePath(QStringLiteral("results"));
    readConfiguration(*dialog, path, QFileInfo(usual).isDir() ? usual : QString());
    open(dialog);
}

void Exchange::readConfiguration(widgets::ImportDialog& dialog, const QString& path, const QString& results)
{
    try {
        exchange::ImportedStudy imported =
            exchange::importDoehelper(path.toStdU16String(), results.toStdU16String());
        exchange::checkImported(imported, path.toStdString());
        dialog.setOutcome(widgets::makeImportOutcome(imported));
    } catch (const std::exception& error) {
        dialog.setOutcome(widgets::failedOutcome(error));
    }
}

void Exchange::open(widgets::ImportDialog* dialog)
{
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { emit studyImported(dialog->study()); });
    dialog->open();
}

void Exchange::chooseExport()
{
    QStringList filters;
    for (const exchange::Format& format : exchange::formats())
        filters << filterOf(format);
    const QFileInfo present(QString::fromStdU16String(m_editor.context()->path.u16string()));
    QString filter;
    const QString path = QFileDialog::getSaveFileName(
        &m_window, tr("Export"), present.dir().filePath(present.completeBaseName() + QStringLiteral(".csv")),
        filters.join(QStringLiteral(";;")), &filter);
    if (!path.isEmpty())
        exportTo(path, filter);
}

void Exchange::exportTo(const QString& path, const QString& filter)
{
    const exchange::Format* format = chooseExportFormat(path, filter);
    if (format == nullptr)
        return emit failed(tr("The export failed"),
                           tr("No format that can be written has the ending of %1.").arg(path));
    const QString ending = QLatin1Char('.') + widgets::fromUtf8(format->name);
    const QString file = QFileInfo(path).suffix().isEmpty() ? path + ending : path;
    try {
        const auto& context = format->needsFits ? *m_editor.analyzed() : *m_editor.context();
        study::writeOutput(file.toStdU16String(), format->write(context.study, context.fits));
        emit done(tr("Exported to %1: %2.").arg(file, widgets::fromUtf8(format->what)));
    } catch (const std::exception& error) {
        emit failed(tr("The export failed"), QString::fromUtf8(error.what()));
    }
}

void Exchange::copyRuns()
{
    QGuiApplication::clipboard()->setText(
        QString::fromStdString(exchange::delimitedRuns(m_editor.context()->study, '\t')));
    emit done(tr("The runs are on the clipboard, for a spreadsheet."));
}

void Exchange::copyTables()
{
    const auto& context = *m_editor.analyzed();
    QGuiApplication::clipboard()->setText(
        QString::fromStdString(exchange::markdownTables(context.study, context.fits)));
    emit done(tr("Runs and models are on the clipboard, as Markdown."));
}

void Exchange::showAudit()
{
    auto* dialog = new widgets::AuditDialog(m_editor.context()->study, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &widgets::AuditDialog::claimsFileWanted, this, [this, dialog] { chooseClaims(*dialog); });
    try {
        if (const auto claims = exchange::readClaimsIfThere(exchange::claimsBeside(m_editor.context()->path)))
            dialog->setClaims(*claims);
    } catch (const std::exception& error) {
        emit failed(tr("The claims cannot be read"), QString::fromUtf8(error.what()));
    }
    dialog->open();
}

void Exchange::chooseComparison()
{
    const QString path = QFileDialog::getOpenFileName(
        &m_window, tr("Compare with"),
        QFileInfo(QString::fromStdU16String(m_editor.context()->path.u16string())).absolutePath(),
        tr("Studies (*.quadric)"));
    if (!path.isEmpty())
        compareWith(path);
}

void Exchange::compareWith(const QString& path)
{
    try {
        const study::LoadedStudy other = study::loadStudy(path.toStdU16String());
        auto* dialog = new widgets::StudyComparisonDialog(other.study, m_editor.context()->study, &m_window);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    } catch (const std::exception& error) {
        emit failed(tr("The study cannot be read"), QString::fromUtf8(error.what()));
    }
}

void Exchange::chooseClaims(widgets::AuditDialog& dialog)
{
    const QString path = QFileDialog::getOpenFileName(
        &dialog, tr("Claims"),
        QFileInfo(QString::fromStdU16String(m_editor.context()->path.u16string())).absolutePath(),
        tr("Claims (*.json);;All files (*)"));
    if (path.isEmpty())
        return;
    try {
        dialog.setClaims(
            exchange::parseClaims(study::readTextFile(path.toStdU16String()), path.toStdString()));
    } catch (const std::exception& error) {
        emit failed(tr("The claims cannot be read"), QString::fromUtf8(error.what()));
    }
}

} // namespace quadric::app
