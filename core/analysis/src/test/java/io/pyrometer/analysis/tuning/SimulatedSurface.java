package io.pyrometer.analysis.tuning;

import io.pyrometer.analysis.tuning.TuningSpace.Knob;
import io.pyrometer.analysis.tuning.TuningSpace.Needs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * A response surface whose best is known: a sum of functions of few knobs each, on the scale of
 * logarithms. Where a function is not a number, the configuration fails.
 */
final class SimulatedSurface implements Landscape {
  private final List<Knob> knobs = new ArrayList<>();
  private final List<Part> parts = new ArrayList<>();
  private final Map<Integer, Double> blocks = new HashMap<>();
  private final double noise;
  private final Random random;

  /**
   * @param first of the knobs that the part depends on; the others follow
   * @param table of the response by the combination of levels, the last knob changing fastest
   */
  private record Part(int first, int count, double[] table) {}

  private SimulatedSurface(double noise, Random random) {
    this.noise = noise;
    this.random = random;
  }

  /** The kinds of surfaces; each search draws another surface of its kind. */
  enum Family {
    ADDITIVE_8("additive, 8 settings"),
    ADDITIVE_16("additive, 16 settings"),
    INTERACTING_8("pairs that interact, 8 settings"),
    INTERACTING_16("pairs that interact, 16 settings"),
    RIDGE_8("ridges, 8 settings"),
    RIDGE_12("ridges, 12 settings"),
    CLIFF_8("cliffs, 8 settings"),
    CLIFF_12("cliffs, 12 settings"),
    MODES_8("several modes, 8 settings"),
    MODES_12("several modes, 12 settings"),
    CONDITIONAL_10("conditional, 10 settings"),
    CONDITIONAL_16("conditional, 16 settings"),
    BOTTLENECK_10("other: bottlenecks, 10 settings"),
    STEPS_12("other: steps, 12 settings"),
    TRIPLES_9("other: three that interact, 9 settings"),
    MEMORY_12("other: memory that three share, 12 settings"),
    NEEDLE_6("against the model: one configuration 40 % above a plain, 6 settings"),
    PLATEAUS_8("against the model: plateaus with failures, 8 settings");

    private final String words;

    Family(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }

    /**
     * @param noise standard deviation of a trial; that of a block is half as large
     */
    SimulatedSurface draw(double noise, Random random) {
      SimulatedSurface surface = new SimulatedSurface(noise, random);
      int of = Integer.parseInt(name().replaceAll("\\D", ""));
      switch (this) {
        case ADDITIVE_8, ADDITIVE_16 -> {}
        case INTERACTING_8, INTERACTING_16 -> surface.interacting(of / 4);
        case RIDGE_8, RIDGE_12 -> surface.ridges(of / 4);
        case CLIFF_8, CLIFF_12 -> surface.cliffs(of / 4 - 1);
        case MODES_8, MODES_12 -> surface.modes(of / 8);
        case CONDITIONAL_10, CONDITIONAL_16 -> surface.conditional(of / 8);
        case BOTTLENECK_10 -> surface.bottleneck();
        case STEPS_12 -> surface.steps(of / 3);
        case TRIPLES_9 -> surface.triples(of / 4);
        case MEMORY_12 -> surface.memory(of / 6);
        case NEEDLE_6 -> surface.needle(of);
        case PLATEAUS_8 -> surface.plateaus(of / 4);
      }
      while (surface.knobs.size() < of) {
        surface.single();
      }
      return surface;
    }
  }

  private double level(int knob, int level) {
    return level / (knobs.get(knob).levels() - 1.0);
  }

  private int knob(int levels, boolean ordered, int initial) {
    String name = "k" + knobs.size();
    knobs.add(new Knob(name, levels, ordered, initial, Optional.empty()));
    return knobs.size() - 1;
  }

  private void part(int first, ToDoubleFunction<int[]> function) {
    int count = knobs.size() - first;
    int size = 1;
    for (int i = first; i < knobs.size(); i++) {
      size *= knobs.get(i).levels();
    }
    double[] table = new double[size];
    for (int cell = 0; cell < size; cell++) {
      int[] levels = new int[count];
      int rest = cell;
      for (int i = count - 1; i >= 0; i--) {
        levels[i] = rest % knobs.get(first + i).levels();
        rest /= knobs.get(first + i).levels();
      }
      table[cell] = function.applyAsDouble(levels);
    }
    parts.add(new Part(first, count, table));
  }

  /** Half of the settings have effects of 5 to 20 %, the others of up to 1 %. */
  private double size() {
    return random.nextBoolean() ? 0.05 + 0.15 * random.nextDouble() : 0.01 * random.nextDouble();
  }

