// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/document/html_profiler.h"

#include "widgets/text/translate.h"

#include <QCryptographicHash>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

namespace quadric::widgets {

namespace {

QByteArray resource(const char* name)
{
    QFile file(QStringLiteral(":/report/") + QLatin1String(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Byte for byte what stands between the tags.
const QByteArray& scriptText()
{
    static const QByteArray text =
        "\n" + resource("profiler_model.js") + resource("profiler_numbers.js") + resource("profiler_view.js");
    return text;
}

QJsonObject words()
{
    return {{"hint", tr("Drag a line, choose it and press the arrow keys, or type a value. Hatched: cannot "
                        "be run. Dashed: extrapolation.")},
            {"response", tr("Response")},
            {"prediction", tr("Prediction")},
            {"interval", tr("95 % interval of a new run")},
            {"to", tr("to")},
            {"desirability", tr("d")},
            {"overall", tr("Overall desirability D")},
            {"infeasible", tr("Infeasible:")},
            {"extrapolation", tr("Extrapolation: outside the region covered by runs")},
            {"recommended", tr("This is the setting that the models recommend.")},
            {"feasible", tr("This setting can be run.")},
            {"back", tr("Back to the recommended setting")}};
}

} // namespace

QString profilerStyle()
{
    return QString::fromUtf8(resource("profiler.css"));
}

QString profilerSource()
{
    const QByteArray hash = QCryptographicHash::hash(scriptText(), QCryptographicHash::Sha256);
    return QStringLiteral("'sha256-%1'").arg(QString::fromLatin1(hash.toBase64()));
}

QString profilerMarkup(const std::string& models)
{
    const QByteArray said = QJsonDocument(words()).toJson(QJsonDocument::Compact).replace('<', "\\u003c");
    return QStringLiteral("<script type=\"application/json\" id=\"profiler-data\">{\"words\":") +
           QString::fromUtf8(said) + QStringLiteral(",\"model\":") + QString::fromStdString(models) +
           QStringLiteral("}</script>\n<script>") + QString::fromUtf8(scriptText()) +
           QStringLiteral("</script>\n");
}

} // namespace quadric::widgets
