// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/gpu_exchange.h"
#include "core/trainer/cuda/kernels/check.h"

namespace quadric::trainer::cuda {

namespace {

class HostExchange final : public GpuExchange {
public:
    HostExchange(Collective& collective, const ExchangeOptions& options, const GpuGradients& gradients,
                 const Stream& step)
        : m_collective(collective)
        , m_exchange(makeBucketExchange(collective, options, gradients.count))
        , m_gradients(gradients)
        , m_step(step)
        , m_copy(gradients.count)
    {
    }

    void bucketIsQueued(std::size_t) override {}

    void finish() override
    {
        const std::uint64_t bytesBefore = m_collective.bytesSent();
        const double secondsBefore = m_exchange->selectionSeconds();
        m_step.wait();
        const std::size_t bytes = m_copy.size() * sizeof(float);
        QUADRIC_CHECKED(cudaMemcpy(m_copy.data(), m_gradients.data, bytes, cudaMemcpyDeviceToHost));
        for (const Bucket& bucket : m_gradients.buckets)
            m_exchange->sum(m_copy, bucket);
        QUADRIC_CHECKED(
            cudaMemcpyAsync(m_gradients.data, m_copy.data(), bytes, cudaMemcpyHostToDevice, m_step.get()));
        m_bytes = static_cast<double>(m_collective.bytesSent() - bytesBefore);
        m_selectionMs = 1000.0 * (m_exchange->selectionSeconds() - secondsBefore);
    }

    bool canBeCaptured() const override { return false; }
    void wait() const override { m_step.wait(); }
    void abandon() override {}
    void reset() override { m_exchange->reset(); }
    double bytesOfStep() const override { return m_bytes; }
    double selectionMsOfStep() const override { return m_selectionMs; }
    std::string library() const override
    {
        return collectiveLibrary() + " through host memory, because ranks share a GPU: no measure of speed";
    }

private:
    Collective& m_collective;
    std::unique_ptr<BucketExchange> m_exchange;
    GpuGradients m_gradients;
    const Stream& m_step;
    std::vector<float> m_copy;
    double m_bytes = 0.0;
    double m_selectionMs = 0.0;
};

} // namespace

std::unique_ptr<GpuExchange> makeHostExchange(Collective& collective, const ExchangeOptions& options,
                                              const GpuGradients& gradients, const Stream& step)
{
    return std::make_unique<HostExchange>(collective, options, gradients, step);
}

} // namespace quadric::trainer::cuda
