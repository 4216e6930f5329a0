package io.pyrometer.experiment.design;

import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.protocol.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The treatments of an experiment, as settings and the factors that vary them.
 *
 * @param base what holds for every treatment unless a case or level says otherwise, as given
 * @param cases named sets of settings to start from; empty for one unnamed
 * @param factors in the order of the file
 * @param design which combinations of levels become treatments
 */
public record Treatments(Settings base, List<Level> cases, List<Factor> factors, Design design) {

  /** The factor that the cases are the levels of. */
  public static final String CASE = "case";

  /** The level of a factor in the base treatment of a case that has none of its levels. */
  public static final String AS_IN_CASE = "(as the case)";

  public static final long MOST = 10_000;

  /** How many treatments there are at most, without expanding them. */
  public long atMost() {
    double count = Math.max(1, cases.size());
    double sum = 1;
    double product = 1;
    for (Factor factor : factors) {
      product *= factor.levels().size();
      sum += factor.levels().size();
    }
    return (long) Math.min(Long.MAX_VALUE, count * (oneAtATime() ? sum : product));
  }

  private boolean oneAtATime() {
    return design instanceof Design.OneAtATime;
  }

  /** In the order of the file; no two with the same levels; none while a factor has no levels. */
  public List<Treatment> expand() {
    if (factors.stream().anyMatch(factor -> factor.levels().isEmpty())) {
      return List.of();
    }
    List<Treatment> all = new ArrayList<>();
    if (cases.isEmpty()) {
      all.addAll(expand(Map.of(), base));
    }
    for (Level each : cases) {
      all.addAll(expand(Map.of(CASE, each.label()), base.with(each.settings())));
    }
    return design instanceof Design.Except except
        ? all.stream().filter(each -> !except.leavesOut(each.levels())).toList()
        : List.copyOf(all);
  }

  private List<Treatment> expand(Map<String, String> start, Settings from) {
    if (oneAtATime() && !start.isEmpty()) {
      return sweepsOfCase(start, from);
    }
    List<int[]> rows = oneAtATime() ? sweeps() : combinations();
    return rows.stream().map(row -> treatment(start, from, row)).toList();
  }

  /** Indices of levels, one for each factor: all 0, then one of them another. */
  private List<int[]> sweeps() {
    int[] base = new int[factors.size()];
    Stream<int[]> changes =
        IntStream.range(0, base.length).boxed().flatMap(factor -> variants(base, factor).skip(1));
    return Stream.concat(Stream.of(base), changes).toList();
  }

  /** Indices of levels, one for each factor. */
  private List<int[]> combinations() {
    Stream<int[]> rows = Stream.of(new int[factors.size()]);
    for (int i = 0; i < factors.size(); i++) {
      int factor = i;
      rows = rows.flatMap(row -> variants(row, factor));
    }
    return design instanceof Design.Rows chosen
        ? rows.filter(row -> chosen.rows().contains(Arrays.stream(row).boxed().toList())).toList()
        : rows.toList();
  }

  /** A row with each level of a factor. */
  private Stream<int[]> variants(int[] row, int factor) {
    return IntStream.range(0, factors.get(factor).levels().size())
        .mapToObj(
            level -> {
              int[] variant = row.clone();
              variant[factor] = level;
              return variant;
            });
  }

  private Treatment treatment(Map<String, String> start, Settings from, int[] row) {
    Map<String, String> levels = new LinkedHashMap<>(start);
    Set<String> settings = new TreeSet<>();
    Settings merged = from;
    for (int factor = 0; factor < row.length; factor++) {
      Level level = factors.get(factor).levels().get(row[factor]);
      levels.put(factors.get(factor).name(), level.label());
      merged = merged.with(level.settings());
      if (oneAtATime() ? row[factor] > 0 : factors.get(factor).levels().size() > 1) {
        settings.addAll(level.settings().values().keySet());
      }
    }
    return new Treatment(Collections.unmodifiableMap(levels), merged, settings, label(levels));
  }

  /** Its levels of the factors that vary; empty where all do. */
  private String label(Map<String, String> levels) {
    Set<String> constant =
        factors.stream()
            .filter(f -> f.levels().size() == 1)
            .map(Factor::name)
            .collect(Collectors.toSet());
    Map<String, String> varying = new LinkedHashMap<>(levels);
    varying.keySet().removeAll(constant);
    return constant.isEmpty() ? "" : Labels.of(varying, "");
  }

  /** The case itself, then each level that differs from it. */
  private List<Treatment> sweepsOfCase(Map<String, String> start, Settings from) {
    Map<String, String> own = new LinkedHashMap<>(start);
    for (Factor factor : factors) {
      own.put(factor.name(), levelOf(factor, from));
    }
    List<Treatment> all = new ArrayList<>();
    String name = own.getOrDefault(CASE, "");
    all.add(new Treatment(Collections.unmodifiableMap(own), from, Set.of(), name));
    Set<String> labels = new HashSet<>();
    for (Factor factor : factors) {
      for (Level level : factor.levels()) {
        if (!level.label().equals(own.get(factor.name()))) {
          Map<String, String> levels = new LinkedHashMap<>(own);
          levels.put(factor.name(), level.label());
          String changed = Labels.of(Map.of(factor.name(), level.label()), "");
          String told =
              labels.add(changed) ? changed : "%s %s".formatted(factor.name(), level.label());
          all.add(
              new Treatment(
                  Collections.unmodifiableMap(levels),
                  from.with(level.settings()),
                  level.settings().values().keySet(),
                  name + " · " + told));
        }
      }
    }
    return all;
  }

  private static String levelOf(Factor factor, Settings settings) {
    return factor.levels().stream()
        .filter(level -> settings.with(level.settings()).equals(settings))
        .map(Level::label)
        .findFirst()
        .orElse(AS_IN_CASE);
  }

  /**
   * One combination of levels.
   *
   * @param levels a level's label by factor, in the order of the factors
   * @param settings what the file gives for it
   * @param varied the settings that this treatment is there to vary
   * @param label of a case by its name, and of a change of it by what is changed; empty where the
   *     levels say what the treatment is
   */
  public record Treatment(
      Map<String, String> levels, Settings settings, Set<String> varied, String label) {}

  /** These treatments without the cases and levels that give a setting this value. */
  public Treatments without(SettingKey<String> key, String value) {
    return withCases(without(cases, key, value))
        .withFactors(
            factors.stream()
                .map(factor -> factor.with(without(factor.levels(), key, value)))
                .toList());
  }

  private static List<Level> without(List<Level> levels, SettingKey<String> key, String value) {
    return levels.stream()
        .filter(level -> !level.settings().find(key).equals(Optional.of(value)))
        .toList();
  }

  public Treatments withBase(Settings other) {
    return new Treatments(other, cases, factors, design);
  }

  public Treatments withCases(List<Level> others) {
    return new Treatments(base, others, factors, design);
  }

  public Treatments withFactors(List<Factor> others) {
    return new Treatments(base, cases, others, design);
  }
}
