"""scripts/target_quality: what a policy is worth beside a long search."""
import importlib.machinery
import importlib.util
import math
import pathlib
import subprocess
import sys
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "target_quality"
LOADER = importlib.machinery.SourceFileLoader("target_quality", str(SCRIPT))
quality = importlib.util.module_from_spec(importlib.util.spec_from_loader("target_quality", LOADER))
sys.dont_write_bytecode = True
LOADER.exec_module(quality)

TRUTH = {"visits": 100, "moves": [{"move": "a", "visits": 70, "value": 0.5},
                                  {"move": "b", "visits": 28, "value": -0.1},
                                  {"move": "c", "visits": 2, "value": 0.9}]}


class Worth(unittest.TestCase):
    def test_a_policy_is_worth_the_values_of_its_moves(self):
        value, entropy, best = quality.worth({"a": 0.5, "b": 0.25, "c": 0.25}, TRUTH)
        # Two visits are too few for c's value to count; it is taken to be as bad as the worst.
        self.assertAlmostEqual(value, 0.5 * 0.5 - 0.5 * 0.1)
        self.assertAlmostEqual(best, 0.5)
        self.assertAlmostEqual(entropy, -(0.7 * math.log(0.5) + 0.3 * math.log(0.25)))

    def test_what_moves_away_from_the_priors_diverges(self):
        prior = {"a": 0.5, "b": 0.5}
        self.assertAlmostEqual(quality.divergence(prior, prior), 0)
        self.assertAlmostEqual(quality.divergence({"a": 1.0, "b": 0.0}, prior), math.log(2))

    def test_a_folder_without_games_is_said(self):
        done = subprocess.run([sys.executable, str(SCRIPT), "/nonexistent"], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("has no games", done.stderr)


if __name__ == "__main__":
    unittest.main()
