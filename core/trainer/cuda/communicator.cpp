// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/communicator.h"

#include "core/machine/processor.h"
#include "core/trainer/base/hash.h"
#include "core/trainer/cuda/kernels/check.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <future>
#include <set>
#include <span>
#include <sstream>
#include <thread>

#include <unistd.h>

namespace quadric::trainer::cuda {

namespace {

std::uint64_t hashOf(const std::string& text)
{
    Hash hash;
    hash.add(text);
    return hash.value();
}

std::string pciIdOf(int device)
{
    std::array<char, 32> text{};
    QUADRIC_CHECKED(cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), device));
    return text.data();
}

} // namespace

std::vector<std::uint64_t> gatherNumbers(Collective& collective, std::uint64_t mine)
{
    std::vector<std::uint64_t> all(static_cast<std::size_t>(collective.size()));
    collective.gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
    return all;
}

int placeAmongEqual(const std::vector<std::uint64_t>& numbers, int rank)
{
    const auto mine = numbers.begin() + rank;
    return static_cast<int>(std::count(numbers.begin(), mine, *mine));
}

RankDevice takeDevice(Collective& collective)
{
    int count = 0;
    QUADRIC_CHECKED(cudaGetDeviceCount(&count));
    const std::string host = machine::readHostName();
    const std::vector<std::uint64_t> hosts = gatherNumbers(collective, hashOf(host));
    const int place = placeAmongEqual(hosts, collective.rank());
    RankDevice device;
    device.ranksOnHost = static_cast<int>(std::ranges::count(hosts, hashOf(host)));
    device.index = place % count;
    QUADRIC_CHECKED(cudaSetDevice(device.index));
    cudaDeviceProp properties{};
    QUADRIC_CHECKED(cudaGetDeviceProperties(&properties, device.index));
    device.name = properties.name;
    device.isPart = device.name.find(" MIG ") != std::string::npos;
    device.pciId = pciIdOf(device.index);
    const auto all = gatherNumbers(collective, hashOf(host + ' ' + device.pciId));
    device.ranksOnIt = static_cast<int>(std::ranges::count(all, hashOf(host + ' ' + device.pciId)));
    device.anyIsShared = std::set(all.begin(), all.end()).size() < all.size();
    return device;
}

namespace {

/// The identifier that rank 0 made.
ncclUniqueId sharedIdentifier(Collective& collective)
{
    ncclUniqueId mine{};
    if (collective.rank() == 0)
        QUADRIC_CHECKED(ncclGetUniqueId(&mine));
    std::vector<ncclUniqueId> all(static_cast<std::size_t>(collective.size()));
    collective.gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
    return all.front();
}

struct Joined {
    ncclComm_t communicator = nullptr;
    ncclResult_t status = ncclSuccess;
};

/// In a thread of its own, which is left behind where a rank that ended on the way is waited for without end.
ncclComm_t connect(Collective& collective)
{
    const ncclUniqueId identifier = sharedIdentifier(collective);
    int device = 0;
    QUADRIC_CHECKED(cudaGetDevice(&device));
    std::packaged_task<Joined()> join([=, size = collective.size(), rank = collective.rank()] {
        Joined mine;
        if (cudaSetDevice(device) == cudaSuccess)
            mine.status = ncclCommInitRank(&mine.communicator, size, identifier, rank);
        else
            mine.status = ncclUnhandledCudaError;
        return mine;
    });
    std::future<Joined> joined = join.get_future();
    std::thread(std::move(join)).detach();
    if (joined.wait_for(Communicator::kLongestWait) != std::future_status::ready)
        throw Failure(kCommunication, "the other ranks did not join NCCL within " +
                                          std::to_string(Communicator::kLongestWait.count()) + " s");
    const Joined mine = joined.get();
    check(mine.status, "ncclCommInitRank");
    return mine.communicator;
}

/// NCCL reads the variables once, when it is first called in a process. Empty where the user has set them.
std::string logOfNccl()
{
    static const std::string file = [] {
        if (std::getenv("NCCL_DEBUG") != nullptr || std::getenv("NCCL_DEBUG_FILE") != nullptr)
            return std::string();
        std::error_code error;
        const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
        std::string name = (folder / ("quadric-nccl-" + std::to_string(getpid()) + ".log")).string();
        setenv("NCCL_DEBUG", "INFO", 1);
        setenv("NCCL_DEBUG_SUBSYS", "INIT,BOOTSTRAP,ENV,TUNING", 0); // as usual, and how messages go
        setenv("NCCL_DEBUG_FILE", name.c_str(), 1);
        return name;
    }();
    return file;
}

ncclDataType_t typeOf(WireType type)
{
    switch (type) {
    case WireType::Bf16:
        return ncclBfloat16;
    case WireType::Fp16:
        return ncclFloat16;
    case WireType::Fp32:
        break;
    }
    return ncclFloat32;
}

} // namespace

Communicator::Communicator(Collective& collective)
    : m_size(collective.size())
    , m_exceptions(std::uncaught_exceptions())
    , m_log(logOfNccl())
    , m_communicator(connect(collective))
{
}

Communicator::~Communicator()
{
    const bool isWell = m_communicator && std::uncaught_exceptions() == m_exceptions;
    if (isWell && ncclCommFinalize(m_communicator.get()) == ncclSuccess)
        ncclCommDestroy(m_communicator.release());
    std::error_code ignored;
    if (!m_log.empty())
        std::filesystem::remove(m_log, ignored);
}

NcclPaths Communicator::paths() const
{
    std::ifstream file(m_log);
    std::ostringstream text;
    text << file.rdbuf();
    return readNcclLog(text.str());
}

void Communicator::sum(float* values, std::size_t count, cudaStream_t stream) const
{
    sum(values, count, WireType::Fp32, stream);
}

void Communicator::sum(void* values, std::size_t count, WireType type, cudaStream_t stream) const
{
    QUADRIC_CHECKED(
        ncclAllReduce(values, values, count, typeOf(type), ncclSum, m_communicator.get(), stream));
}

void Communicator::gather(const void* mine, void* all, std::size_t bytes, cudaStream_t stream) const
{
    QUADRIC_CHECKED(ncclAllGather(mine, all, bytes, ncclUint8, m_communicator.get(), stream));
}

void Communicator::wait(const Stream& stream) const
{
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds kLook{20};
    const Clock::time_point begin = Clock::now();
    Clock::time_point next = begin + kLook;
    while (!stream.isDone()) {
        const Clock::time_point now = Clock::now();
        if (now < next) {
            std::this_thread::yield(); // a sleep would be part of the measured step
            continue;
        }
        next = now + kLook;
        ncclResult_t error = ncclSuccess;
        QUADRIC_CHECKED(ncclCommGetAsyncError(m_communicator.get(), &error));
        if (error != ncclInProgress)
            check(error, "the exchange of the gradients");
        if (now - begin > kLongestWait)
            throw Failure(kCommunication, "the other ranks have sent nothing for " +
                                              std::to_string(kLongestWait.count()) + " s");
    }
}

std::string ncclVersionText()
{
    int version = 0;
    QUADRIC_CHECKED(ncclGetVersion(&version));
    return "NCCL " + std::to_string(version / 10000) + '.' + std::to_string(version / 100 % 100) + '.' +
           std::to_string(version % 100);
}

} // namespace quadric::trainer::cuda
