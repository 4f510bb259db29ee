// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/proposal/script_settings.h"

#include "core/run/recipe/baseline_needs.h"
#include "core/study/response.h"
#include "core/text/numbers.h"

#include <QRegularExpression>
#include <QString>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <utility>
#include <vector>

namespace quadric::run {

namespace {

using Json = nlohmann::json;

std::string textOf(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

constexpr std::size_t kMostScript = 1 << 20; ///< bytes; nobody types more
constexpr int kMostRanks = 8;                ///< more are for the user to ask for

QString withoutComments(const std::string& script)
{
    static const QRegularExpression comment(QStringLiteral("^\\s*#.*$"), QRegularExpression::MultilineOption);
    return QString::fromStdString(script).remove(comment);
}

/// Half the default to twice it; empty for what is no positive number.
std::optional<study::Factor> aroundDefault(const std::string& name, const QString& value)
{
    bool isNumber = false;
    const double usual = QString(value).remove(QLatin1Char('_')).toDouble(&isNumber);
    if (!isNumber || !(usual > 0.0))
        return std::nullopt;
    study::Factor factor{.name = name, .low = usual / 2.0, .high = 2.0 * usual, .scale = study::Scale::Log2};
    if (value.contains(QLatin1Char('.')) || value.contains(QLatin1Char('e')))
        return factor;
    factor.type = study::FactorType::Integer;
    factor.low = std::max(1.0, std::floor(factor.low));
    return factor;
}

std::optional<study::Factor> factorOf(const std::string& name, const QString& value)
{
    if (value == QLatin1String("True") || value == QLatin1String("False"))
        return study::Factor{
            .name = name, .type = study::FactorType::Categorical, .categories = {"no", "yes"}};
    return aroundDefault(name, value);
}

/// One for each call of setting("name", default).
std::vector<study::Factor> parseScriptFactors(const QString& script)
{
    static const QRegularExpression call(
        QStringLiteral("\\bsetting\\(\\s*(['\"])([A-Za-z_][\\w-]*)\\1\\s*,\\s*([\\w.+-]+)\\s*\\)"));
    std::vector<study::Factor> factors;
    for (auto calls = call.globalMatch(script); calls.hasNext();) {
        const QRegularExpressionMatch found = calls.next();
        const auto factor = factorOf(found.captured(2).toStdString(), found.captured(3));
        if (factor && std::ranges::find(factors, factor->name, &study::Factor::name) == factors.end())
            factors.push_back(*factor);
    }
    return factors;
}

/// The number of ranks, where the script has several and the machine room for them.
void addRanks(study::Study& study, const QString& script, int mostRanks)
{
    const int most = std::min(mostRanks, kMostRanks);
    study::Factor ranks{.name = "gpus", .type = study::FactorType::Integer, .low = 1.0, .high = double(most)};
    if (const study::Factor* named = study::rankFactorOf(study)) {
        ranks.name = named->name;
        study.factors.erase(study.factors.begin() + (named - study.factors.data()));
    } else if (!script.contains(QLatin1String("distributed"))) {
        return;
    }
    if (most > 1)
        study.factors.insert(study.factors.begin(), std::move(ranks));
}

/// "tokens", "images", …; empty where steps have no items.
std::string itemsOf(const QString& script)
{
    static const QRegularExpression unit(QStringLiteral("\\bunit\\s*=\\s*(['\"])([A-Za-z_]\\w*)\\1"));
    static const QRegularExpression items(QStringLiteral("\\bitems(_per_rank)?\\s*="));
    const QRegularExpressionMatch found = unit.match(script);
    if (found.hasMatch())
        return found.captured(2).toStdString();
    return items.match(script).hasMatch() ? "items" : "";
}

study::Response speedIn(const std::string& items)
{
    const std::string unit = items == "tokens" ? "tok" : items == "images" ? "img" : items;
    return {.name = (items.empty() ? "steps" : items) + "_per_sec",
            .unit = unit.empty() ? "1/s" : unit + "/s",
            .goal = study::Goal::Maximize};
}

} // namespace

std::string torchScript()
{
    return "import json, platform, torch\n"
           "print(json.dumps({'python': platform.python_version(), 'torch': str(torch.__version__),\n"
           "                  'cuda': torch.version.cuda or '', 'gpus': torch.cuda.device_count()}))\n";
}

std::optional<TorchReport> readTorchReport(const std::string& output)
{
    const std::size_t begin = output.rfind("{\"python\"");
    if (begin == std::string::npos)
        return std::nullopt;
    const Json json = Json::parse(output.substr(begin, output.find('\n', begin) - begin), nullptr, false);
    if (!json.is_object() || textOf(json, "python").empty() || textOf(json, "torch").empty())
        return std::nullopt;
    TorchReport report{textOf(json, "python"), textOf(json, "torch"), textOf(json, "cuda")};
    if (const auto gpus = json.find("gpus"); gpus != json.end() && gpus->is_number_integer())
        report.gpus = std::max(0, gpus->get<int>());
    return report;
}

std::string describeTorch(const std::optional<TorchReport>& report)
{
    if (!report)
        return "python3 here has no PyTorch: install it, or name the Python that has it in the command.";
    const std::string cuda = report->cuda.empty() ? "without CUDA" : "for CUDA " + report->cuda;
    const std::string gpus = report->gpus == 0 ? "it sees no GPU and trains on the processor"
                                               : "it sees " + text::formatCount(report->gpus, "GPU");
    return "python3 here is Python " + report->python + " with PyTorch " + report->torch + ' ' + cuda + "; " +
           gpus + '.';
}

std::string readWorkerScript(const std::filesystem::path& file)
{
    if (file.extension() != ".py")
        return {};
    std::ifstream stream(file);
    std::string text(kMostScript, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(stream.gcount()));
    const bool isMeasured = text.find("import quadric_worker") != std::string::npos ||
                            text.find("from quadric_worker import") != std::string::npos;
    return isMeasured ? text : std::string();
}

study::Study withScriptSettings(study::Study study, const std::string& script, int mostRanks)
{
    if (script.empty() || !study.factors.empty() || !study.responses.empty())
        return study;
    const QString text = withoutComments(script);
    study.factors = parseScriptFactors(text);
    addRanks(study, text, mostRanks);
    study.responses.push_back(speedIn(itemsOf(text)));
    if (!study::rankFactorOf(study))
        return study;
    if (text.contains(QLatin1String("items_per_rank"))) // the same on more ranks
        study.fixed.try_emplace("scaling", std::string("weak"));
    study.responses.push_back({.name = kScalingEfficiency,
                               .unit = "%",
                               .goal = study::Goal::Maximize,
                               .bounds = study::knownBounds(kScalingEfficiency)});
    return study;
}

} // namespace quadric::run
