// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Marks functions that compute one element and are compiled for processors and for GPUs.
#ifdef __CUDACC__
#define QUADRIC_HOST_DEVICE __host__ __device__
#else
#define QUADRIC_HOST_DEVICE
#endif
