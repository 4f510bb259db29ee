#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""quadric-torch: trains a network of a usual shape in PyTorch on synthetic tokens or images, for being measured.

    python3 quadric_torch.py --network gpt2-small --ranks 2 --micro-batch 8 --precision bf16

Every setting is an option or a setting of the run (QUADRIC_SETTINGS), which wins. Started alone it starts its ranks itself; under
torchrun, srun or mpirun it is one of theirs. Needs PyTorch 1.13 or later and quadric_worker.py beside it.
"""

import argparse
import contextlib
import functools
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import quadric_worker as quadric  # noqa: E402

NETWORKS = ("gpt-tiny", "gpt2-small", "gpt2-medium", "gpt2-large", "gpt2-xl", "llama-tiny", "llama-1b", "llama-7b", "bert-tiny",
            "bert-base", "bert-large", "vit-tiny", "vit-b16", "vit-l16", "resnet18", "resnet50", "resnet101")
YES_NO = ("no", "yes")

# name: default, choices or None, meaning
SETTINGS = {
    "network": ("gpt2-small", NETWORKS, "shape of the network; its parameters are random"),
    "ranks": (1, None, "processes that train together, one for each GPU"),
    "micro_batch": (4, None, "sequences or images that each rank computes at once"),
    "accumulation": (1, None, "micro-batches between two exchanges of gradients"),
    "sequence_length": (256, None, "tokens of a sequence"),
    "image_size": (224, None, "height and width of an image"),
    "precision": ("fp32", ("fp32", "tf32", "bf16", "fp16"), "number format of the computation"),
    "sharding": ("ddp", ("ddp", "zero1", "fsdp"), "what each rank keeps: everything, its part of the optimizer, or of all"),
    "bucket_mib": (25.0, None, "gradients that DDP exchanges as one message"),
    "checkpointing": ("no", YES_NO, "compute activations again instead of keeping them"),
    "compile": ("no", YES_NO, "torch.compile, from PyTorch 2 on"),
    "comm_hook": ("none", ("none", "bf16", "fp16", "powersgd"), "what DDP does to gradients before it sends them"),
    "loader_workers": (0, None, "processes that make the batches; 0: none, they lie on the device"),
    "threads_per_rank": (1, None, "processor threads of each rank"),
    "peak_tflops": (0.0, None, "peak of one GPU in this precision, for mfu_pct; 0 is unknown"),
}


def read_settings(arguments=None):
    parser = argparse.ArgumentParser(prog="quadric-torch", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    for name, (default, choices, meaning) in SETTINGS.items():
        parser.add_argument("--" + name.replace("_", "-"), dest=name, type=type(default), choices=choices, default=default,
                            help="%s (%s)" % (meaning, default))
    parser.add_argument("--about", action="store_true", help="say what this Python can measure, as JSON")
    options = parser.parse_args(arguments)
    for name, (default, choices, _) in SETTINGS.items():
        value = quadric.setting(name, getattr(options, name))
        if choices and value not in choices:
            fail("%s is %s, expected one of %s" % (name, value, ", ".join(choices)))
        setattr(options, name, value)
    return options


def fail(message, kind="bad-settings"):
    """Says on rank 0 why the run cannot be measured, and ends."""
    if quadric.started() and quadric.rank() == 0:
        quadric.say("failure", kind=kind, message=message)
    sys.exit("quadric-torch: " + message)


# ---- Training ------------------------------------------------------------------------------------------------------------------


def adam(parameters):
    import torch
    return torch.optim.AdamW(parameters, lr=1e-4)


def distribute(network, options, torch, device):
    """The network as all ranks train it, and its optimizer."""
    if options.sharding == "fsdp":
        if device.type != "cuda":
            fail("sharding fsdp needs GPUs")
        from torch.distributed.fsdp import FullyShardedDataParallel
        network = FullyShardedDataParallel(network, device_id=device)
        return network, adam(network.parameters())
    network = torch.nn.parallel.DistributedDataParallel(network, device_ids=[device.index] if device.type == "cuda" else None,
                                                        bucket_cap_mb=options.bucket_mib)
    hook_gradients(network, options)
    if options.sharding == "zero1":
        from torch.distributed.optim import ZeroRedundancyOptimizer
        return network, ZeroRedundancyOptimizer(network.parameters(), optimizer_class=torch.optim.AdamW, lr=1e-4)
    return network, adam(network.parameters())


def hook_gradients(network, options):
    if options.comm_hook == "powersgd":
        from torch.distributed.algorithms.ddp_comm_hooks import powerSGD_hook
        network.register_comm_hook(powerSGD_hook.PowerSGDState(None, start_powerSGD_iter=2), powerSGD_hook.powerSGD_hook)
    elif options.comm_hook != "none":
        from torch.distributed.algorithms.ddp_comm_hooks import default_hooks
        hooks = {"bf16": default_hooks.bf16_compress_hook, "fp16": default_hooks.fp16_compress_hook}
        network.register_comm_hook(None, hooks[options.comm_hook])


def batches(make_batch, options, torch, device):
    """Endless batches: one that lies on the device, or new ones from processes."""
    if options.loader_workers == 0:
        batch = make_batch(device)
        while True:
            yield batch

    class Synthetic(torch.utils.data.IterableDataset):
        def __iter__(self):
            while True:
                yield make_batch("cpu")

    loader = torch.utils.data.DataLoader(Synthetic(), batch_size=None, num_workers=options.loader_workers,
                                         pin_memory=device.type == "cuda")
    for inputs, targets in loader:
        yield inputs.to(device, non_blocking=True), targets.to(device, non_blocking=True)


def prepare(options):
    """PyTorch and the device of this rank, which has met the others."""
    import torch
    import torch.distributed as dist
    torch.set_num_threads(options.threads_per_rank)
    torch.manual_seed(1)
    has_gpu = torch.cuda.is_available()
    if options.precision == "tf32" and not has_gpu:
        fail("precision tf32 needs a GPU")
    if options.compile == "yes" and not hasattr(torch, "compile"):
        fail("compile needs PyTorch 2 or later, found %s" % torch.__version__)
    dist.init_process_group("nccl" if has_gpu else "gloo")
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = options.precision == "tf32"
    if not has_gpu:
        return torch, torch.device("cpu")
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", dist.get_rank() % torch.cuda.device_count())))
    torch.cuda.set_device(device)
    return torch, device


def train(options):
    torch, device = prepare(options)
    import quadric_networks as networks
    network, operations = networks.make_network(options)
    if options.peak_tflops > 0.0:
        work = operations * options.micro_batch * options.accumulation
        quadric.report_of(lambda seconds: {"mfu_pct": 100.0 * work / seconds / (options.peak_tflops * 1e12)})
    network = network.to(device)
    if options.compile == "yes":
        network = torch.compile(network)
    network, optimizer = distribute(network, options, torch, device)
    make_batch = functools.partial(networks.make_batch, options)
    sees_images = networks.sees_images(options.network)
    items = options.micro_batch * options.accumulation * (1 if sees_images else options.sequence_length)
    step = make_step(network, optimizer, batches(make_batch, options, torch, device), options, torch, device)
    for _ in quadric.steps(forever(), items_per_rank=items, unit="images" if sees_images else "tokens"):
        step()
    if device.type == "cuda":
        torch.distributed.destroy_process_group()


def make_step(network, optimizer, source, options, torch, device):
    """A function that trains for one step."""
    half = {"bf16": torch.bfloat16, "fp16": torch.float16}.get(options.precision)
    scaler = torch.cuda.amp.GradScaler(enabled=options.precision == "fp16" and device.type == "cuda")
    loss_of = torch.nn.CrossEntropyLoss()

    def add_gradients():
        inputs, targets = next(source)
        with torch.autocast(device.type, dtype=half) if half else contextlib.nullcontext():
            loss = loss_of(network(inputs).flatten(0, -2), targets.flatten())
        scaler.scale(loss / options.accumulation).backward()

    def step():
        optimizer.zero_grad()
        with network.no_sync():
            for _ in range(options.accumulation - 1):
                add_gradients()
        add_gradients()
        scaler.step(optimizer)
        scaler.update()

    return step


def forever():
    while True:
        yield None


# ---- Ranks ---------------------------------------------------------------------------------------------------------------------


def take_slurm_ranks():
    """srun numbers its tasks in other variables than PyTorch reads."""
    names = {"RANK": "SLURM_PROCID", "WORLD_SIZE": "SLURM_NTASKS", "LOCAL_RANK": "SLURM_LOCALID",
             "MASTER_ADDR": "SLURM_LAUNCH_NODE_IPADDR"}
    if "SLURM_PROCID" in os.environ and int(os.environ.get("SLURM_NTASKS", 1)) > 1:
        for name, slurm in names.items():
            os.environ.setdefault(name, os.environ.get(slurm, ""))
        os.environ.setdefault("MASTER_PORT", str(20000 + int(os.environ.get("SLURM_JOB_ID", 0)) % 20000))


def about():
    """What this Python can measure, as JSON."""
    try:
        import torch
    except ImportError as error:
        return json.dumps({"torch": None, "because": str(error)})
    has_gpu = torch.cuda.is_available()
    names = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())] if has_gpu else []
    return json.dumps({"torch": str(torch.__version__), "cuda": torch.version.cuda, "gpus": names,
                       "compile": hasattr(torch, "compile"), "networks": NETWORKS})


def main():
    take_slurm_ranks()
    options = read_settings()
    if options.about:
        print(about())
        return
    if "RANK" not in os.environ:
        sys.exit(quadric.start_ranks(options.ranks, [sys.executable, os.path.abspath(__file__)] + sys.argv[1:]))
    train(options)


if __name__ == "__main__":
    main()
