"""A folder with a small problem in every format and in every kind of file that a command writes."""

import os
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
HERE = os.path.dirname(os.path.abspath(__file__))
WRITTEN_FORMATS = ("svm", "csv", "tsv", "mtx", "npy", "npz", "dcpn", "svm.gz", "csv.zst", "npy.xz")


def skip(reason):
    print("skipped:", reason)
    sys.exit(SKIPPED)


class Scene:
    """Enter it to stand in the folder. commands: the words of each, and the files that it writes."""

    def __init__(self, dcpn):
        self.dcpn = os.path.abspath(dcpn)

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        os.chdir(self.folder.name)
        self.make()
        return self

    def __exit__(self, *_):
        os.chdir("/")
        self.folder.cleanup()

    def run(self, *words, **more):
        return subprocess.run([self.dcpn, *words], capture_output=True, **more)

    def must(self, *words):
        done = self.run(*words)
        assert done.returncode == 0, (words, done)

    def make(self):
        self.must("generate", "toy", "-o", "data.svm", "--features", "20", "--rows", "60", "--truth", "truth.txt")
        for ending in WRITTEN_FORMATS:
            if ending != "svm":
                self.must("convert", "data.svm", f"data.{ending}")
        self.must("fit", "data.svm", "-o", "model.json", "--trace", "trace.jsonl", "-q")
        self.must("path", "data.svm", "-o", "path.json", "--nlambda", "5", "-q")
        self.must("cv", "data.svm", "-o", "cv.json", "--nlambda", "5", "--folds", "3", "-q")
        self.must("factor", "data.svm", "-o", "factors.json", "--atoms", "3", "-q")
        self.must("graph", "data.svm", "-o", "graph.json", "--nlambda", "3", "-q")
        with open("entries.csv", "w", encoding="utf-8") as file:
            file.write("row,column,value\n")
            file.writelines(f"{i},{j},{i * j + (i + 2 * j) % 5}\n" for i in range(1, 9) for j in range(1, 7) if (i + j) % 3)
        self.must("complete", "entries.csv", "-o", "matrix.json", "--lambda", "1", "-q")
        with open("groups.txt", "w", encoding="utf-8") as file:
            file.writelines(f"{j},g{j // 4}\n{j},h{(j + 2) // 4}\n" for j in range(1, 21))
        with open("words.csv", "w", encoding="utf-8") as file:
            file.write("id,colour,size,label\n")
            file.writelines(f"r{i},{'red' if i % 3 else 'blue'},{i * 7 % 11},{i % 4}\n" for i in range(40))
        with open("ones.txt", "w", encoding="utf-8") as file:
            file.write("1\n" * 60)
        self.foreign = self.make_foreign()
        self.kept = set(os.listdir("."))

    def make_foreign(self):
        """The formats that the program dcpn-import reads, as far as it is there, and something to write them."""
        sys.path.insert(0, os.path.join(os.path.dirname(HERE), "formats"))
        self.must("convert", "data.svm", "dense.npz")
        script = ("import sys, numpy, scipy.io, scipy.sparse, h5py\n"
                  "with numpy.load('dense.npz') as f:\n"
                  " y = f['y']\n"
                  " X = f['X'] if 'X' in f else scipy.sparse.load_npz('dense.npz').toarray()\n"
                  "scipy.io.savemat('data.mat', {'X': X, 'y': y})\n"
                  "f = h5py.File('data.h5ad', 'w')\n"
                  "f['X'] = X\n"
                  "f['y'] = y\n")
        made = subprocess.run(["/usr/bin/python3", "-c", script], capture_output=True)
        os.remove("dense.npz")
        names = ["data.mat", "data.h5ad"] if made.returncode == 0 else []
        return [name for name in names if self.run("check", name).returncode == 0]

    def data(self):
        """The words that name the data in each format."""
        for ending in WRITTEN_FORMATS:
            name = f"data.{ending}"
            yield [name, "--labels", f"{name}.labels"] if os.path.exists(f"{name}.labels") else [name]
        for name in self.foreign:
            yield [name]

    def commands(self):
        """Every command that reads or writes, with all its outputs."""
        few = ["--nlambda", "4", "-q"]
        yield (["fit", "data.svm", "-o", "o.json", "--report", "o.html", "--trace", "o.jsonl", "--checkpoint", "o.state",
                "--weights", "ones.txt", "-q"], ["o.json", "o.html", "o.jsonl", "o.state"])
        yield ["path", "data.csv", "-o", "o.json.gz", "--report", "o.html", *few], ["o.json.gz", "o.html"]
        yield (["cv", "data.npz", "-o", "o.json", "--model", "m.json", "--report", "o.html", "--folds", "3", *few],
               ["o.json", "m.json", "o.html"])
        yield (["path", "words.csv", "--id", "id", "--categorical", "colour", "--loss", "poisson", "--checkpoint", "o.state",
                "--checkpoint-every", "0", "-o", "o.json", *few], ["o.json", "o.state"])
        yield (["cv", "data.svm", "--groups", "groups.txt", "--grouping", "latent", "--penalty", "mcp", "--folds", "3", "--checkpoint",
                "o.state", "-o", "o.json", "--model", "m.json", *few], ["o.json", "m.json", "o.state"])
        yield ["factor", "data.svm", "-o", "o.json", "--atoms", "3", "--penalty", "mcp", "-q"], ["o.json"]
        yield (["graph", "data.svm", "-o", "o.json", "--edges", "o.csv", "--graphml", "o.txt", "--picture", "o.svg", *few],
               ["o.json", "o.csv", "o.txt", "o.svg"])
        yield ["complete", "entries.csv", "-o", "o.json", *few], ["o.json"]
        yield ["predict", "matrix.json", "entries.csv", "-o", "o.csv", "-q"], ["o.csv"]
        yield ["predict", "graph.json", "data.csv", "-o", "o.csv", "-q"], ["o.csv"]
        yield ["predict", "factors.json", "data.csv", "-o", "o.csv", "-q"], ["o.csv"]
        yield ["compare", "data.dcpn", "--svg", "o", "-q"], ["o-time.svg", "o-passes.svg"]
        yield ["predict", "model.json", "data.csv.zst", "-o", "o.txt"], ["o.txt"]
        yield ["coef", "model.json", "-o", "o.csv"], ["o.csv"]
        yield (["report", "path.json", "-o", "o.html", "--svg", "figures"], ["o.html"])
        yield ["info", "data.svm.gz"], []
        yield ["info", "model.json"], []
        yield ["info", "factors.json"], []
        yield ["info", "graph.json"], []
        yield ["info", "matrix.json"], []
        yield ["check", "data.tsv"], []
        yield ["convert", "data.svm", "o.mtx"], ["o.mtx", "o.mtx.labels"]
        yield ["convert", "data.csv", "o.dcpn"], ["o.dcpn"]
        yield ["convert", "data.dcpn", "o.npz"], ["o.npz"]
        yield ["convert", "data.npz", "o.csv.xz"], ["o.csv.xz"]
        yield (["generate", "toy", "-o", "o.svm", "--test-output", "t.svm", "--test-rows", "9", "--truth", "o.txt"],
               ["o.svm", "t.svm", "o.txt"])
        for name in self.foreign:
            yield ["convert", name, "o.csv"], ["o.csv"]

    def whole(self, path):
        """Whether dcpn reads what stands there; traces, figures and lists of numbers need only have something in them."""
        if path.endswith((".jsonl", ".html", ".svg", ".txt", ".state")) or path == "o.csv" or path.endswith(".labels"):
            return os.path.getsize(path) > 0
        labels = ["--labels", f"{path}.labels"] if os.path.exists(f"{path}.labels") else []
        return self.run("info", path, *labels).returncode == 0

    def clean(self):
        """Removes what a command left and returns the names."""
        left = sorted(set(os.listdir(".")) - self.kept)
        for name in left:
            if os.path.isdir(name):
                shutil.rmtree(name)
            else:
                os.remove(name)
        return left
