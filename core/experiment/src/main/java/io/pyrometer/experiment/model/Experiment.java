package io.pyrometer.experiment.model;

import io.pyrometer.experiment.design.Design;
import io.pyrometer.experiment.design.Factor;
import io.pyrometer.experiment.design.Factor.Level;
import io.pyrometer.experiment.design.Factor.Role;
import io.pyrometer.experiment.design.Treatments;
import io.pyrometer.protocol.CoreSettings;
import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.Requirement;
import io.pyrometer.protocol.SettingKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A question, and all that must be known to answer it by measurement. One that was read from a file
 * is complete and valid.
 *
 * @param name fit for a file name
 * @param question that the measurements are to answer
 * @param testbed where the grid comes from and its processes run
 * @param record the records of the workload
 * @param treatments what is measured: settings, cases, factors and design
 * @param options how often, in which order, and what is made of the trials
 * @param variants its quick form and its full length
 * @param published figures that others published of its treatments
 * @param source text of the file
 */
public record Experiment(
    String name,
    String question,
    Testbed testbed,
    RecordShape record,
    Treatments treatments,
    Options options,
    Variants variants,
    Optional<Published> published,
    String source) {

  /** In a shortcoming that a full run has as well, because something is missing on this machine. */
  public static final String LEFT_OUT = " was left out. ";

  /**
   * Where the grid comes from and its processes run.
   *
   * @param config the user's own configuration file for nodes and sessions, absolute
   * @param attach host:port, comma-separated, of a running grid to use instead of starting one, or
   *     {@link #BY_CONFIG}
   * @param hosts that processes are spread over; empty for this machine
   */
  public record Testbed(Optional<Path> config, Optional<String> attach, List<Host> hosts) {

    /** As 'attach': a running grid, and the configuration file says where it is. */
    public static final String BY_CONFIG = "config";

    /** Pyrometer starts everything on this machine. */
    public static final Testbed LOCAL = new Testbed(Optional.empty(), Optional.empty(), List.of());
  }

  /**
   * How an experiment is run.
   *
   * @param blocks replicates of every treatment, each with fresh processes, 1 to {@value
   *     #MOST_BLOCKS}
   * @param seed of the order of trials and of the data
   * @param analyses names of the analyses to make
   * @param probes of every treatment that writes, made once a run
   * @param thresholds that every treatment must keep
   * @param require what a treatment must guarantee to be recommended; empty for what the baseline
   *     guarantees
   * @param tune what {@code tune} may vary; empty where the file does not say
   */
  public record Options(
      int blocks,
      long seed,
      List<String> analyses,
      List<ProbeKind> probes,
      List<Threshold> thresholds,
      List<Requirement> require,
      Optional<TuneSection> tune) {

    /** The largest number of blocks that can be asked for. */
    public static final int MOST_BLOCKS = 1000;

    /** These options with other blocks in another order. */
    public Options with(int otherBlocks, long otherSeed) {
      return new Options(otherBlocks, otherSeed, analyses, probes, thresholds, require, tune);
    }
  }

  /**
   * The other lengths of an experiment.
   *
   * @param quick what {@code --quick} changes, each {@code name=value,…} as on the command line
   * @param full what {@code --full} changes, likewise; empty where the experiment is at its full
   *     length
   * @param onlyFull what only the full length can say, each a sentence
   */
  public record Variants(List<String> quick, List<String> full, List<String> onlyFull) {

    public static final Variants NONE = new Variants(List.of(), List.of(), List.of());
  }

  public List<String> analyses() {
    return options.analyses();
  }

  public List<ProbeKind> probes() {
    return options.probes();
  }

  public List<Threshold> thresholds() {
    return options.thresholds();
  }

  public List<Requirement> require() {
    return options.require();
  }

  /** The names of the drivers of its treatments, in their order. */
  public List<String> drivers() {
    return values(CoreSettings.DRIVER);
  }

  /** The values that treatments give a setting, each once. */
  public List<String> values(SettingKey<String> key) {
    return treatments.expand().stream()
        .flatMap(treatment -> treatment.settings().find(key).stream())
        .distinct()
        .toList();
  }

  /** The labels of each factor's levels, the cases first, as trials name them. */
  public Map<String, List<String>> levels() {
    Map<String, List<String>> levels = new LinkedHashMap<>();
    if (!treatments.cases().isEmpty()) {
      levels.put(Treatments.CASE, treatments.cases().stream().map(Level::label).toList());
    }
    for (Factor factor : treatments.factors()) {
      levels.put(factor.name(), factor.levels().stream().map(Level::label).toList());
    }
    return levels;
  }

  /** The roles in recommendations that the file gives its factors, by name. */
  public Map<String, Role> roles() {
    Map<String, Role> roles = new LinkedHashMap<>();
    treatments
        .factors()
        .forEach(factor -> factor.role().ifPresent(role -> roles.put(factor.name(), role)));
    return roles;
  }

  public Experiment with(Testbed other) {
    return new Experiment(
        name, question, other, record, treatments, options, variants, published, source);
  }

  public Experiment with(Treatments others) {
    return new Experiment(
        name, question, testbed, record, others, options, variants, published, source);
  }

  public Experiment with(Options others) {
    return new Experiment(
        name, question, testbed, record, treatments, others, variants, published, source);
  }

  public Experiment with(Variants others) {
    return new Experiment(
        name, question, testbed, record, treatments, options, others, published, source);
  }

  /**
   * This experiment without the treatments that need what is missing on this machine, which its
   * report then says.
   *
   * @param key the setting that asks for it, such as the driver
   * @param value what it asks for
   * @param why one sentence
   * @throws ExperimentException if its treatments cannot do without it
   */
  public Experiment without(SettingKey<String> key, String value, String why) {
    Treatments kept = treatments.without(key, value);
    boolean any =
        treatments.design() instanceof Design.Full || treatments.design() instanceof Design.Except;
    String what = "the %s '%s'".formatted(key.name(), value);
    if (!any || kept.expand().isEmpty() || with(kept).values(key).contains(value)) {
      throw new ExperimentException(what, why);
    }
    List<String> shortcomings = new ArrayList<>(variants.onlyFull());
    shortcomings.add(capital(what) + LEFT_OUT + why);
    return with(kept).with(new Variants(variants.quick(), variants.full(), shortcomings));
  }

  private static String capital(String sentence) {
    return Character.toUpperCase(sentence.charAt(0)) + sentence.substring(1);
  }
}
