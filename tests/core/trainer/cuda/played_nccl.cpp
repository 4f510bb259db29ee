// SPDX-License-Identifier: GPL-3.0-or-later
// NCCL of the played GPU, between threads of the test.
#include "core/trainer/base/number_format.h"

#include "played_gpu.h"

#include <condition_variable>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>

#include <nccl.h>

using namespace quadric::trainer;
using namespace quadric::trainer::testing;

namespace {

using Bytes = std::vector<std::byte>;

/// Where the ranks of a communicator meet: the last one computes for all.
struct Group {
    std::mutex mutex;
    std::condition_variable changed;
    int size = 0;
    int arrived = 0;
    std::uint64_t meetings = 0;
    std::vector<Bytes> given;
    Bytes result;

    template <typename Join> Bytes meet(int rank, const Bytes& mine, const Join& join)
    {
        std::unique_lock lock(mutex);
        given.resize(static_cast<std::size_t>(size));
        given[static_cast<std::size_t>(rank)] = mine;
        const std::uint64_t now = meetings;
        if (++arrived == size) {
            for (const Bytes& each : given) {
                if (each.size() != mine.size())
                    noteViolation("NCCL: ranks exchange messages of different sizes, or in different orders");
            }
            result = join(given);
            arrived = 0;
            ++meetings;
            changed.notify_all();
        } else if (!changed.wait_for(lock, std::chrono::seconds(100), [&] { return meetings != now; })) {
            noteViolation("NCCL: a rank waits for one that never comes");
            return mine;
        }
        return result;
    }
};

Bytes bytesAt(const void* data, std::size_t count)
{
    Bytes bytes(count);
    std::memcpy(bytes.data(), data, count);
    return bytes;
}

std::size_t sizeOf(ncclDataType_t type)
{
    return type == ncclFloat32 ? 4 : type == ncclUint8 ? 1 : 2;
}

float load(const Bytes& bytes, std::size_t i, ncclDataType_t type)
{
    if (type == ncclFloat32)
        return reinterpret_cast<const float*>(bytes.data())[i];
    const std::uint16_t bits = reinterpret_cast<const std::uint16_t*>(bytes.data())[i];
    return type == ncclFloat16 ? fromFp16(bits) : fromBf16(bits);
}

void store(Bytes& bytes, std::size_t i, ncclDataType_t type, float value)
{
    if (type == ncclFloat32)
        reinterpret_cast<float*>(bytes.data())[i] = value;
    else
        reinterpret_cast<std::uint16_t*>(bytes.data())[i] =
            type == ncclFloat16 ? toFp16(value) : toBf16(value);
}

Bytes summed(const std::vector<Bytes>& given, ncclDataType_t type)
{
    Bytes sum = given.front();
    for (std::size_t rank = 1; rank < given.size(); ++rank) {
        for (std::size_t i = 0; i < sum.size() / sizeOf(type); ++i)
            store(sum, i, type, load(sum, i, type) + load(given[rank], i, type));
    }
    return sum;
}

Bytes joined(const std::vector<Bytes>& given)
{
    Bytes all;
    for (const Bytes& each : given)
        all.insert(all.end(), each.begin(), each.end());
    return all;
}

} // namespace

struct ncclComm {
    std::shared_ptr<Group> group;
    int rank = 0;
};

extern "C" {

ncclResult_t ncclGetUniqueId(ncclUniqueId* id)
{
    static int next = 0;
    std::memset(id, 0, sizeof(*id));
    std::snprintf(id->internal, sizeof(id->internal), "played %d", ++next);
    return ncclSuccess;
}
ncclResult_t ncclCommInitRank(ncclComm_t* communicator, int size, ncclUniqueId id, int rank)
{
    static std::mutex mutex;
    static std::map<std::string, std::shared_ptr<Group>> groups;
    mustNotRecord("ncclCommInitRank");
    const std::lock_guard lock(mutex);
    std::shared_ptr<Group>& group = groups[id.internal];
    if (!group)
        group = std::make_shared<Group>();
    group->size = size;
    *communicator = new ncclComm{group, rank};
    return ncclSuccess;
}
ncclResult_t ncclCommAbort(ncclComm_t communicator)
{
    endOfExchange().emplace_back("communicator aborted");
    if (othersAreLost())
        dropWork();
    delete communicator;
    return ncclSuccess;
}
ncclResult_t ncclCommFinalize(ncclComm_t)
{
    if (othersAreLost())
        noteViolation("NCCL: waits for ranks that are gone before it ends");
    endOfExchange().emplace_back("communicator finalized");
    return ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t communicator)
{
    if (endOfExchange().empty() || endOfExchange().back() != "communicator finalized")
        noteViolation("NCCL: a communicator is destroyed that was not finalized");
    delete communicator;
    return ncclSuccess;
}
ncclResult_t ncclCommGetAsyncError(ncclComm_t, ncclResult_t* error)
{
    *error = lossIsReported() ? ncclRemoteError : ncclSuccess;
    return ncclSuccess;
}
ncclResult_t ncclAllReduce(const void* mine, void* sums, std::size_t count, ncclDataType_t type,
                           ncclRedOp_t operation, ncclComm_t communicator, cudaStream_t stream)
{
    if (ncclGetsNoMemory())
        return ncclUnhandledCudaError;
    const std::size_t bytes = count * sizeOf(type);
    if (operation != ncclSum || !isDeviceMemory(mine, bytes) || !isDeviceMemory(sums, bytes))
        noteViolation("NCCL: an all-reduce with something that is not on the GPU");
    enqueueCollective(stream, [=, group = communicator->group, rank = communicator->rank] {
        const Bytes all = group->meet(rank, bytesAt(mine, bytes), [type](const std::vector<Bytes>& given) {
            return summed(given, type);
        });
        std::memcpy(sums, all.data(), bytes);
    });
    return ncclSuccess;
}
ncclResult_t ncclAllGather(const void* mine, void* all, std::size_t count, ncclDataType_t type,
                           ncclComm_t communicator, cudaStream_t stream)
{
    const std::size_t bytes = count * sizeOf(type);
    const auto ranks = static_cast<std::size_t>(communicator->group->size);
    if (!isDeviceMemory(mine, bytes) || !isDeviceMemory(all, bytes * ranks))
        noteViolation("NCCL: an all-gather with something that is not on the GPU");
    enqueueCollective(stream, [=, group = communicator->group, rank = communicator->rank] {
        const Bytes found = group->meet(rank, bytesAt(mine, bytes), joined);
        std::memcpy(all, found.data(), found.size());
    });
    return ncclSuccess;
}
ncclResult_t ncclGetVersion(int* version)
{
    *version = 22809;
    return ncclSuccess;
}
const char* ncclGetErrorString(ncclResult_t)
{
    return "remote process exited";
}
const char* ncclGetLastError(ncclComm_t)
{
    return ncclGetsNoMemory() ? "Failed to CUDA calloc 536870912 bytes" : "played";
}
}
