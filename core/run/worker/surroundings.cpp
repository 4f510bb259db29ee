// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/surroundings.h"

#include "core/run/words/worker_protocol.h"
#include "core/text/secrets.h"

#include <QProcessEnvironment>
#include <QSysInfo>

#include <algorithm>
#include <array>

namespace quadric::run {

namespace {

constexpr qsizetype kMostBytes = qsizetype{1} << 20;

/// No lock is taken, and an object that a partial clone lacks is not fetched: every transport executes
/// something.
QProcessEnvironment harmlessEnvironment()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("GIT_OPTIONAL_LOCKS"), QStringLiteral("0"));
    environment.insert(QStringLiteral("GIT_NO_LAZY_FETCH"), QStringLiteral("1"));
    environment.insert(QStringLiteral("GIT_ALLOW_PROTOCOL"), QStringLiteral("none"));
    environment.insert(QStringLiteral("GIT_TERMINAL_PROMPT"), QStringLiteral("0"));
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C"));
    return environment;
}

/// In alphabetical order. Each is a setting that decides about speed, devices, libraries or the place in a
/// cluster; none is meant for anything secret.
constexpr auto kHarmlessNames = std::to_array<std::string_view>({
    "ATEN_CPU_CAPABILITY",
    "BLIS_NUM_THREADS",
    "CONDA_DEFAULT_ENV",
    "CUBLASLT_WORKSPACE_SIZE",
    "CUBLAS_WORKSPACE_CONFIG",
    "CUDA_CACHE_DISABLE",
    "CUDA_CACHE_MAXSIZE",
    "CUDA_DEVICE_MAX_CONNECTIONS",
    "CUDA_DEVICE_ORDER",
    "CUDA_HOME",
    "CUDA_LAUNCH_BLOCKING",
    "CUDA_MODULE_LOADING",
    "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE",
    "CUDA_PATH",
    "CUDA_VISIBLE_DEVICES",
    "CUDNN_LOGINFO_DBG",
    "DNNL_CPU_RUNTIME",
    "DNNL_MAX_CPU_ISA",
    "DNNL_VERBOSE",
    "GLOO_SOCKET_IFNAME",
    "GOMP_CPU_AFFINITY",
    "GOMP_SPINCOUNT",
    "GOTO_NUM_THREADS",
    "HIP_VISIBLE_DEVICES",
    "I_MPI_FABRICS",
    "I_MPI_PIN",
    "I_MPI_PIN_DOMAIN",
    "KMP_AFFINITY",
    "KMP_BLOCKTIME",
    "KMP_HW_SUBSET",
    "KMP_SETTINGS",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "LOCAL_RANK",
    "LOCAL_WORLD_SIZE",
    "MALLOC_ARENA_MAX",
    "MALLOC_CONF",
    "MKL_CBWR",
    "MKL_DEBUG_CPU_TYPE",
    "MKL_DYNAMIC",
    "MKL_ENABLE_INSTRUCTIONS",
    "MKL_INTERFACE_LAYER",
    "MKL_NUM_THREADS",
    "MKL_THREADING_LAYER",
    "NCCL_ALGO",
    "NCCL_ASYNC_ERROR_HANDLING",
    "NCCL_BUFFSIZE",
    "NCCL_COLLNET_ENABLE",
    "NCCL_CROSS_NIC",
    "NCCL_CUMEM_ENABLE",
    "NCCL_DEBUG",
    "NCCL_DEBUG_SUBSYS",
    "NCCL_DMABUF_ENABLE",
    "NCCL_IB_ADAPTIVE_ROUTING",
    "NCCL_IB_CUDA_SUPPORT",
    "NCCL_IB_DISABLE",
    "NCCL_IB_GID_INDEX",
    "NCCL_IB_HCA",
    "NCCL_IB_QPS_PER_CONNECTION",
    "NCCL_IB_RETRY_CNT",
    "NCCL_IB_SL",
    "NCCL_IB_TC",
    "NCCL_IB_TIMEOUT",
    "NCCL_IGNORE_CPU_AFFINITY",
    "NCCL_LAUNCH_MODE",
    "NCCL_MAX_CTAS",
    "NCCL_MAX_NCHANNELS",
    "NCCL_MIN_CTAS",
    "NCCL_MIN_NCHANNELS",
    "NCCL_NET",
    "NCCL_NET_GDR_LEVEL",
    "NCCL_NET_GDR_READ",
    "NCCL_NET_PLUGIN",
    "NCCL_NTHREADS",
    "NCCL_NVLS_ENABLE",
    "NCCL_P2P_DISABLE",
    "NCCL_P2P_LEVEL",
    "NCCL_PROTO",
    "NCCL_PXN_DISABLE",
    "NCCL_SHM_DISABLE",
    "NCCL_SOCKET_FAMILY",
    "NCCL_SOCKET_IFNAME",
    "NCCL_SOCKET_NTHREADS",
    "NCCL_TIMEOUT",
    "NCCL_TOPO_FILE",
    "NCCL_TUNER_PLUGIN",
    "NVIDIA_DRIVER_CAPABILITIES",
    "NVIDIA_TF32_OVERRIDE",
    "NVIDIA_VISIBLE_DEVICES",
    "OMPI_COMM_WORLD_LOCAL_RANK",
    "OMPI_COMM_WORLD_RANK",
    "OMPI_COMM_WORLD_SIZE",
    "OMP_DISPLAY_ENV",
    "OMP_DYNAMIC",
    "OMP_MAX_ACTIVE_LEVELS",
    "OMP_NESTED",
    "OMP_NUM_THREADS",
    "OMP_PLACES",
    "OMP_PROC_BIND",
    "OMP_SCHEDULE",
    "OMP_STACKSIZE",
    "OMP_THREAD_LIMIT",
    "OMP_WAIT_POLICY",
    "ONEDNN_MAX_CPU_ISA",
    "ONEDNN_VERBOSE",
    "OPENBLAS_CORETYPE",
    "OPENBLAS_NUM_THREADS",
    "PATH",
    "PYTHONPATH",
    "PYTORCH_CUDA_ALLOC_CONF",
    "PYTORCH_NO_CUDA_MEMORY_CACHING",
    "QUADRIC_RENDEZVOUS",
    "RANK",
    "ROCR_VISIBLE_DEVICES",
    "SLURM_CLUSTER_NAME",
    "SLURM_CONF",
    "SLURM_CPUS_ON_NODE",
    "SLURM_CPUS_PER_TASK",
    "SLURM_CPU_BIND",
    "SLURM_DISTRIBUTION",
    "SLURM_GPUS",
    "SLURM_GPUS_ON_NODE",
    "SLURM_GPUS_PER_NODE",
    "SLURM_GPUS_PER_TASK",
    "SLURM_JOBID",
    "SLURM_JOB_CPUS_PER_NODE",
    "SLURM_JOB_GPUS",
    "SLURM_JOB_ID",
    "SLURM_JOB_NODELIST",
    "SLURM_JOB_NUM_NODES",
    "SLURM_JOB_PARTITION",
    "SLURM_LOCALID",
    "SLURM_MEM_PER_CPU",
    "SLURM_MEM_PER_NODE",
    "SLURM_NNODES",
    "SLURM_NODEID",
    "SLURM_NODELIST",
    "SLURM_NPROCS",
    "SLURM_NTASKS",
    "SLURM_NTASKS_PER_NODE",
    "SLURM_PROCID",
    "SLURM_RESTART_COUNT",
    "SLURM_STEP_ID",
    "SLURM_STEP_NODELIST",
    "SLURM_STEP_NUM_NODES",
    "SLURM_STEP_NUM_TASKS",
    "SLURM_STEP_TASKS_PER_NODE",
    "SLURM_TASKS_PER_NODE",
    "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE",
    "TORCH_CUDA_ARCH_LIST",
    "TORCH_CUDNN_V8_API_ENABLED",
    "TORCH_DISTRIBUTED_DEBUG",
    "TORCH_HOME",
    "TORCH_NCCL_ASYNC_ERROR_HANDLING",
    "TORCH_NCCL_AVOID_RECORD_STREAMS",
    "TORCH_NCCL_BLOCKING_WAIT",
    "UCX_IB_GPU_DIRECT_RDMA",
    "UCX_MAX_RNDV_RAILS",
    "UCX_MEMTYPE_CACHE",
    "UCX_NET_DEVICES",
    "UCX_RNDV_SCHEME",
    "UCX_RNDV_THRESH",
    "UCX_TLS",
    "VIRTUAL_ENV",
    "WORLD_SIZE",
    "XLA_FLAGS",
    "XLA_PYTHON_CLIENT_ALLOCATOR",
    "XLA_PYTHON_CLIENT_MEM_FRACTION",
    "XLA_PYTHON_CLIENT_PREALLOCATE",
});
static_assert(std::ranges::is_sorted(kHarmlessNames));

