// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/surroundings.h"

#include "core/run/words/worker_protocol.h"

#include <QRegularExpression>
#include <QSysInfo>

#include <algorithm>
#include <array>

namespace quadric::run {

namespace {

constexpr std::array kPrefixes = {"CUDA_",     "CUBLAS_",  "CUDNN_", "DNNL_",   "GLOO_", "GOMP_", "I_MPI_",
                                  "KMP_",      "MKL_",     "NCCL_",  "NVIDIA_", "OMP_",  "OMPI_", "ONEDNN_",
                                  "OPENBLAS_", "PYTORCH_", "SLURM_", "TORCH_",  "UCX_",  "XLA_"};
constexpr std::array kNames = {"LD_LIBRARY_PATH",  "LD_PRELOAD",        "PATH",
                               "PYTHONPATH",       "VIRTUAL_ENV",       "CONDA_DEFAULT_ENV",
                               "MALLOC_ARENA_MAX", "CUDA_DEVICE_ORDER", "QUADRIC_RENDEZVOUS"};
constexpr std::array kSecrets = {"TOKEN", "KEY", "PASS", "SECRET", "CREDENTIAL", "AUTH", "COOKIE"};
constexpr std::size_t kMostValueBytes = 1000;

bool matters(const QString& name)
{
    return std::ranges::any_of(kNames, [&name](const char* each) { return name == QLatin1String(each); }) ||
           std::ranges::any_of(kPrefixes,
                               [&name](const char* each) { return name.startsWith(QLatin1String(each)); });
}

bool maySayASecret(const QString& name, const QString& value)
{
    static const QRegularExpression withPassword(QStringLiteral("://[^/\\s]*@"));
    return value.contains(withPassword) || std::ranges::any_of(kSecrets, [&name](const char* word) {
               return name.contains(QLatin1String(word), Qt::CaseInsensitive);
           });
}

} // namespace

void noteSurroundings(const Launch& launch, study::Provenance& provenance)
{
    provenance.environment.clear();
    for (const QString& name : launch.environment.keys()) {
        const QString value = launch.environment.value(name);
        if (matters(name) && !maySayASecret(name, value))
            provenance.environment[name.toStdString()] = cleanText(value.toStdString(), kMostValueBytes);
    }
    provenance.kernel = QSysInfo::kernelVersion().toStdString();
}

} // namespace quadric::run
