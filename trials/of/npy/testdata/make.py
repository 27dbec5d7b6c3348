"""Makes the fixtures of this folder. Run with NumPy 2: python make.py"""
import numpy as np
from numpy.lib import format as nf

grid = np.arange(24, dtype=float).reshape(2, 3, 4) - 2.5
np.save("f8_c.npy", grid)
np.save("f8_fortran.npy", np.asfortranarray(grid))
np.save("f4_big.npy", grid.astype(">f4"))
np.save("f2.npy", np.array([0, -1.5, 65504, 6e-8, np.inf, np.nan], dtype="f2"))
np.save("i8.npy", np.array([[-3, 2**40]], dtype="i8"))
np.save("u2_big.npy", np.array([1, 65535], dtype=">u2"))
np.save("i1.npy", np.array([-128, 127], dtype="i1"))
np.save("bool.npy", np.array([True, False, True]))
np.save("text.npy", np.array(["red", "grün", ""]))
np.save("bytes.npy", np.array([b"a", b"bcd"]))
np.save("scalar.npy", np.float64(7.25))
np.save("empty.npy", np.zeros((0, 5)))
with open("version2.npy", "wb") as f:
    nf.write_array(f, np.array([1.0, 2.0]), version=(2, 0))
with open("version3.npy", "wb") as f:
    nf.write_array(f, np.array([3.0, 4.0]), version=(3, 0))
np.savez("stored.npz", X=grid[0], y=np.array([1, 2]))
np.savez_compressed("packed.npz", X=grid[0], y=np.array(["a", "b"]))
