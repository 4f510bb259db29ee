# SPDX-License-Identifier: GPL-3.0-or-later
"""The networks of quadric_torch.py: GPT, Llama, BERT and ViT as one transformer with differences, and residual networks. Their
parameters are random; what counts is the work."""

import math

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

# Width, heads, layers, feed-forward width, words of the vocabulary or classes.
TRANSFORMERS = {
    "gpt-tiny": (64, 4, 2, 256, 1024), "gpt2-small": (768, 12, 12, 3072, 50257), "gpt2-medium": (1024, 16, 24, 4096, 50257),
    "gpt2-large": (1280, 20, 36, 5120, 50257), "gpt2-xl": (1600, 25, 48, 6400, 50257),
    "llama-tiny": (64, 4, 2, 192, 1024), "llama-1b": (2048, 32, 16, 8192, 128256), "llama-7b": (4096, 32, 32, 11008, 32000),
    "bert-tiny": (64, 4, 2, 256, 1024), "bert-base": (768, 12, 12, 3072, 30522), "bert-large": (1024, 16, 24, 4096, 30522),
    "vit-tiny": (64, 4, 2, 256, 10), "vit-b16": (768, 12, 12, 3072, 1000), "vit-l16": (1024, 16, 24, 4096, 1000),
}
# Blocks of each stage, and whether they are bottlenecks.
RESNETS = {"resnet18": ((2, 2, 2, 2), False), "resnet50": ((3, 4, 6, 3), True), "resnet101": ((3, 4, 23, 3), True)}
PATCH = 16


