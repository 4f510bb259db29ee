// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/proposal/torch_report.h"

#include "core/text/numbers.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace quadric::run {

namespace {

using Json = nlohmann::json;

std::string textOf(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
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

} // namespace quadric::run
