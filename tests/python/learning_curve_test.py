"""scripts/learning_curve: ratings against a ladder, and the picture."""
import importlib.machinery
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "learning_curve"
LOADER = importlib.machinery.SourceFileLoader("learning_curve", str(SCRIPT))
curve = importlib.util.module_from_spec(importlib.util.spec_from_loader("learning_curve", LOADER))
sys.dont_write_bytecode = True
LOADER.exec_module(curve)

LADDER = {"ratings": [{"player": "greedy", "elo": -300.0}, {"player": "alphabeta:depth=2", "elo": 100.0}]}


def evaluation(step, minutes, opponent, wins, losses):
    return {"type": "evaluation", "step": step, "minutes": minutes, "opponent": opponent, "wins": wins,
            "draws": 0, "losses": losses, "games": wins + losses}


class Curve(unittest.TestCase):
    def test_a_rating_is_where_the_results_are_expected(self):
        for elo in (-250.0, 0.0, 400.0):
            results = [(rung, 1e6 * curve.expected(elo, rung), 1e6) for rung in (-300.0, 100.0)]
            rating, half = curve.likeliest_rating(results)
            self.assertAlmostEqual(rating, elo, places=2)
            self.assertLess(half, 2)
        few, many = (curve.likeliest_rating([(0.0, n / 2, n)])[1] for n in (20, 200))
        self.assertGreater(few, 2 * many)
        self.assertLess(curve.likeliest_rating([(0.0, 40, 40)])[0], 1000)  # who won everything

    def test_the_picture_has_a_point_for_each_evaluation(self):
        lines = [evaluation(0, 0.5, "greedy", 2, 18), {"type": "iteration", "games": 1000, "minutes": 4.0},
                 evaluation(50, 10.0, "greedy", 18, 2), evaluation(50, 10.0, "alphabeta:depth=2", 5, 15),
                 evaluation(50, 10.0, "somebody else", 5, 15)]
        points = curve.read_points(lines, {rung["player"]: rung["elo"] for rung in LADDER["ratings"]})
        self.assertEqual([p[:2] for p in points], [(0.5, 0), (10.0, 1000)])
        self.assertLess(points[0][2], points[1][2])
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "metrics.jsonl").write_text("\n".join(map(json.dumps, lines)) + '\n{"type": "cut o')
            (folder / "ladder.json").write_text(json.dumps(LADDER))
            done = self.run_script(folder, folder / "ladder.json", folder / "curve.svg")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("2 evaluations", done.stdout)
            root = xml.etree.ElementTree.parse(folder / "curve.svg").getroot()
            self.assertEqual(len([e for e in root if e.tag.endswith("circle")]), 2)

            (folder / "metrics.jsonl").write_text("")
            done = self.run_script(folder, folder / "ladder.json", folder / "other.svg")
            self.assertEqual(done.returncode, 1)
            self.assertIn("no evaluation", done.stderr)
            self.assertFalse((folder / "other.svg").exists())
            done = self.run_script(folder / "none", folder / "ladder.json", folder / "other.svg")
            self.assertEqual(done.returncode, 1)
            self.assertIn("none", done.stderr)

    def test_games_between_iterations_lie_on_a_line(self):
        progress = curve.games_by_minute([{"type": "iteration", "games": 100, "minutes": 2.0},
                                          {"type": "start", "minutes": 2.1},
                                          {"type": "iteration", "games": 300, "minutes": 4.0}])
        self.assertEqual([curve.games_at(m, progress) for m in (0, 1, 2, 3, 4, 9)], [0, 50, 100, 200, 300, 300])

    @staticmethod
    def run_script(*arguments):
        return subprocess.run([sys.executable, SCRIPT, *map(str, arguments)], capture_output=True, text=True,
                              check=False)


if __name__ == "__main__":
    unittest.main()
