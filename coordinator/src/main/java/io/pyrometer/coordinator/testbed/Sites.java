package io.pyrometer.coordinator.testbed;

import io.pyrometer.coordinator.machine.Cpus;
import io.pyrometer.experiment.Host;
import io.pyrometer.protocol.DriverDescription;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The hosts of a run, ready to start workers of its driver; this machine where it names none. */
public final class Sites implements AutoCloseable {
  private final Distribution distribution;
  private final DriverDescription driver;
  private final List<Path> classPath;
  private final List<Site> sites;
  private final Optional<Namespaces> namespaces;

  private Sites(
      Distribution distribution,
      DriverDescription driver,
      List<Path> classPath,
      List<Site> sites,
      Optional<Namespaces> namespaces) {
    this.distribution = distribution;
    this.driver = driver;
    this.classPath = classPath;
    this.sites = List.copyOf(sites);
    this.namespaces = namespaces;
  }

  /**
   * Namespaces of this machine, one for each process of the largest cluster.
   *
   * @throws WorkerException with one sentence if the machine lets us make none
   */
  public static Sites inNamespaces(
      int nodes,
      int agents,
      Distribution distribution,
      DriverDescription driver,
      List<Path> classPath) {
    Namespaces made = Namespaces.make(nodes, agents);
    return new Sites(
        distribution,
        driver,
        classPath,
        made.hosts().stream().map(Site::here).toList(),
        Optional.of(made));
  }

  /**
   * Ships Pyrometer's files to every host that lacks them.
   *
   * @param config the user's own configuration file of nodes
   * @throws WorkerException with one sentence of the first host that refuses
   */
  public static Sites prepare(
      List<Host> hosts,
      Distribution distribution,
      DriverDescription driver,
      List<Path> classPath,
      Optional<Path> config) {
    List<Site> sites = new ArrayList<>();
    if (hosts.stream().allMatch(Host::local)) {
      hosts.forEach(host -> sites.add(Site.here(host)));
    } else {
      try (Parcel parcel =
          Parcel.pack(distribution, driver, distribution.flags(driver), classPath, config)) {
        hosts.forEach(host -> sites.add(host.local() ? Site.here(host) : Site.on(host, parcel)));
      }
    }
    return new Sites(
        distribution,
        driver,
        classPath,
        sites.isEmpty() ? List.of(Site.here()) : sites,
        Optional.empty());
  }

  public List<Site> all() {
    return sites;
  }

  /** The namespaces that the sites are, where they are some. */
  public Optional<Namespaces> namespaces() {
    return namespaces;
  }

  /** This machine alone. */
  public Sites here() {
    return new Sites(distribution, driver, classPath, List.of(Site.here()), Optional.empty());
  }

  /** The host of the i-th process of a kind: those that take the kind, in turn. */
  public Site of(String kind, int index) {
    List<Site> fit =
        sites.stream().filter(site -> site.host().runs().map(kind::equals).orElse(true)).toList();
    return fit.isEmpty() ? sites.get(0) : fit.get(index % fit.size());
  }

  /**
   * How to start the i-th worker of a kind on its host.
   *
   * @param cores that it is bound to; 0 for all
   */
  public Workers.Launch launch(
      String kind, int index, Site site, long heapBytes, int cores, Path log) {
    String cpus = cores == 0 ? "" : Cpus.share(site.cpus(), index, cores);
    List<String> command =
        site.base().isEmpty()
            ? distribution.workerCommand(driver, heapBytes, cpus, classPath)
            : site.command(kind, heapBytes, cpus, driver.name());
    return new Workers.Launch(kind + "-" + index, site.host(), command, log);
  }

  @Override
  public void close() {
    namespaces.ifPresent(Namespaces::close);
  }
}
