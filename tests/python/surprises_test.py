"""scripts/surprises: which moves of the others a search had not foreseen."""
import json
import pathlib
import subprocess
import sys
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "surprises"


def move(ply, before, after, proven=None):
    return {"ply": ply, "side": "white" if ply % 2 else "black", "before": before, "after": after,
            "provenBefore": proven}


def game(white, black, result, moves):
    return {"game": 1, "tags": {"White": white, "Black": black, "OpeningPlies": "2"}, "result": result,
            "moves": moves}


def count(*games):
    return subprocess.run([sys.executable, str(SCRIPT), "me"], input="\n".join(map(json.dumps, games)),
                          capture_output=True, text=True, check=False)


class Surprises(unittest.TestCase):
    def test_only_unforeseen_moves_of_the_others_count(self):
        moves = [move(1, 0, 0.9), move(2, 0, 0.9),            # the opening
                 move(3, 0, 0.9), move(4, 0, 0.4),            # mine; theirs, a surprise
                 move(5, 0, 0.0), move(6, 0, 0.2),            # as foreseen
                 move(7, 0, 0.0), move(8, 0.1, 1.0, {"result": "win", "plies": 1})]
        done = count(game("me", "other", "0-1", moves), game("other", "me", "0-1", moves))
        self.assertEqual(done.stdout.splitlines(),
                         ["won: 1 games, 1 surprises in 3 moves of the others",
                          "not won: 1 games, 1 surprises in 2 moves of the others"])

    def test_games_of_others_are_refused(self):
        done = count(game("you", "other", "1-0", []))
        self.assertEqual(done.returncode, 1)
        self.assertIn("not one of me", done.stderr)


if __name__ == "__main__":
    unittest.main()
