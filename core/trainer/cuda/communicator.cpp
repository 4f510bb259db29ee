// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/communicator.h"

#include "core/trainer/cuda/check.h"

#include <cstring>
#include <span>
#include <vector>

namespace quadric::trainer::cuda {

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

ncclComm_t connect(Collective& collective)
{
    const ncclUniqueId identifier = sharedIdentifier(collective);
    ncclComm_t communicator = nullptr;
    QUADRIC_CHECKED(ncclCommInitRank(&communicator, collective.size(), identifier, collective.rank()));
    return communicator;
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
    , m_communicator(connect(collective))
{
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

std::string ncclVersionText()
{
    int version = 0;
    QUADRIC_CHECKED(ncclGetVersion(&version));
    return "NCCL " + std::to_string(version / 10000) + '.' + std::to_string(version / 100 % 100) + '.' +
           std::to_string(version % 100);
}

} // namespace quadric::trainer::cuda
