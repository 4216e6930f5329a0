package io.pyrometer.experiment.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where processes are started: a command that runs the command that follows it, such as {@code ip
 * netns exec h1} or {@code ssh user@h}.
 *
 * @param name in logs, sentences and results
 * @param prefix empty for this machine
 * @param address at which other hosts reach what listens there
 * @param folder there, which Pyrometer's files are put under
 * @param java the command that starts a JVM there
 * @param runs the only kind of process to be started there, {@code node} or {@code agent}; empty
 *     for all
 * @param severing how to take it off the network; empty if it cannot be
 */
public record Host(
    String name,
    List<String> prefix,
    String address,
    String folder,
    String java,
    Optional<String> runs,
    Optional<Severing> severing) {

  public static final String LOOPBACK = "127.0.0.1";

  public static final Host LOCAL = here("local", List.of());

  /**
   * Stands for as many network namespaces of this machine as there are processes, which the
   * coordinator makes.
   */
  public static final Host NAMESPACES = here("namespaces", List.of("nsenter"));

  private static Host here(String name, List<String> prefix) {
    return new Host(name, prefix, LOOPBACK, "/tmp", "java", Optional.empty(), Optional.empty());
  }

  /**
   * Commands of this machine, such as {@code ip link set h1-br down} and {@code … up}.
   *
   * @param cut takes the host off the network
   * @param heal puts it back
   */
  public record Severing(List<String> cut, List<String> heal) {}

  /** Checks whether it is this machine, as it is. */
  public boolean local() {
    return prefix.isEmpty();
  }

  /** The command line that runs a command on this host. */
  public List<String> command(List<String> command) {
    List<String> whole = new ArrayList<>(prefix);
    whole.addAll(command);
    return whole;
  }

  /** The host's name for messages: {@code host 'east' (ssh user@h)}. */
  public String words() {
    return "host '%s' (%s)".formatted(name, String.join(" ", prefix).replaceAll("-o \\S+ ", ""));
  }
}