  /** Two levels, several in order with a slope or a best one between, or several by name. */
  private void single() {
    double size = size();
    double sign = random.nextBoolean() ? 1 : -1;
    switch (random.nextInt(4)) {
      case 0 -> {
        int k = knob(2, false, random.nextInt(2));
        part(k, x -> sign * size * x[0]);
      }
      case 1 -> {
        int k = knob(3 + random.nextInt(3), true, random.nextInt(3));
        part(k, x -> sign * size * level(k, x[0]));
      }
      case 2 -> {
        int k = knob(4 + random.nextInt(2), true, random.nextInt(3));
        double best = random.nextDouble();
        part(k, x -> -2 * size * Math.pow(level(k, x[0]) - best, 2));
      }
      default -> {
        int k = knob(3, false, 0);
        double[] of = {0, size * random.nextGaussian() / 2, size * random.nextGaussian() / 2};
        part(k, x -> of[x[0]]);
      }
    }
  }

  /** One is worth much only with the other. */
  private void interacting(int pairs) {
    for (int i = 0; i < pairs; i++) {
      int a = knob(3, true, random.nextInt(3));
      int b = knob(2, false, random.nextInt(2));
      double size = 0.1 + 0.15 * random.nextDouble();
      boolean cross = random.nextBoolean();
      part(
          a,
          x -> size * (cross ? (2 * level(a, x[0]) - 1) * (2 * x[1] - 1) : level(a, x[0]) * x[1]));
    }
  }

  /** A narrow ridge along which two settings must move together, rising slowly. */
  private void ridges(int count) {
    for (int i = 0; i < count; i++) {
      int a = knob(5, true, random.nextInt(5));
      int b = knob(5, true, random.nextInt(5));
      double rise = 0.05 + 0.1 * random.nextDouble();
      part(
          a,
          x ->
              rise * (level(a, x[0]) + level(b, x[1])) / 2
                  - 0.5 * Math.pow(level(a, x[0]) - level(b, x[1]), 2));
    }
  }

  /** More is better until the sum of two is too much, and a combination by name that fails. */
  private void cliffs(int count) {
    for (int i = 0; i < count; i++) {
      int a = knob(4, true, 0);
      int b = knob(4, true, 0);
      double first = 0.05 + 0.15 * random.nextDouble();
      double second = 0.05 + 0.15 * random.nextDouble();
      part(
          a,
          x -> {
            double sum = level(a, x[0]) + level(b, x[1]);
            return sum > 1.4 ? Double.NaN : first * level(a, x[0]) + second * level(b, x[1]);
          });
    }
    int c = knob(3, false, 0);
    knob(2, false, 0);
    double good = 0.08;
    part(c, x -> x[0] == 2 && x[1] == 1 ? Double.NaN : good * x[0] * (1 - x[1]) + 0.02 * x[1]);
  }

  /** A setting by name turns the effects of two others around, and each turn has its own best. */
  private void modes(int count) {
    for (int i = 0; i < count; i++) {
      int mode = knob(3, false, random.nextInt(3));
      int a = knob(4, true, random.nextInt(4));
      int b = knob(4, true, random.nextInt(4));
      double[] height = {0.05, 0.1, 0.2};
      double[] bestA = {0, 1, random.nextDouble()};
      double[] bestB = {1, 0, random.nextDouble()};
      part(
          mode,
          x ->
              height[x[0]]
                  - 0.3 * Math.pow(level(a, x[1]) - bestA[x[0]], 2)
                  - 0.3 * Math.pow(level(b, x[2]) - bestB[x[0]], 2));
    }
  }

  /** A switch costs a little, and three settings have an effect only if it is on. */
  private void conditional(int count) {
    for (int i = 0; i < count; i++) {
      int flag = knob(2, false, 0);
      Optional<Needs> needs = Optional.of(new Needs(flag, Set.of(1)));
      int first = knobs.size();
      for (int sub = 0; sub < 3; sub++) {
        knobs.add(new Knob("k" + knobs.size(), 3, true, random.nextInt(3), needs));
      }
      double[] size =
          IntStream.range(0, 3).mapToDouble(s -> 0.03 + 0.1 * random.nextDouble()).toArray();
      double[] best = IntStream.range(0, 3).mapToDouble(s -> random.nextDouble()).toArray();
      part(
          flag,
          x -> {
            double sum = 0.05;
            for (int s = 0; s < 3; s++) {
              sum -= size[s] * Math.abs(level(first + s, x[s + 1]) - best[s]);
            }
            return x[0] == 0 ? 0 : sum + 0.05;
          });
    }
  }

