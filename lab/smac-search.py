"""SMAC3 searches a surface that TuningSimulation evaluates (lab/simulated-tuning.md).

Reads "trials seed", then one line of a knob each ("levels ordered initial needed-knob needed-levels…",
the needed knob -1 where there is none), then a blank line. Writes a configuration on a line, reads
its response (a logarithm, higher is better, or NaN where the trial fails), and so on; writes an
empty line and the best configuration at the end.
"""
import logging
import math
import sys
import tempfile

from ConfigSpace import Categorical, ConfigurationSpace, InCondition, Integer
from smac import HyperparameterOptimizationFacade, Scenario
from smac.runhistory import StatusType, TrialValue

logging.disable(logging.WARNING)
trials, seed = map(int, sys.stdin.readline().split())
space = ConfigurationSpace(seed=seed)
knobs, needs, initial = [], [], []
while line := sys.stdin.readline().split():
    levels, ordered, default, needed, *at = map(int, line)
    name = f"k{len(knobs)}"
    knobs.append(
        Integer(name, (0, levels - 1), default=default)
        if ordered
        else Categorical(name, list(range(levels)), default=default)
    )
    initial.append(default)
    if needed >= 0:
        needs.append((len(knobs) - 1, needed, at))
space.add(knobs)
space.add([InCondition(knobs[of], knobs[by], at) for of, by, at in needs])


def levels_of(configuration):
    return [int(configuration.get(knob.name, default)) for knob, default in zip(knobs, initial)]


with tempfile.TemporaryDirectory() as folder:
    scenario = Scenario(space, n_trials=trials, seed=seed, deterministic=False, output_directory=folder)
    smac = HyperparameterOptimizationFacade(
        scenario,
        lambda configuration, seed=0: 0.0,
        initial_design=HyperparameterOptimizationFacade.get_initial_design(
            scenario, additional_configs=[space.get_default_configuration()]
        ),
        logging_level=False,
    )
    worst = 1.0
    for _ in range(trials):
        trial = smac.ask()
        print(*levels_of(trial.config), flush=True)
        cost = math.exp(-float(sys.stdin.readline()))
        failed = math.isnan(cost)
        worst = worst if failed else max(worst, cost)
        status = StatusType.CRASHED if failed else StatusType.SUCCESS
        smac.tell(trial, TrialValue(cost=worst if failed else cost, status=status), save=False)
    print(flush=True)
    print(*levels_of(smac.intensifier.get_incumbent()), flush=True)
