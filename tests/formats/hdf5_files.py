"""AnnData and MATLAB 7.3 files, written with h5py."""

import h5py

from converter import np, sp


def write_matlab73(path, X, y, userblock=True, classes=True):
    """A MATLAB file of version 7.3: HDF5 behind a head of 512 bytes, arrays the other way round."""
    def describe(thing, kind):
        if classes:
            thing.attrs["MATLAB_class"] = np.bytes_(kind)

    with h5py.File(path, "w", userblock_size=512 if userblock else 0) as file:
        if sp.issparse(X):
            group = file.create_group("X")
            group.attrs["MATLAB_sparse"] = np.uint64(X.shape[0])
            describe(group, "double")
            for name, values in (("data", X.data), ("ir", X.indices.astype("u8")), ("jc", X.indptr.astype("u8"))):
                if len(values):
                    group.create_dataset(name, data=values)
        else:
            describe(file.create_dataset("X", data=X.T), "double")
        if y.dtype != object:
            describe(file.create_dataset("y", data=y.reshape(1, -1)), "double")
            return
        cells = np.empty((1, len(y)), h5py.ref_dtype)
        for i, text in enumerate(y):
            units = np.frombuffer(text.encode("utf-16-le"), "u2")
            cell = file.create_dataset(f"#refs#/{i}", data=units.reshape(-1, 1) if text else np.zeros(2, "u8"))
            describe(cell, "char")
            if not text:
                cell.attrs["MATLAB_empty"] = np.uint8(1)
            cells[0, i] = cell.ref
        describe(file.create_dataset("y", data=cells, dtype=h5py.ref_dtype), "cell")


def add_head(content):
    """Content with a userblock of 512 bytes becomes a MATLAB file of version 7.3."""
    head = b"MATLAB 7.3 MAT-file, Platform: GLNXA64, HDF5 schema 1.00 .".ljust(116) + bytes(8) + b"\x00\x02IM"
    return head + content[len(head):]


def write_anndata(path, X, columns, var_names, old=False):
    """An AnnData file as its specification has it, of version 0.8 or, old, before."""
    text = h5py.string_dtype("utf-8")
    with h5py.File(path, "w") as file:
        if sp.issparse(X):
            group = file.create_group("X")
            for name in ("data", "indices", "indptr"):
                group.create_dataset(name, data=getattr(X, name), compression="gzip")
            group.attrs["h5sparse_format" if old else "encoding-type"] = X.format if old else X.format + "_matrix"
            group.attrs["h5sparse_shape" if old else "shape"] = np.array(X.shape)
        else:
            file.create_dataset("X", data=X, compression="gzip")
        obs, var = file.create_group("obs"), file.create_group("var")
        var.attrs["_index"] = "gene"
        var.create_dataset("gene", data=var_names, dtype=text)
        for name, (values, categories) in columns.items():
            dtype = text if isinstance((categories or values)[0], str) else None
            if not categories:
                obs.create_dataset(name, data=values, dtype=dtype)
            elif old:
                obs.create_dataset(name, data=np.array(values, "i1"))
                obs.require_group("__categories").create_dataset(name, data=categories, dtype=dtype)
            else:
                column = obs.create_group(name)
                column.attrs["encoding-type"] = "categorical"
                column.create_dataset("codes", data=np.array(values, "i1"))
                column.create_dataset("categories", data=categories, dtype=dtype)


def put(place, name, value):
    """A member of a group: a dict is a group of its own, in which a name with @ is an attribute."""
    if name.startswith("@"):
        place.attrs[name[1:]] = value
    elif isinstance(value, dict) and "@values" in value:
        place[name] = value["@values"]
        place[name].attrs["MATLAB_class"] = value["@class"]
    elif isinstance(value, dict):
        group = place.create_group(name)
        for member in value.items():
            put(group, *member)
    else:
        place[name] = value


def matlab_class(kind, values):
    """An array that says that it is of a class of MATLAB's."""
    return {"@values": values, "@class": np.bytes_(kind)}


def hdf5(userblock=0, **members):
    """The bytes of a file with these members."""
    with h5py.File("made", "w", userblock_size=userblock) as file:
        for member in members.items():
            put(file, *member)
    with open("made", "rb") as file:
        return file.read()


def csr(**changes):
    """The bytes of a file with a matrix of 3 x 2, some of its parts changed or, None, left out."""
    parts = {"data": [1.0, 2.0, 3.0], "indices": [0, 1, 0], "indptr": [0, 2, 2, 3], "encoding": "csr_matrix",
             "shape": [3, 2], **changes}
    names = {"encoding": "@encoding-type", "shape": "@shape"}
    return hdf5(X={names.get(name, name): part for name, part in parts.items() if part is not None})


def write_target(path, matlab):
    """A file with all that the files of leading_to look for in it."""
    with h5py.File(path, "w") as file:
        file["X"] = np.arange(6.0).reshape((2, 3) if matlab else (3, 2))
        file["y"] = np.arange(3.0)[None] if matlab else np.arange(3.0)
        file["obs/label"] = np.arange(3.0)
        file["names"] = np.array([b"first", b"second"])


def leading_to(target, matlab):
    """Files whose data lie in the file target: the place of those data, how they are there, and the bytes."""
    shape, labels = ((2, 3), "y") if matlab else ((3, 2), "obs/label")
    arrays = {"X": np.zeros(shape), labels: np.zeros((1, 3) if matlab else 3)}

    def file(change, without):
        with h5py.File("made", "w", userblock_size=512 if matlab else 0) as made:
            for name in arrays:
                if name != without:
                    made[name] = arrays[name]
            change(made)
        with open("made", "rb") as made:
            return add_head(made.read()) if matlab else made.read()

    def raw(place, shape, type):
        size = int(np.prod(shape)) * np.dtype(type).itemsize
        return place, "raw", file(lambda made: made.create_dataset(place, shape, type, external=[(target, 0, size)]),
                                  place)

    def link(place, path, without):
        def change(made):
            made[place] = h5py.ExternalLink(target, path)
        return place, "link", file(change, without)

    def soft(made):
        made["away"] = h5py.ExternalLink(target, "/")
        made["X"] = h5py.SoftLink("/away/X")

    def virtual(made):
        layout = h5py.VirtualLayout(shape, "f8")
        layout[:] = h5py.VirtualSource(target, "X", shape)
        made.create_virtual_dataset("X", layout)

    yield raw("X", shape, "f8")
    yield raw(labels, arrays[labels].shape, "f8")
    yield link("X", "/X", "X")
    yield link(labels, "/y", labels)
    yield "X", "link", file(soft, "X")
    yield "X", "virtual", file(virtual, "X")
    if not matlab:
        yield link("obs", "/obs", labels)
        yield link("var/_index", "/names", None)
        yield raw("var/_index", (2,), "S8")
