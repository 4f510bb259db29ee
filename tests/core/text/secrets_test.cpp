// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/secrets.h"

#include <gtest/gtest.h>

#include <vector>

namespace quadric::text::test {

namespace {

/// Made up, in the forms that their issuers document.
const std::vector<std::string> kSecrets = {
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJleHAiOjE3NjQwMDAwMDAsInN1biI6InJvb3QifQ.Yk3l9mD_2sWqA",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdW4iOiJhIn0.c2ln",
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "gho_16C7e42F292c6912E7710c838347Ae178B4a",
    "ghs_abcdefghijklmnop",
    "github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz",
    "dckr_pat_Ab12Cd34Ef56Gh78Ij90",
    "glpat-abcdEFGH1234ijklMNOP",
    "sk-abcdefghijklmnopqrstuvwxyz123456",
    "sk-ant-api03-Zq81kDmV_x2-LpWn7TyRcB",
    "sk-proj-Ab12Cd34Ef56Gh78",
    "xoxb-123456789012-abcdefABCDEF",
    "xoxp-123456789012-123456",
    "AKIAIOSFODNN7EXAMPLE",
    "ASIAIOSFODNN7EXAMPLE",
    "hf_abcdefghijklmnopqrstuvwxyzABCDEFGH",
    "AIzaSyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q",
    "npm_abcdefghijklmnopqrstuvwxyz0123456789",
    "pypi-AgEIcHlwaS5vcmcCJGFiY2RlZg",
    "nvapi-abcdefgh12345678",
    "ya29.a0AfH6SMBx1234567890abcdef",
    "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk\n-----END OPENSSH PRIVATE KEY-----",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEow",
    "postgres://me:pw@host:5432/db",
    "https://ci:s3cr%40t@proxy:3128",
    "http://:pw@[::1]:80/",
    "MUNGE:AwQFAAB2Hk1v",
};

/// What environments, records and messages of runs are full of.
const std::vector<std::string> kHarmless = {
    "GPU-8f6d0b9a-5a42-4c1e-9f0e-3f1c2b7a9d10",
    "MIG-GPU-8f6d0b9a-5a42-4c1e-9f0e-3f1c2b7a9d10/1/0",
    "GPU-8f6d0b9a-5a42-4c1e-9f0e-3f1c2b7a9d10,GPU-11111111-2222-3333-4444-555555555555",
    "d6cd1e2bd19e03a81132a23b2025920577f84e37", // a commit
    "d41d8cd98f00b204e9800998ecf8427e",         // MD5
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "registry.example.org:5000/team/image@sha256:9f86d081884c7d659a2feaa0c55ad015",
    "/usr/local/cuda-12.4/lib64:/opt/intel/oneapi/mkl/2024.1/lib/intel64:/usr/lib",
    "/home/anna/Projects/ImageNet2012/ResNet50Run3/checkpoints/epoch_010.pt",
    "data/ImageNet2012/ResNet50/Run3A/ckpt",
    "/opt/spack/linux-debian12-zen3/gcc-12.2.0/openmpi-4.1.4-abcdefghijklmnop234567qrstuvwx/bin",
    "/nix/store/1zv0xq4dkhn6c7r8p2b3w5y9f4s6a8gj-glibc-2.38/lib",
    "0-3,8-11,64-127",
    "ffffffff,ffffffff,00000000,ffffffff",
    "{0:4},{4:4},{8:4}",
    "granularity=fine,compact,1,0",
    "mlx5_0:1,mlx5_1:1",
    "n[1-2],gpu[004-017]",
    "NVIDIA A100-SXM4-80GB",
    "AMD EPYC 7763 64-Core Processor",
    "Intel(R) Xeon(R) Platinum 8480+",
    "DistributedDataParallelWithGradientBucketing",
    "--xla_gpu_enable_latency_hiding_scheduler=true --xla_gpu_graph_level=0",
    "expandable_segments:True,max_split_size_mb:512",
    "torch-2.4.0+cu124-cp312-cp312-manylinux_2_28_x86_64.whl",
    "6.1.0-32-amd64",
    "2026-11-22T16:43:04Z",
    "git@github.com:team/repository.git",
    "ssh://git@github.com/team/repository.git",
    "anna@example.org",
    "mailto:anna@example.org",
    "https://example.org:8080/a/b?page=2&sort=key",
    "token_count: 1.2e9",
    "vocab_token_type=bpe",
    "password_policy: strict",
    "secret_sauce=0.1",
    "token=abc",
    "8f14e45fceea167a5a36dedd4bea2543aa01",
    "tokens_per_second=5120",
    "max_tokens: 512",
    "num_token=5",
    "pad_token: <pad>",
    "SyntaxError: unexpected token: expected",
    "sort_key=speed",
    "keyboard: us",
    "the basic training example needs a bearer certificate",
    "rank 3 at 10.0.0.7:29500 lost its peer",
    "job 12 on n[1-2] ended with exit status 3. Last line: no license",
    "quadric-0123abcd-7-89ef0123",
    "task-learn-contrib-extra sk-learn-contrib-extra",
    "hf_hub_download_enabled",
    "_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_15CUDAFunctor_addIfEE",
    "550.54.15",
    "",
};

} // namespace

TEST(Secrets, AreLeftOut)
{
    for (const std::string& secret : kSecrets) {
        const std::string clean = withoutSecrets(secret);
        EXPECT_NE(clean.find(kLeftOut), clean.npos) << secret;
        EXPECT_EQ(withoutSecrets(clean), clean) << clean;
        const std::string inWords = withoutSecrets("the worker said \"" + secret + "\" and ended");
        EXPECT_NE(inWords.find(kLeftOut), inWords.npos) << secret;
    }
}

TEST(Secrets, AreNotSeenWhereThereAreNone)
{
    for (const std::string& harmless : kHarmless) {
        EXPECT_EQ(withoutSecrets(harmless), harmless);
        const std::string inWords = "the worker said (" + harmless + ") and ended";
        EXPECT_EQ(withoutSecrets(inWords), inWords);
    }
}

TEST(Secrets, LeaveTheRestOfTheTextAsItIs)
{
    EXPECT_EQ(withoutSecrets("cannot reach https://me:pw@host/a: timed out"),
              "cannot reach https://" + std::string(kLeftOut) + "@host/a: timed out");
    EXPECT_EQ(withoutSecrets("a=1 key=ghp_16C7e42F292c b=2"), "a=1 key=" + std::string(kLeftOut) + " b=2");
    EXPECT_EQ(withoutSecrets("x\n-----BEGIN KEY-----\nMII\n-----END KEY-----\ny"),
              "x\n" + std::string(kLeftOut) + "\ny");
}

} // namespace quadric::text::test
