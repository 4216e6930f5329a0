package io.pyrometer.analysis.simulation;

import io.pyrometer.analysis.simulation.Claim.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;

/** A list of claims that is being made. */
record Claims(List<Claim> all) {
  Claims() {
    this(new ArrayList<>());
  }

  void add(String claim, String how, Limits limits, Predicate<Random> happens) {
    all.add(new Claim(claim, how, limits, happens));
  }
}