  /** Three resources with two settings each, of which the slowest alone counts. */
  private void bottleneck() {
    int first = knobs.size();
    double[] weight = new double[6];
    double[] base = random.doubles(3, 0.9, 1.1).toArray();
    for (int i = 0; i < weight.length; i++) {
      knob(4, true, random.nextInt(4));
      weight[i] = 0.3 * random.nextDouble() * (random.nextBoolean() ? 1 : -1);
    }
    part(
        first,
        x ->
            IntStream.range(0, 3)
                .mapToDouble(
                    r ->
                        base[r]
                            + weight[2 * r] * level(first + 2 * r, x[2 * r])
                            + weight[2 * r + 1] * level(first + 2 * r + 1, x[2 * r + 1]))
                .map(Math::log)
                .min()
                .orElseThrow());
  }

  /** Nothing changes up to a level, and from there on much; and five levels by name. */
  private void steps(int count) {
    for (int i = 0; i < count; i++) {
      int a = knob(5, true, random.nextInt(5));
      int from = 1 + random.nextInt(4);
      double size = (random.nextBoolean() ? 1 : -1) * (0.05 + 0.15 * random.nextDouble());
      part(a, x -> x[0] >= from ? size : 0);
      int b = knob(5, false, 0);
      double[] of = random.doubles(5).map(each -> 0.15 * each).toArray();
      part(b, x -> of[x[0]]);
    }
  }

  /** Three settings gain together what none of them gains alone, and cost a little each. */
  private void triples(int count) {
    for (int i = 0; i < count; i++) {
      int a = knob(3, true, 0);
      knob(2, false, 0);
      int c = knob(3, true, 0);
      double size = 0.1 + 0.15 * random.nextDouble();
      part(
          a,
          x ->
              size * level(a, x[0]) * x[1] * level(c, x[2])
                  - 0.02 * (level(a, x[0]) + x[1] + level(c, x[2])));
    }
  }

  /** Each share of the memory pays the less the more it has, and all together must fit. */
  private void memory(int count) {
    for (int i = 0; i < count; i++) {
      int first = knobs.size();
      double[] size = random.doubles(3, 0.05, 0.2).toArray();
      IntStream.range(0, 3).forEach(each -> knob(4, true, 0));
      double room = 1.2 + random.nextDouble();
      part(
          first,
          x -> {
            double sum = 0;
            double used = 0;
            for (int k = 0; k < 3; k++) {
              used += level(first + k, x[k]);
              sum += size[k] * Math.sqrt(level(first + k, x[k]));
            }
            return used > room ? Double.NaN : sum;
          });
    }
  }

  /** All configurations but one are equal. */
  private void needle(int count) {
    int first = knobs.size();
    for (int i = 0; i < count; i++) {
      knob(3, i % 2 == 0, 0);
    }
    // A generator of its own: random search draws from the same seed.
    int[] best = new Random(random.nextLong()).ints(count, 0, 3).toArray();
    best[0] = 2;
    part(first, x -> Arrays.equals(x, best) ? Math.log(1.4) : 0);
  }

  /** Four settings make few plateaus of random height, one in five of which fails. */
  private void plateaus(int count) {
    for (int i = 0; i < count; i++) {
      int first = knobs.size();
      IntStream.range(0, 4).forEach(each -> knob(4, true, 0));
      double[] height =
          random.doubles(16).map(each -> each < 0.2 ? Double.NaN : 0.3 * each).toArray();
      height[0] = 0.1;
      part(
          first,
          x -> height[(x[0] > 1 ? 8 : 0) + (x[1] > 0 ? 4 : 0) + (x[2] > 2 ? 2 : 0) + x[3] / 2]);
    }
  }

  @Override
  public TuningSpace space() {
    return new TuningSpace(knobs, x -> true);
  }

  @Override
  public double measure(List<Integer> configuration, int of) {
    double block = blocks.computeIfAbsent(of, b -> noise / 2 * random.nextGaussian());
    double truth = at(configuration);
    return Double.isNaN(truth) ? truth : truth + block + noise * random.nextGaussian();
  }

  @Override
  public double at(List<Integer> configuration) {
    double sum = 0;
    for (Part part : parts) {
      int cell = 0;
      for (int i = part.first(); i < part.first() + part.count(); i++) {
        cell = cell * knobs.get(i).levels() + configuration.get(i);
      }
      sum += part.table()[cell];
    }
    return sum;
  }

  /** The parts share no knob. */
  @Override
  public double best() {
    return parts.stream()
        .mapToDouble(
            part ->
                Arrays.stream(part.table()).filter(each -> !Double.isNaN(each)).max().orElseThrow())
        .sum();
  }
}
