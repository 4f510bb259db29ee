// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/kernels/channel_reduction.cuh"
#include "core/trainer/cuda/kernels/kernels.h"

namespace quadric::trainer::cuda {

namespace {

/// Joins the values of all threads of a block; every thread gets the result.
template <typename Value, typename Join> __device__ Value joinOverBlock(Value value, const Join& join)
{
    __shared__ Value shared[kThreads];
    shared[threadIdx.x] = value;
    for (unsigned half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            shared[threadIdx.x] = join(shared[threadIdx.x], shared[threadIdx.x + half]);
    }
    __syncthreads();
    const Value joined = shared[0];
    __syncthreads();
    return joined;
}

struct Larger {
    __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};
struct Plus {
    template <typename Value> __device__ Value operator()(Value a, Value b) const { return a + b; }
};

/// One block an image.
template <typename Number>
__global__ void rowCrossEntropy(LossRows rows, GradientTarget target, void* gradients)
{
    const std::size_t begin = static_cast<std::size_t>(blockIdx.x) * rows.classes;
    const float* logits = rows.logits + begin;
    Number* gradient = static_cast<Number*>(gradients) + begin;
    const int label = rows.labels[blockIdx.x];
    float largest = logits[0];
    for (int i = threadIdx.x; i < rows.classes; i += kThreads)
        largest = Larger()(largest, logits[i]);
    largest = joinOverBlock(largest, Larger());
    float sum = 0.0F;
    for (int i = threadIdx.x; i < rows.classes; i += kThreads)
        sum += expf(logits[i] - largest);
    sum = joinOverBlock(sum, Plus());
    const float scale = target.lossScale->scale / static_cast<float>(rows.batch);
    for (int i = threadIdx.x; i < rows.classes; i += kThreads)
        put(gradient[i], logitGradient(expf(logits[i] - largest) / sum, i == label, scale));
    if (threadIdx.x == 0)
        rows.rowLosses[blockIdx.x] = logf(sum) - (logits[label] - largest);
}

__global__ void meanLoss(LossRows rows, bool accumulates)
{
    double sum = 0.0;
    for (int row = threadIdx.x; row < rows.batch; row += kThreads)
        sum += rows.rowLosses[row];
    sum = joinOverBlock(sum, Plus());
    if (threadIdx.x == 0)
        *rows.loss = (accumulates ? *rows.loss : 0.0F) + static_cast<float>(sum / rows.batch);
}

template <typename Number>
__global__ void sumColumns(int batch, int classes, const void* values, float* sums, GradientTarget target)
{
    const int column = static_cast<int>(blockIdx.x) * kFinishLanes + static_cast<int>(threadIdx.x);
    __shared__ float shared[kFinishRows][kFinishLanes];
    float sum = 0.0F;
    if (column < classes) {
        for (int row = threadIdx.y; row < batch; row += kFinishRows)
            sum +=
                toFloat(static_cast<const Number*>(values)[static_cast<std::size_t>(row) * classes + column]);
    }
    shared[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y > 0 || column >= classes)
        return;
    sum = 0.0F;
    for (int row = 0; row < kFinishRows; ++row)
        sum += shared[row][threadIdx.x];
    sums[column] = (target.accumulates ? sums[column] : 0.0F) + sum / target.lossScale->scale;
}

} // namespace

void crossEntropy(Precision precision, const LossRows& rows, const GradientTarget& target,
                  void* logitGradients, cudaStream_t stream)
{
    withNumber(precision, [&]<typename Number>() {
        rowCrossEntropy<Number>
            <<<static_cast<unsigned>(rows.batch), kThreads, 0, stream>>>(rows, target, logitGradients);
    });
    meanLoss<<<1, kThreads, 0, stream>>>(rows, target.accumulates);
    QUADRIC_CHECKED(cudaPeekAtLastError());
}

void biasGradient(Precision precision, int batch, int classes, const void* logitGradients, float* gradient,
                  const GradientTarget& target, cudaStream_t stream)
{
    withNumber(precision, [&]<typename Number>() {
        sumColumns<Number><<<finishBlocks(classes), dim3(kFinishLanes, kFinishRows), 0, stream>>>(
            batch, classes, logitGradients, gradient, target);
    });
    QUADRIC_CHECKED(cudaPeekAtLastError());
}

} // namespace quadric::trainer::cuda
