// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/translations.h"

#include "core/report/catalogue_lookup.h"
#include "widgets/text/translate.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QStandardPaths>
#include <QStringList>
#include <QTranslator>

#include <string>
#include <string_view>

namespace quadric::app {

namespace {

QStringList folders()
{
    QStringList all =
        QStandardPaths::locateAll(QStandardPaths::GenericDataLocation, QStringLiteral("quadric/translations"),
                                  QStandardPaths::LocateDirectory);
    return all << QCoreApplication::applicationDirPath() + QStringLiteral("/../share/quadric/translations");
}

/// Installs the first of these files that there is in one of the folders.
bool install(QCoreApplication& application, const QString& name, const QStringList& from)
{
    auto* translator = new QTranslator(&application);
    for (const QString& folder : from)
        if (translator->load(QLocale(), name, QStringLiteral("_"), folder))
            return QCoreApplication::installTranslator(translator);
    delete translator;
    return false;
}

std::string lookUp(std::string_view pattern)
{
    return widgets::catalogueText(pattern).toStdString();
}

} // namespace

void loadTranslations(QCoreApplication& application)
{
    if (!install(application, QStringLiteral("quadric"), folders()))
        return;
    install(application, QStringLiteral("qtbase"), {QLibraryInfo::path(QLibraryInfo::TranslationsPath)});
    translateCatalogue();
}

void translateCatalogue()
{
    report::setPatternLookup(&lookUp);
}

} // namespace quadric::app
