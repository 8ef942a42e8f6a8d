#!/usr/bin/env python3
"""Reads sample shards of gounki (docs/formats.md) with NumPy, and prints what is in them.

    python3 scripts/gounki_samples.py runs/quick

As a module:

    import gounki_samples
    samples = gounki_samples.load("runs/quick")  # a run, a folder of shards, or a shard
    x = gounki_samples.board_planes(samples)     # N x 15 x 8 x 8
    policy, legal = gounki_samples.dense_policy(samples, range(64))
    value = gounki_samples.value_targets(samples, value_mix=0.5)

Needs Python 3 and NumPy (Debian: python3-numpy).
"""

import argparse
import pathlib
import sys
import zipfile

import numpy as np

SHARD_VERSION = 2
POLICY_SIZE = 2048  # from * 32 + template
UNKNOWN_PLIES = 65535
QUIET_LIMIT = 100
ENTRIES = ("policy_index", "policy")  # arrays with a value for each legal move, not for each sample


def shard_files(path):
    """The shards that `path` stands for, oldest first."""
    path = pathlib.Path(path)
    if not path.is_dir():
        return [path]
    folder = path / "samples" if (path / "config.toml").exists() else path
    files = sorted(folder.glob("*.npz"))
    if not files:
        raise FileNotFoundError(f"{folder}: no shard (*.npz) in it")
    return files


def load_shard(file):
    """The arrays of one shard, but for those without a value for each sample or move (version, network_step)."""
    try:
        with np.load(file) as arrays:
            if arrays["version"] != SHARD_VERSION:
                raise ValueError(f"version {arrays['version']}, expected {SHARD_VERSION}")
            return {name: arrays[name] for name in arrays.files if arrays[name].ndim > 0}
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise ValueError(f"{file}: {error}") from error


def load(path):
    """All samples of a run, a folder or a shard, in order: a dict of arrays as in one shard."""
    shards = [load_shard(file) for file in shard_files(path)]
    samples = {name: np.concatenate([shard[name] for shard in shards]) for name in shards[0] if name != "policy_offsets"}
    lengths = np.concatenate([np.diff(shard["policy_offsets"]) for shard in shards])
    samples["policy_offsets"] = np.concatenate([[0], np.cumsum(lengths)])
    return samples


def take(samples, rows):
    """The samples of these rows alone, as load() gives them."""
    rows = np.asarray(rows)
    begin, end = samples["policy_offsets"][rows], samples["policy_offsets"][rows + 1]
    entries = np.concatenate([np.arange(b, e) for b, e in zip(begin, end)] or [np.arange(0)])
    taken = {name: values[entries if name in ENTRIES else rows]
             for name, values in samples.items() if name != "policy_offsets"}
    taken["policy_offsets"] = np.concatenate([[0], np.cumsum(end - begin)])
    return taken


def board_planes(samples):
    """N x 15 x 8 x 8: the input planes that follow from the board and the counters (nn/encoder.h)."""
    board = samples["board"]
    enemy = board & 16 != 0
    squares, rounds = board & 3, board >> 2 & 3
    planes = np.zeros((len(board), 15, 64), np.float32)
    for first, side in ((0, ~enemy), (6, enemy)):
        for least in (1, 2, 3):
            planes[:, first + least - 1] = side & (squares >= least)
            planes[:, first + 3 + least - 1] = side & (rounds >= least)
    planes[:, 12] = samples["repetitions"][:, None] > 0
    planes[:, 13] = (samples["quiet"].astype(np.float32) / np.float32(QUIET_LIMIT))[:, None]
    planes[:, 14] = 1
    return planes.reshape(-1, 15, 8, 8)


def policy_entries(samples, row):
    """The legal moves of one sample, as policy indices, and their probabilities."""
    entries = slice(samples["policy_offsets"][row], samples["policy_offsets"][row + 1])
    return samples["policy_index"][entries], samples["policy"][entries]


def dense_policy(samples, rows):
    """For these rows the policy (n x 2048), and which moves are legal (n x 2048, bool)."""
    some = take(samples, rows)
    lengths = np.diff(some["policy_offsets"])
    at = np.repeat(np.arange(len(lengths)), lengths), some["policy_index"]
    policy = np.zeros((len(lengths), POLICY_SIZE), np.float32)
    legal = np.zeros(policy.shape, bool)
    policy[at] = some["policy"]
    legal[at] = True
    return policy, legal


def value_targets(samples, value_mix=0.0, exact_values=True):
    """N x 3: win, draw, loss for the mover: the result, mixed with the search's value at weight `value_mix`;
    or what the search proved."""
    def certain(value):
        return np.stack([value > 0, value == 0, value < 0], axis=1).astype(np.float32)

    win = (1 + samples["root_value"]) / 2
    searched = np.stack([win, np.zeros_like(win), 1 - win], axis=1)
    target = (1 - value_mix) * certain(samples["result"]) + value_mix * searched
    if not exact_values:
        return target
    return np.where(samples["exact"][:, None] > 0, certain(samples["root_value"]), target)


def plies_targets(samples):
    """N: plies to the end of the game; not a number where they are unknown."""
    plies = samples["plies_left"].astype(np.float32)
    return np.where(samples["plies_left"] == UNKNOWN_PLIES, np.float32(np.nan), plies)


def summary(samples):
    n = len(samples["game"])
    if n == 0:
        return "no samples"
    moves = np.diff(samples["policy_offsets"])
    games, capped = (len(np.unique(g)) for g in (samples["game"], samples["game"][samples["capped"] > 0]))
    won, drawn, lost = (np.mean(samples["result"] == result) for result in (1, 0, -1))
    entropy = -np.sum(samples["policy"] * np.log(np.maximum(samples["policy"], 1e-30))) / n + 0.0
    known = samples["plies_left"][samples["plies_left"] != UNKNOWN_PLIES]
    plies = f"{known.mean():.1f} on average, known of {len(known)} samples" if len(known) else "unknown"
    return "\n".join([
        f"samples         {n}",
        f"games           {games}, {capped} of them capped",
        f"results         {won:.3f} won, {drawn:.3f} drawn, {lost:.3f} lost by the mover",
        f"legal moves     {moves.mean():.1f} on average, at most {moves.max()}",
        f"policy entropy  {entropy:.3f} nats on average",
        f"plies left      {plies}",
    ])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", metavar="RUN_OR_SHARD", help="a run, a folder of shards, or a shard")
    args = parser.parse_args()
    try:
        print(summary(load(args.path)))
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"gounki_samples: {error}")


if __name__ == "__main__":
    main()
