# SPDX-License-Identifier: MIT-0
"""A small GPT on random tokens, with the three lines that let Quadric measure it (marked ←). Start it as ever:
torchrun --standalone --nproc_per_node=2 train_gpt.py, or without torchrun: python3 quadric_worker.py --ranks 2 train_gpt.py"""

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

import quadric_worker as quadric  # ←

VOCABULARY, WIDTH, HEADS, LAYERS = 1024, 128, 4, 2
BATCH, SEQUENCE = quadric.setting("micro_batch", 4), quadric.setting("sequence", 64)  # ←


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Embedding(SEQUENCE, WIDTH)
        layer = nn.TransformerEncoderLayer(WIDTH, HEADS, 4 * WIDTH, dropout=0.0, batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, LAYERS)
        self.head = nn.Linear(WIDTH, VOCABULARY)
        self.register_buffer("mask", torch.full((SEQUENCE, SEQUENCE), float("-inf")).triu(1))

    def forward(self, tokens):
        x = self.tokens(tokens) + self.places.weight
        return self.head(self.layers(x, self.mask))


def random_batches(device, count=1000):
    for _ in range(count):
        tokens = torch.randint(VOCABULARY, (BATCH, SEQUENCE + 1), device=device)
        yield tokens[:, :-1], tokens[:, 1:]


def main():
    has_gpu = torch.cuda.is_available()
    dist.init_process_group("nccl" if has_gpu else "gloo")
    device = torch.device("cuda", dist.get_rank() % torch.cuda.device_count()) if has_gpu else torch.device("cpu")
    if has_gpu:
        torch.cuda.set_device(device)
    else:
        torch.set_num_threads(1)
    model = DistributedDataParallel(Gpt().to(device))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    loss_of = nn.CrossEntropyLoss()

    for inputs, targets in quadric.steps(random_batches(device), items_per_rank=BATCH * SEQUENCE, unit="tokens"):  # ←
        loss = loss_of(model(inputs).flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if has_gpu:
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
