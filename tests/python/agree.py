#!/usr/bin/env python3
"""What scripts/ reads, encodes and computes against what the program does, over a run made here.

Exit status 77 where NumPy or PyTorch is missing: skipped. The program is the first argument.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
try:
    import numpy as np
    import torch

    import gounki_samples
    import gounki_torch
except ImportError as missing:
    print(f"skipped: {missing}; Debian has python3-numpy and python3-torch")
    sys.exit(77)

PROGRAM = sys.argv.pop(1)
TOLERANCE = 1e-5
OUTPUTS = ("policy_logits", "wdl", "plies_left")

# Enough steps that the norms' statistics are not those that they begin with.
SETTINGS = ("run.minutes=0 run.iterations=1 run.threads=1 run.seed=5 selfplay.groups_per_iteration=2 "
            "selfplay.games_per_group=8 selfplay.max_plies=60 replay.reuse=2 replay.rows_to_start=20 "
            "learner.average_decay=0.5 learner.warmup_steps=0 learner.learning_rate=0.01 evaluate.games=0")


def gounki(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(f"gounki {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def script(name, *arguments):
    return subprocess.run([sys.executable, ROOT / "scripts" / name, *map(str, arguments)], capture_output=True,
                          text=True)


def arrays_of(path):
    with np.load(path) as arrays:
        return {name: arrays[name] for name in arrays.files}


class Agree(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        torch.set_num_threads(1)
        cls.temporary = tempfile.TemporaryDirectory(prefix="gounki-test-")
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.run_folder = cls.folder / "run"
        settings = [word for setting in SETTINGS.split() for word in ("--set", setting)]
        gounki("train", ROOT / "configs/ci.toml", "--run", cls.run_folder, *settings)
        cls.checkpoint = sorted((cls.run_folder / "checkpoints").iterdir())[-1]
        cls.shard = cls.run_folder / "samples/00000001.npz"
        cls.samples = gounki_samples.load(cls.shard)
        cls.evaluated = cls.folder / "evaluated.npz"
        gounki("evaluate", cls.run_folder, cls.shard, cls.evaluated, "--planes")
        cls.outputs = arrays_of(cls.evaluated)

    def assert_agree(self, ours, theirs):
        np.testing.assert_array_equal(ours["policy_offsets"], theirs["policy_offsets"])
        for name in OUTPUTS:
            self.assertEqual(ours[name].shape, theirs[name].shape)
            error = np.abs(ours[name] - theirs[name]) / np.maximum(1, np.abs(ours[name]))
            self.assertLess(error.max(), TOLERANCE, name)

    def evaluate(self, checkpoint):
        out = self.folder / "other.npz"
        gounki("evaluate", checkpoint, self.shard, out)
        return arrays_of(out)

    def test_the_network_gives_the_same_outputs(self):
        network, metadata = gounki_torch.load_checkpoint(self.checkpoint)
        self.assertGreater(int(metadata["step"]), 10)
        self.assertGreater((network.stem.variance - 1).abs().max(), 0.1)
        self.assertGreater(network.stem.mean.abs().max(), 0.01)
        out = self.folder / "torch.npz"
        done = script("gounki_torch.py", self.checkpoint, self.shard, out, "--planes", self.evaluated)
        self.assertEqual(done.stderr, "")
        self.assert_agree(self.outputs, arrays_of(out))

    def test_the_board_gives_the_same_planes(self):
        planes = gounki_samples.board_planes(self.samples)
        np.testing.assert_array_equal(planes, self.outputs["planes"][:, :planes.shape[1]])
        network, _ = gounki_torch.load_checkpoint(self.checkpoint)
        out = self.folder / "board.npz"
        done = script("gounki_torch.py", self.checkpoint, self.shard, out)
        if network.planes() == planes.shape[1]:
            self.assert_agree(self.outputs, arrays_of(out))
        else:
            self.assertIn("gounki evaluate --planes", done.stderr)

    def test_a_checkpoint_that_is_saved_again_is_the_same(self):
        network, metadata = gounki_torch.load_checkpoint(self.checkpoint)
        saved = self.folder / "saved.safetensors"
        gounki_torch.save_checkpoint(saved, network, metadata)
        tensors, again = gounki_torch.read_safetensors(saved)
        before, _ = gounki_torch.read_safetensors(self.checkpoint)
        self.assertEqual(tensors.keys(), before.keys())
        for name, tensor in tensors.items():
            self.assertTrue(torch.equal(tensor, before[name]), name)
        self.assertEqual(json.loads(again.pop("network")), json.loads(metadata.pop("network")))
        self.assertEqual(again, metadata)
        for name, values in self.evaluate(saved).items():
            np.testing.assert_array_equal(values, self.outputs[name])

    def test_what_is_learned_here_plays_there(self):
        network, metadata = gounki_torch.load_checkpoint(self.checkpoint)
        planes = self.outputs["planes"]
        losses = gounki_torch.learn(network, self.samples, planes, steps=12, batch=64)
        self.assertLess(np.mean(losses[-4:]), np.mean(losses[:4]))
        saved = self.folder / "learned.safetensors"
        gounki_torch.save_checkpoint(saved, network, metadata, step=1000)
        ours = self.evaluate(saved)
        self.assertEqual(ours["step"], 1000)
        self.assertGreater(np.abs(ours["wdl"] - self.outputs["wdl"]).max(), 0.01)
        self.assert_agree(ours, gounki_torch.outputs(network, self.samples, planes))

    def test_a_network_of_another_shape_plays_there(self):
        _, metadata = gounki_torch.load_checkpoint(self.checkpoint)
        torch.manual_seed(1)
        planes = self.outputs["planes"]
        shape = {"blocks": 1, "channels": 12, "value_channels": 3, "value_hidden": 20}
        network = gounki_torch.Network(shape, planes.shape[1]).eval()
        saved = self.folder / "shape.safetensors"
        gounki_torch.save_checkpoint(saved, network, metadata, step=0)
        self.assert_agree(self.evaluate(saved), gounki_torch.outputs(network, self.samples, planes))

    def test_the_reader_gives_what_is_in_the_shards(self):
        whole = gounki_samples.load(self.run_folder)
        shards = [arrays_of(self.run_folder / f"samples/0000000{i}.npz") for i in (0, 1)]
        first = len(shards[0]["game"])
        self.assertEqual(len(whole["game"]), first + len(shards[1]["game"]))
        for row, shard, at in ((first + 3, shards[1], 3), (5, shards[0], 5)):
            index, policy = gounki_samples.policy_entries(whole, row)
            entries = slice(shard["policy_offsets"][at], shard["policy_offsets"][at + 1])
            np.testing.assert_array_equal(index, shard["policy_index"][entries])
            np.testing.assert_array_equal(policy, shard["policy"][entries])
        rows = [first + 3, 5, first - 1]
        policy, legal = gounki_samples.dense_policy(whole, rows)
        np.testing.assert_allclose(policy.sum(1), 1, atol=1e-5)
        for row, p, l in zip(rows, policy, legal):
            index, target = gounki_samples.policy_entries(whole, row)
            np.testing.assert_array_equal(np.flatnonzero(l), np.sort(index))
            np.testing.assert_array_equal(p[index], target)
        some = gounki_samples.take(whole, rows)
        np.testing.assert_array_equal(some["game"], whole["game"][rows])
        np.testing.assert_array_equal(gounki_samples.policy_entries(some, 0)[1],
                                      gounki_samples.policy_entries(whole, rows[0])[1])

    def test_the_targets(self):
        samples = {"result": np.array([1, 0, -1], np.int8), "root_value": np.array([0.5, 0, -1], np.float32),
                   "exact": np.array([0, 0, 0], np.uint8), "plies_left": np.array([7, 65535, 0], np.uint16)}
        np.testing.assert_array_equal(gounki_samples.value_targets(samples), [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
        np.testing.assert_allclose(gounki_samples.value_targets(samples, 0.5),
                                   [[0.875, 0, 0.125], [0.25, 0.5, 0.25], [0, 0, 1]])
        samples["exact"][1:] = 1
        np.testing.assert_allclose(gounki_samples.value_targets(samples, 0.5),
                                   [[0.875, 0, 0.125], [0, 1, 0], [0, 0, 1]])
        np.testing.assert_allclose(gounki_samples.value_targets(samples, 0.5, exact_values=False),
                                   [[0.875, 0, 0.125], [0.25, 0.5, 0.25], [0, 0, 1]])
        np.testing.assert_array_equal(gounki_samples.plies_targets(samples), [7, np.nan, 0])

    def test_a_summary_and_errors(self):
        done = script("gounki_samples.py", self.run_folder)
        self.assertIn("games           16, ", done.stdout)
        bad = self.folder / "bad.npz"
        bad.write_bytes(self.shard.read_bytes()[:500])
        old = self.folder / "old.npz"
        with np.load(self.shard) as arrays:
            np.savez(old, **{**arrays, "version": np.int32(1)})
        self.assertIn("version 1, expected 2", script("gounki_samples.py", old).stderr)
        for arguments in ((bad,), (old,), (self.folder / "none.npz",), (self.folder / "none",)):
            done = script("gounki_samples.py", *arguments)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, f"^gounki_samples: {arguments[0]}: .*\n$")
        cut = self.folder / "cut.safetensors"
        cut.write_bytes(self.checkpoint.read_bytes()[:-4])
        done = script("gounki_torch.py", cut, self.shard, self.folder / "no.npz")
        self.assertRegex(done.stderr, "^gounki_torch: .*cut.safetensors, .*: tensor .* is not float32")
        self.assertFalse((self.folder / "no.npz").exists())


if __name__ == "__main__":
    unittest.main()
