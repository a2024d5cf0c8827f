"""A path of two points on which so many features are in use."""
import json
import sys

count = int(sys.argv[1])
known = {"objective": 1.0, "loss_value": 1.0, "penalty_value": 0.0, "stationarity": 0.0, "stationarity_goal": 1e-4,
         "outcome": "converged", "escape": 0, "deviance": 1.0, "iterations": 1, "inner_iterations": 1,
         "line_search_trials": 1, "safeguards": 0, "passes": 1.0, "locally_convex": None, "convexity": None}
parts = {"algorithm": "dcpn", "metric": "hessian", "subsolver": "coordinate-descent"}
data = {"file": None, "n": 50, "p": 30, "entries": 1500, "dense": True, "weight": 50.0, "positives": None,
        "null_deviance": 2.0}


def point(scale, used):
    return {"lambda": 1.0 / scale, "intercept": 0.0, "nnz": len(used),
            "coef": {"index": used, "value": [scale * (1.0 + j) for j in used]}, **known}


print(json.dumps({"format": "dcpn-path", "version": 1, "features": 30, "index_base": 1, "data": data,
                  "params": {"loss": "squared", "penalty": "l1"}, "classes": None,
                  "paths": [{"penalty": "l1", "lambda_max": 1.0, "ended": "all", **parts,
                             "points": [point(1.0, [1]), point(2.0, list(range(1, count + 1)))]}]}))