class Shape:
    """What distinguishes the transformers."""

    def __init__(self, options):
        self.width, self.heads, self.layers, self.inner, self.vocabulary = TRANSFORMERS[options.network]
        self.is_llama = options.network.startswith("llama")
        self.is_causal = self.is_llama or options.network.startswith("gpt")
        self.sees_images = options.network.startswith("vit")
        self.length = (options.image_size // PATCH) ** 2 if self.sees_images else options.sequence_length
        self.checkpoints = options.checkpointing == "yes"

    def norm(self):
        return RmsNorm(self.width) if self.is_llama else nn.LayerNorm(self.width)

    def linear(self, inputs, outputs):
        return nn.Linear(inputs, outputs, bias=not self.is_llama)

    def operations(self):
        """Of forward and backward pass of one sequence: six for each weight that a token meets, and attention over all pairs
        (Chowdhery et al. 2022, PaLM, appendix B)."""
        feed = (3 if self.is_llama else 2) * self.width * self.inner
        head = 0 if self.sees_images else self.width * self.vocabulary
        per_token = 6 * (self.layers * (4 * self.width**2 + feed) + head) + 12 * self.layers * self.width * self.length
        return per_token * self.length


class RmsNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight


class Attention(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.mixed = shape.linear(shape.width, 3 * shape.width)
        self.out = shape.linear(shape.width, shape.width)
        part = shape.width // shape.heads
        speeds = 10000.0 ** (-torch.arange(0, part, 2, dtype=torch.float32) / part)
        angles = torch.outer(torch.arange(shape.length, dtype=torch.float32), speeds)
        self.register_buffer("angles", torch.cat((angles, angles), -1), persistent=False)
        self.register_buffer("mask", torch.full((shape.length, shape.length), float("-inf")).triu(1), persistent=False)

    def forward(self, x):
        batch, count, width = x.shape
        heads = self.shape.heads
        q, k, v = self.mixed(x).view(batch, count, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
        if self.shape.is_llama:
            q, k = self.rotated(q), self.rotated(k)
        return self.out(self.attend(q, k, v).transpose(1, 2).reshape(batch, count, width))

    def rotated(self, x):
        """Rotary places (Su et al. 2021)."""
        first, second = x.chunk(2, -1)
        return x * self.angles.cos().to(x) + torch.cat((-second, first), -1) * self.angles.sin().to(x)

    def attend(self, q, k, v):
        if hasattr(nn.functional, "scaled_dot_product_attention"):  # PyTorch 2
            return nn.functional.scaled_dot_product_attention(q, k, v, is_causal=self.shape.is_causal)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if self.shape.is_causal:
            scores = scores + self.mask.to(scores)
        return scores.softmax(-1) @ v


class FeedForward(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.is_gated = shape.is_llama
        self.up = shape.linear(shape.width, 2 * shape.inner if self.is_gated else shape.inner)
        self.down = shape.linear(shape.inner, shape.width)

    def forward(self, x):
        if not self.is_gated:
            return self.down(nn.functional.gelu(self.up(x)))
        gate, x = self.up(x).chunk(2, -1)
        return self.down(nn.functional.silu(gate) * x)


class Layer(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.first, self.attention = shape.norm(), Attention(shape)
        self.second, self.feed = shape.norm(), FeedForward(shape)

    def forward(self, x):
        x = x + self.attention(self.first(x))
        return x + self.feed(self.second(x))


class Transformer(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.enter = nn.Conv2d(3, shape.width, PATCH, PATCH) if shape.sees_images else nn.Embedding(shape.vocabulary, shape.width)
        self.places = None if shape.is_llama else nn.Parameter(0.02 * torch.randn(shape.length, shape.width))
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.last = shape.norm()
        self.head = nn.Linear(shape.width, shape.vocabulary, bias=False)

    def forward(self, x):
        x = self.enter(x)
        if self.shape.sees_images:
            x = x.flatten(2).transpose(1, 2)
        if self.places is not None:
            x = x + self.places
        for layer in self.layers:
            x = checkpoint(layer, x, use_reentrant=False) if self.shape.checkpoints and self.training else layer(x)
        x = self.last(x)
        return self.head(x.mean(1) if self.shape.sees_images else x)


def convolution(inputs, outputs, size, stride):
    return nn.Sequential(nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False), nn.BatchNorm2d(outputs))


class ResidualBlock(nn.Module):
    def __init__(self, inputs, width, stride, is_deep):
        super().__init__()
        self.outputs = 4 * width if is_deep else width
        sizes = [(inputs, width, 1, 1), (width, width, 3, stride), (width, self.outputs, 1, 1)] if is_deep else \
            [(inputs, width, 3, stride), (width, self.outputs, 3, 1)]
        parts = [convolution(*sizes[0])]
        for size in sizes[1:]:
            parts += [nn.ReLU(inplace=True), convolution(*size)]
        self.body = nn.Sequential(*parts)
        is_same = stride == 1 and inputs == self.outputs
        self.short = nn.Identity() if is_same else convolution(inputs, self.outputs, 1, stride)

    def forward(self, x):
        return nn.functional.relu(self.body(x) + self.short(x))


def residual_network(name):
    counts, is_deep = RESNETS[name]
    layers, inputs = [convolution(3, 64, 7, 2), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)], 64
    for stage, count in enumerate(counts):
        for i in range(count):
            block = ResidualBlock(inputs, 64 * 2**stage, 2 if stage > 0 and i == 0 else 1, is_deep)
            layers.append(block)
            inputs = block.outputs
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, 1000))


def count_operations(network, image_size):
    """Multiplications and additions of forward and backward pass of one image: the backward pass does twice as many."""
    total = [0]

    def count(module, inputs, output):
        total[0] += 2 * module.weight[0].numel() * output.numel() // output.shape[0]

    hooks = [module.register_forward_hook(count) for module in network.modules() if isinstance(module, (nn.Conv2d, nn.Linear))]
    network.eval()
    with torch.no_grad():
        network(torch.zeros(1, 3, image_size, image_size))
    network.train()
    for hook in hooks:
        hook.remove()
    return 3 * total[0]


def sees_images(name):
    return name in RESNETS or name.startswith("vit")


def make_network(options):
    """The network, and the floating-point operations of a step with one image or sequence."""
    if options.network in RESNETS:
        network = residual_network(options.network)
        return network, count_operations(network, options.image_size)
    shape = Shape(options)
    return Transformer(shape), shape.operations()


def make_batch(options, device):
    """Random images and classes, or tokens and the tokens to be predicted."""
    count = options.micro_batch
    if sees_images(options.network):
        classes = 1000 if options.network in RESNETS else TRANSFORMERS[options.network][4]
        images = torch.randn(count, 3, options.image_size, options.image_size, device=device)
        return images, torch.randint(classes, (count,), device=device)
    vocabulary, size = TRANSFORMERS[options.network][4], (count, options.sequence_length)
    return torch.randint(vocabulary, size, device=device), torch.randint(vocabulary, size, device=device)
