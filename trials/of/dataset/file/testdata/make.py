"""Makes the fixtures of this folder. Run with pandas 3, pyarrow 26, scikit-learn: python make.py"""
from decimal import Decimal
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from sklearn.datasets import dump_svmlight_file

frame = pd.DataFrame({
    "zeta": [1.5, -2.0, 3.25, 1e-3],
    "alpha": np.array([1, 2, 3, 4], dtype="int32"),
    "flag": [True, False, True, True],
    "small": np.array([0.5, 0.25, 4, 8], dtype="float32"),
    "colour": ["red", "blue", "red", "green, dark"],
    "target": ["yes", "no", "no", "yes"],
})
frame.to_csv("mixed.csv", index=False)
frame.to_csv("mixed.tsv.gz", index=False, sep="\t", compression={"method": "gzip", "mtime": 0})
for codec in ("snappy", "zstd", "gzip", "none"):
    frame.to_parquet(f"mixed_{codec}.parquet", index=False, compression=codec)
holes = pa.table({
    "a": pa.array([1.0, None, 3.0]),
    "u": pa.array([1, 2, 4000000000], pa.uint32()),
    "d": pa.array([Decimal("1"), Decimal("2.25"), Decimal("3")], pa.decimal128(6, 2)),
    "when": pa.array([0, 1, 2], pa.timestamp("ms")),
    "list": pa.array([[1.0], [2.0, 3.0], []]),
    "t": pa.array(["x", None, "y"]).dictionary_encode(),
})
pq.write_table(holes, "holes.parquet", version="2.6", row_group_size=2, data_page_version="2.0", store_decimal_as_integer=True)
odd = pa.table({
    "half": pa.array(np.array([1.5, -0.25, 65504, 6e-8], dtype="float16")),
    "short": pa.array([Decimal("1.25"), Decimal("-2.5"), None, Decimal("-999.99")], pa.decimal128(5, 2)),
    "long": pa.array([Decimal("12345678901234567890.125"), Decimal("-0.001"), Decimal("0"), Decimal("9e30")], pa.decimal128(38, 3)),
    "old": pa.array([0, 1, 2, 3], pa.timestamp("ns")),
})
with pq.ParquetWriter("odd.parquet", odd.schema, use_deprecated_int96_timestamps=True) as writer:
    for part in (odd.slice(0, 0), odd.slice(0, 3), odd.slice(0, 0), odd.slice(3), odd.slice(0, 0)):
        writer.write_table(part)
pq.write_table(odd.slice(0, 0), "none.parquet")
pq.write_table(pa.table({"a": np.sqrt(np.arange(100))}), "lz4.parquet", compression="lz4")
np.savez("both.npz", X=np.arange(12.0).reshape(4, 3), y=np.array(["b", "a", "b", "a"]))
np.savez_compressed("images.npz", images=np.arange(24, dtype="u1").reshape(2, 3, 4), other=np.zeros(3))
np.save("fortran.npy", np.asfortranarray(np.arange(24, dtype="i2").reshape(4, 3, 2)))
dump_svmlight_file(np.array([[0, 1.5, 0], [2, 0, 0], [0, 0, -3]]), np.array([1, -1, 1]), "sparse.libsvm", zero_based=False)
dump_svmlight_file(np.array([[0.5, 1.5], [2, 0]]), np.array([0.25, 3]), "zero.libsvm", zero_based=True)
