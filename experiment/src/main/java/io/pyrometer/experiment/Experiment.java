package io.pyrometer.experiment;

import io.pyrometer.protocol.ProbeKind;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.Settings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A question, and all that must be known to answer it by measurement. One that {@link
 * ExperimentReader} made is whole and valid.
 *
 * @param name fit for a file name
 * @param driver name of the driver
 * @param config the user's own configuration file for nodes and sessions, absolute
 * @param attach host:port, comma-separated, of a running grid to use instead of starting one
 * @param settings what the file gives for every treatment, canonical units
 * @param record the records of the workload
 * @param cases named sets of settings to start from; empty for one unnamed
 * @param factors in the order of the file
 * @param blocks how many times every treatment is measured, each time with fresh processes
 * @param seed of the order of trials and of the data
 * @param analyses names of the analyses to make
 * @param probes of every treatment that writes, made once a run
 * @param quick what {@code --quick} changes, each {@code name=value,…} as on the command line
 * @param published figures that others published of its treatments
 * @param full its full length; {@link Full#NONE} where this is it
 * @param hosts that processes are spread over; empty for this machine
 * @param source text of the file
 */
public record Experiment(
    String name,
    String question,
    String driver,
    Optional<Path> config,
    Optional<String> attach,
    Settings settings,
    RecordShape record,
    List<Level> cases,
    List<Factor> factors,
    Design design,
    int blocks,
    long seed,
    List<String> analyses,
    List<ProbeKind> probes,
    List<String> quick,
    Optional<Published> published,
    Full full,
    List<Host> hosts,
    String source) {

  public Experiment {
    cases = List.copyOf(cases);
    factors = List.copyOf(factors);
    analyses = List.copyOf(analyses);
    probes = List.copyOf(probes);
    quick = List.copyOf(quick);
    hosts = List.copyOf(hosts);
  }

  /** The labels of each factor's levels, the cases first, as trials name them. */
  public Map<String, List<String>> levels() {
    Map<String, List<String>> levels = new LinkedHashMap<>();
    if (!cases.isEmpty()) {
      levels.put(Treatments.CASE, cases.stream().map(Level::label).toList());
    }
    factors.forEach(
        factor -> levels.put(factor.name(), factor.levels().stream().map(Level::label).toList()));
    return levels;
  }

  /**
   * This experiment at its full length.
   *
   * @throws ExperimentException if the file gives none
   */
  public Experiment atFullLength(Catalogue catalogue) {
    if (full.set().isEmpty()) {
      throw new ExperimentException(
          List.of(
              new Problem(
                  "--full",
                  0,
                  0,
                  "the experiment '%s' has no other length; leave it out.".formatted(name))));
    }
    return with(new Overrides(false, Optional.empty(), Optional.empty(), full.set()), catalogue)
        .with(Full.NONE);
  }

  private Experiment with(Full full) {
    return new Experiment(
        name, question, driver, config, attach, settings, record, cases, factors, design, blocks,
        seed, analyses, probes, quick, published, full, hosts, source);
  }

  /**
   * This experiment as the command line changes it.
   *
   * @throws ExperimentException if an override names what does not exist, or the result is not
   *     valid
   */
  public Experiment with(Overrides overrides, Catalogue catalogue) {
    return new Overriding(this, catalogue).apply(overrides);
  }
}