constexpr std::size_t kMostValueBytes = 1000;

bool isHarmless(const std::string& name, const std::string& value)
{
    return std::ranges::binary_search(kHarmlessNames, name) && text::withoutSecrets(value) == value;
}

} // namespace

std::optional<Revision> parseRevision(const QByteArray& text)
{
    constexpr auto kCommit = "# branch.oid ";
    std::optional<Revision> revision;
    for (const QByteArray& line : text.split('\n')) {
        if (line.startsWith(kCommit)) {
            const QByteArray commit = line.mid(qstrlen(kCommit)).trimmed();
            revision = Revision{commit == "(initial)" ? "" : commit.toStdString(), false};
        } else if (revision && !line.isEmpty() && !line.startsWith('#')) {
            revision->hasChanges = true;
        }
    }
    return revision;
}

CodeRevision::CodeRevision(const QString& folder)
{
    m_git.setProcessEnvironment(harmlessEnvironment());
    m_git.setWorkingDirectory(folder);
    m_git.setStandardErrorFile(QProcess::nullDevice());
    m_git.setStandardInputFile(QProcess::nullDevice());
    connect(&m_git, &QProcess::readyReadStandardOutput, this, [this] {
        const QByteArray bytes = m_git.readAllStandardOutput();
        if (m_text.size() < kMostBytes)
            m_text += bytes;
    });
    connect(&m_git, &QProcess::finished, this, &CodeRevision::takeAnswer);
    ask({QStringLiteral("ls-files"), QStringLiteral("--cached"), QStringLiteral("-z"), QStringLiteral("--"),
         QStringLiteral(":(top)"), QStringLiteral(":(top,exclude,attr:!filter)")});
}

