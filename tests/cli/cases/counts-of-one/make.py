"""A path of two points on which so many features are in use."""
import json
import sys

count = int(sys.argv[1])


def point(scale, used):
    return {"lambda": 1.0 / scale, "intercept": 0.0, "nnz": len(used),
            "coef": {"index": used, "value": [scale * (1.0 + j) for j in used]}}


print(json.dumps({"format": "dcpn-path", "version": 1, "features": 30, "index_base": 1,
                  "params": {"loss": "squared", "penalty": "l1"},
                  "paths": [{"penalty": "l1", "points": [point(1.0, [1]), point(2.0, list(range(1, count + 1)))]}]}))
