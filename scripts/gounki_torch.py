#!/usr/bin/env python3
"""The network of gounki (docs/formats.md) in PyTorch.

Asks a network for every sample of a shard and writes what `gounki evaluate` writes:

    python3 scripts/gounki_torch.py runs/quick/checkpoints/step-00001000.safetensors SHARD OUT.npz

Planes that do not follow from the board alone come from the program:

    gounki evaluate NET SHARD planes.npz --planes
    python3 scripts/gounki_torch.py NET SHARD OUT.npz --planes planes.npz

As a module, to learn here and play there:

    import gounki_samples, gounki_torch
    network, metadata = gounki_torch.load_checkpoint("step-00001000.safetensors")
    samples = gounki_samples.load("runs/quick")
    gounki_torch.learn(network, samples, gounki_samples.board_planes(samples), steps=100)
    gounki_torch.save_checkpoint("mine.safetensors", network, metadata)   # gounki play net:mine.safetensors

Needs Python 3, NumPy and PyTorch (Debian: python3-numpy, python3-torch).
"""

import argparse
import json
import math
import os
import pathlib
import struct
import sys
import zipfile

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

import gounki_samples

NORM_EPSILON = 1e-5
PLIES_UNIT = 20.0
BATCH = 64


class NormedConvolution(nn.Module):
    """A convolution without bias, then batch norm."""

    def __init__(self, inputs, outputs, width):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(outputs, inputs, width, width))
        self.scale = nn.Parameter(torch.ones(outputs))
        self.shift = nn.Parameter(torch.zeros(outputs))
        self.register_buffer("mean", torch.zeros(outputs))
        self.register_buffer("variance", torch.ones(outputs))
        nn.init.kaiming_normal_(self.weight, nonlinearity="relu")

    def forward(self, x):
        x = F.conv2d(x, self.weight, padding=self.weight.shape[2] // 2)
        return F.batch_norm(x, self.mean, self.variance, self.scale, self.shift, self.training, 0.1, NORM_EPSILON)


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.first = NormedConvolution(channels, channels, 3)
        self.second = NormedConvolution(channels, channels, 3)

    def forward(self, x):
        return torch.relu(self.second(torch.relu(self.first(x))) + x)


class Network(nn.Module):
    """Its state_dict has the tensors of a checkpoint by their names. `shape` is a checkpoint's `network`."""

    def __init__(self, shape, planes):
        super().__init__()
        channels, value, hidden = shape["channels"], shape["value_channels"], shape["value_hidden"]
        self.shape = shape
        self.stem = NormedConvolution(planes, channels, 3)
        self.blocks = [f"block{i}" for i in range(shape["blocks"])]
        for name in self.blocks:
            self.add_module(name, Block(channels))
        self.policy = nn.Conv2d(channels, 32, 3, padding=1)
        self.value = NormedConvolution(channels, value, 1)
        self.hidden = nn.Linear(64 * value, hidden)
        self.wdl = nn.Linear(hidden, 3)
        self.plies = nn.Linear(hidden, 1)

    def planes(self):
        return self.stem.weight.shape[1]

    def forward(self, planes):
        """n x planes x 8 x 8 in; out n x 2048 logits by policy index, n x 3 logits of win, draw, loss, n plies left."""
        x = torch.relu(self.stem(planes))
        for name in self.blocks:
            x = getattr(self, name)(x)
        # Square by square, channels last: the order of the policy index and of the hidden layer's weights.
        policy = self.policy(x).permute(0, 2, 3, 1).flatten(1)
        value = torch.relu(self.value(x)).permute(0, 2, 3, 1).flatten(1)
        hidden = torch.relu(self.hidden(value))
        return policy, self.wdl(hidden), PLIES_UNIT * F.softplus(self.plies(hidden)).squeeze(1)


def write_atomically(path, data):
    """A reader sees the whole file or none."""
    temporary = f"{path}.tmp{os.getpid()}"
    with open(temporary, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)


def read_safetensors(path):
    """The tensors (float32) and the metadata of a file."""
    data = pathlib.Path(path).read_bytes()
    if len(data) < 8 or len(data) < 8 + struct.unpack("<Q", data[:8])[0]:
        raise ValueError("shorter than its header says")
    start = 8 + struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:start])
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        if entry["dtype"] != "F32" or end - begin != 4 * math.prod(entry["shape"]) or start + end > len(data):
            raise ValueError(f"tensor {name} is not float32, or not as long as its shape says")
        values = np.frombuffer(data, "<f4", (end - begin) // 4, start + begin).reshape(entry["shape"])
        tensors[name] = torch.from_numpy(values.astype(np.float32))
    return tensors, metadata


def write_safetensors(path, tensors, metadata):
    header, chunks, end = {"__metadata__": metadata}, [], 0
    for name in sorted(tensors):
        values = tensors[name].detach().cpu().numpy().astype("<f4")
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": [end, end + values.nbytes]}
        chunks.append(values.tobytes())
        end += values.nbytes
    text = json.dumps(header, ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    write_atomically(path, struct.pack("<Q", len(text)) + text + b"".join(chunks))


def load_checkpoint(path):
    """The network, ready to be asked, and the checkpoint's metadata."""
    tensors, metadata = read_safetensors(path)
    if metadata.get("format") != "gounki-network":
        raise ValueError("not a checkpoint of gounki")
    network = Network(json.loads(metadata["network"]), tensors["stem.weight"].shape[1])
    network.load_state_dict(tensors)
    return network.eval(), metadata


def save_checkpoint(path, network, metadata, step=None):
    """A checkpoint that gounki takes. `metadata` are those of the one that was loaded; `step` replaces its steps."""
    metadata = dict(metadata, network=json.dumps(network.shape))
    if step is not None:
        metadata["step"] = str(step)
    write_safetensors(path, network.state_dict(), metadata)


def outputs(network, samples, planes):
    """The arrays that `gounki evaluate` writes, without `step`."""
    if planes.shape[1] != network.planes():
        raise ValueError(f"the network takes {network.planes()} planes and {planes.shape[1]} are there; "
                         "take them from gounki evaluate --planes")
    if len(planes) != len(samples["game"]):
        raise ValueError(f"planes of {len(planes)} samples for {len(samples['game'])} samples")
    offsets, index = samples["policy_offsets"], samples["policy_index"].astype(np.int64)
    policy, wdl, plies = [np.zeros(0, np.float32)], [np.zeros((0, 3), np.float32)], [np.zeros(0, np.float32)]
    with torch.no_grad():
        for begin in range(0, len(planes), BATCH):
            end = min(begin + BATCH, len(planes))
            logits, w, p = (t.numpy() for t in network(torch.from_numpy(planes[begin:end])))
            rows = np.repeat(np.arange(end - begin), np.diff(offsets[begin:end + 1]))
            policy.append(logits[rows, index[offsets[begin]:offsets[end]]])
            wdl.append(w)
            plies.append(p)
    return {"policy_offsets": offsets, "policy_logits": np.concatenate(policy), "wdl": np.concatenate(wdl),
            "plies_left": np.concatenate(plies)}


def losses(network, samples, planes, rows, value_mix):
    """What gounki's learner minimises, over these rows: of the policy, of win, draw, loss, and of the plies left."""
    some = gounki_samples.take(samples, rows)
    weight = torch.from_numpy(some["weight"] / some["weight"].sum())
    target, legal = map(torch.from_numpy, gounki_samples.dense_policy(samples, rows))
    value = torch.from_numpy(gounki_samples.value_targets(some, value_mix).astype(np.float32))
    plies = torch.from_numpy(gounki_samples.plies_targets(some))
    policy_logits, wdl, plies_left = network(torch.from_numpy(planes[rows]))
    policy_loss = -(target * F.log_softmax(policy_logits.masked_fill(~legal, -1e9), 1)).sum(1)
    value_loss = -(value * F.log_softmax(wdl, 1)).sum(1)
    known = ~plies.isnan()
    plies_loss = F.smooth_l1_loss(plies_left / PLIES_UNIT, plies.nan_to_num() / PLIES_UNIT, reduction="none") * known
    return tuple((loss * weight).sum() for loss in (policy_loss, value_loss, plies_loss))


def learn(network, samples, planes, steps, batch=256, learning_rate=0.02, value_mix=0.5, seed=1):
    """Steps of SGD over rows drawn at random; an example to begin from. Returns the total loss of each step."""
    random = np.random.default_rng(seed)
    optimizer = torch.optim.SGD(network.parameters(), learning_rate, momentum=0.9, nesterov=True)
    network.train()
    totals = []
    for _ in range(steps):
        policy, value, plies = losses(network, samples, planes, random.integers(len(planes), size=batch), value_mix)
        total = policy + value + 0.1 * plies
        optimizer.zero_grad()
        total.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 4.0)
        optimizer.step()
        totals.append(total.item())
    network.eval()
    return totals


def write_npz(path, arrays):
    temporary = f"{path}.tmp{os.getpid()}.npz"
    np.savez_compressed(temporary, **arrays)
    os.replace(temporary, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", metavar="NET", help="a checkpoint (.safetensors)")
    parser.add_argument("samples", metavar="SHARD", help="a sample shard (.npz)")
    parser.add_argument("out", metavar="OUT", help="the file of the outputs (.npz)")
    parser.add_argument("--planes", metavar="FILE", help="an .npz file whose array `planes` is taken")
    args = parser.parse_args()
    try:
        network, _ = load_checkpoint(args.network)
        samples = gounki_samples.load(args.samples)
        planes = np.load(args.planes)["planes"] if args.planes else gounki_samples.board_planes(samples)
        write_npz(args.out, outputs(network, samples, planes))
    except (OSError, ValueError, KeyError, RuntimeError, zipfile.BadZipFile) as error:
        sys.exit(f"gounki_torch: {args.network}, {args.samples}: {error}")


if __name__ == "__main__":
    main()
