# Fits the data sets of figures.json (oracle.R makes it) with statsmodels' MixedLM as well, and
# writes the figures that MixedModelTest compares with: statsmodels.json.
# pip install statsmodels   (0.15.0 made the file)
# Run in this folder: python3 statsmodels_figures.py
import json
import warnings

import numpy as np
import statsmodels
from statsmodels.regression.mixed_linear_model import MixedLM, MixedLMParams, VCSpec

warnings.simplefilter("ignore")  # of a variance at its bound of 0, which is one of the cases


def fit(data):
    y = np.array(data["y"])
    x = np.array(data["x"], dtype=float)
    names, columns, designs = [], [], []
    for name, group in data["groups"].items():
        levels = max(group) + 1
        design = np.zeros((len(y), levels))
        design[np.arange(len(y)), group] = 1
        names.append(name)
        columns.append([[f"{name}{i}" for i in range(levels)]])
        designs.append([design])
    # Crossed and nested terms alike are variance components of one group of all rows.
    model = MixedLM(y, x, groups=np.zeros(len(y)), exog_vc=VCSpec(names, columns, designs))
    best = None
    for start in (0.1, 1.0, 10.0):
        for method in ("lbfgs", "powell", "nm"):
            options = {"pgtol": 1e-10, "factr": 1} if method == "lbfgs" else {"xtol": 1e-12, "ftol": 1e-14}
            params = MixedLMParams.from_components(vcomp=np.full(len(names), start))
            try:
                found = model.fit(reml=True, start_params=params, method=method, maxiter=20000, **options)
            except Exception:
                continue
            if best is None or found.llf > best.llf:
                best = found
    return {
        "criterion": -2 * best.llf,
        "components": dict(zip(names, map(float, best.vcomp))),
        "residual": float(best.scale),
        "estimate": list(map(float, best.fe_params)),
        "standardError": list(map(float, np.sqrt(np.diag(best.cov_params())[: x.shape[1]]))),
    }


with open("figures.json") as file:
    sets = json.load(file)
with open("statsmodels.json", "w") as file:
    json.dump({"version": statsmodels.__version__, "sets": {n: fit(d) for n, d in sets.items()}}, file,
              indent=1)