CodeRevision::~CodeRevision()
{
    m_git.disconnect(this);
    if (m_git.state() == QProcess::NotRunning)
        return;
    m_git.kill();
    m_git.waitForFinished();
}

/// Options of the command line win over what the repository configures.
void CodeRevision::ask(const QStringList& arguments)
{
    m_text.clear();
    m_git.start(QStringLiteral("git"),
                QStringList{QStringLiteral("-c"), QStringLiteral("core.fsmonitor=false"),
                            QStringLiteral("-c"), QStringLiteral("core.hooksPath=/dev/null")} +
                    arguments);
}

void CodeRevision::takeAnswer()
{
    const bool isGood = m_git.exitStatus() == QProcess::NormalExit && m_git.exitCode() == 0;
    if (m_step == Step::Filters) {
        const bool hasFilters = !isGood || !m_text.isEmpty();
        m_step = hasFilters ? Step::Commit : Step::Status;
        ask(hasFilters
                ? QStringList{QStringLiteral("rev-parse"), QStringLiteral("--verify"), QStringLiteral("HEAD")}
                : QStringList{QStringLiteral("status"), QStringLiteral("--porcelain=v2"),
                              QStringLiteral("--branch"), QStringLiteral("--no-ahead-behind"),
                              QStringLiteral("--no-renames"), QStringLiteral("--untracked-files=no"),
                              QStringLiteral("--ignore-submodules=all")});
    } else if (isGood) {
        m_found = m_step == Step::Status ? parseRevision(m_text)
                                         : std::optional(Revision{m_text.trimmed().toStdString()});
    }
}

void keepHarmless(std::map<std::string, std::string>& environment)
{
    std::erase_if(environment, [](const auto& entry) { return !isHarmless(entry.first, entry.second); });
}

void recordSurroundings(const Launch& launch, study::Provenance& provenance)
{
    provenance.environment.clear();
    for (const QString& name : launch.environment.keys()) {
        const std::string value = launch.environment.value(name).toStdString();
        if (isHarmless(name.toStdString(), value))
            provenance.environment[name.toStdString()] = cleanText(value, kMostValueBytes);
    }
    provenance.kernel = QSysInfo::kernelVersion().toStdString();
}

} // namespace quadric::run
