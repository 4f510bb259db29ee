// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/launch/trainer_devices.h"

#include "core/run/launch/launch.h"

#include <nlohmann/json.hpp>

#include <chrono>

namespace quadric::run {

namespace {

using Json = nlohmann::json;

constexpr std::chrono::seconds kLongestAnswer{30};

std::string textOf(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

double numberOf(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_number() ? found->get<double>() : 0.0;
}

Json listOf(const Json& object, const char* name)
{
    const auto found = object.find(name);
    return found != object.end() && found->is_array() ? *found : Json::array();
}

std::string userOf(const Json& user)
{
    const std::string number = "process " + std::to_string(static_cast<long>(numberOf(user, "pid")));
    const std::string name = textOf(user, "name");
    return name.empty() ? number : name + " (" + number + ")";
}

std::string usersOf(const Json& gpu)
{
    std::string users;
    for (const Json& user : listOf(gpu, "used_by")) {
        users += users.empty() ? "" : ", ";
        users += userOf(user);
    }
    return users;
}

TrainerGpu gpuOf(const Json& json)
{
    constexpr double kGib = 1024.0 * 1024.0 * 1024.0;
    TrainerGpu gpu;
    gpu.index = static_cast<int>(numberOf(json, "index"));
    gpu.name = textOf(json, "name");
    gpu.pci = textOf(json, "pci");
    gpu.memoryGib = numberOf(json, "memory_bytes") / kGib;
    gpu.freeGib = numberOf(json, "memory_free_bytes") / kGib;
    for (const Json& peer : listOf(json, "nvlink_peers")) {
        if (peer.is_number_integer())
            gpu.nvlinkPeers.push_back(peer.get<int>());
    }
    gpu.users = usersOf(json);
    return gpu;
}

} // namespace

TrainerDevices parseTrainerDevices(const QByteArray& output)
{
    TrainerDevices devices;
    const Json event = Json::parse(output.toStdString(), nullptr, false);
    const auto device = event.is_object() ? event.find("device") : event.end();
    if (device == event.end() || !device->is_object())
        return devices;
    for (const Json& gpu : listOf(*device, "gpus")) {
        if (gpu.is_object())
            devices.gpus.push_back(gpuOf(gpu));
    }
    devices.driver = textOf(*device, "gpu_driver");
    devices.about = textOf(*device, "gpus_about");
    return devices;
}

TrainerDevicesQuestion::TrainerDevicesQuestion(QObject* parent)
    : QObject(parent)
{
    m_process.setStandardErrorFile(QProcess::nullDevice());
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_limit.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, &m_process, &QProcess::kill);
    connect(&m_process, &QProcess::finished, this, [this](int status, QProcess::ExitStatus how) {
        m_limit.stop();
        if (how == QProcess::NormalExit && status == 0)
            emit answered(parseTrainerDevices(m_process.readAllStandardOutput()));
    });
}

TrainerDevicesQuestion::~TrainerDevicesQuestion()
{
    m_process.disconnect(this);
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.kill();
    m_process.waitForFinished();
}

void TrainerDevicesQuestion::start()
{
    const QString program = trainerProgram();
    if (program.isEmpty())
        return;
    m_limit.start(kLongestAnswer);
    m_process.start(program,
                    {QStringLiteral("--devices"), QStringLiteral("--format"), QStringLiteral("json")});
}

} // namespace quadric::run
