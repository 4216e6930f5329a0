package io.pyrometer.coordinator.testbed.host;

import io.pyrometer.coordinator.testbed.WorkerException;
import io.pyrometer.experiment.model.Host;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * What hosts see of each other, by a program that runs on each: their clocks, which reaches which
 * at its address, and how fast.
 */
final class HostNetwork {
  /** For which data are sent between pairs, all rounds together. */
  private static final int ALL_MILLIS = 4_000;

  private static final int MAX_MILLIS = 400;

  /** Shorter ones end before a connection is up to speed. */
  private static final int MIN_MILLIS = 50;

  private final Map<Host, RunningProbe> probes = new LinkedHashMap<>();
  private final Map<Host, HostCheck.Clock> clocks = new LinkedHashMap<>();
  private final Map<Host, Map<String, HostCheck.Link>> links = new LinkedHashMap<>();

  /** Why a host is not reached, and by which. */
  private final Map<Host, Map<String, List<String>>> unreached = new LinkedHashMap<>();

  private final Map<Host, String> notListening = new LinkedHashMap<>();
  private final Map<Host, String> without = new LinkedHashMap<>();

  private HostNetwork() {}

  /**
   * Looks at all pairs.
   *
   * @param measuring whether round trips and bandwidths are measured, and not just who is reached
   * @param each runs what is done for all hosts at once
   */
  static HostNetwork of(List<Host> hosts, boolean measuring, Executor each) {
    HostNetwork seen = new HostNetwork();
    try {
      seen.start(hosts, each);
      List<Host> listening =
          seen.probes.keySet().stream()
              .filter(host -> !seen.notListening.containsKey(host))
              .toList();
      seen.reach(listening);
      if (measuring) {
        seen.measure(listening);
      }
      return seen;
    } finally {
      seen.probes.values().forEach(RunningProbe::end);
      seen.probes.values().forEach(RunningProbe::close);
    }
  }

  private void start(List<Host> hosts, Executor each) {
    record Begun(Optional<RunningProbe> probe, Optional<String> why) {}
    List<CompletableFuture<Begun>> begun = new ArrayList<>();
    for (Host host : hosts) {
      begun.add(
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return new Begun(Optional.of(RunningProbe.on(host)), Optional.empty());
                } catch (WorkerException refused) {
                  return new Begun(Optional.empty(), Optional.of(refused.sentence()));
                }
              },
              each));
    }
    for (int i = 0; i < hosts.size(); i++) {
      Host host = hosts.get(i);
      Begun one = begun.get(i).join();
      one.why().ifPresent(why -> without.put(host, why));
      one.probe().ifPresent(probe -> probes.put(host, probe));
    }
    probes.forEach(
        (host, probe) -> {
          probe.whyNotListening().ifPresent(why -> notListening.put(host, why));
          probe.clock().ifPresent(clock -> clocks.put(host, clock));
        });
  }

  /** All pairs at once, so that those that get no answer cost the time of one. */
  private void reach(List<Host> hosts) {
    Map<Host, Map<Host, CompletableFuture<Optional<String>>>> asked = new LinkedHashMap<>();
    for (Host to : hosts) {
      for (Host from : hosts) {
        if (!from.equals(to)) {
          asked
              .computeIfAbsent(to, made -> new LinkedHashMap<>())
              .put(from, probe(from).reach(probe(to)));
        }
      }
    }
    asked.forEach(
        (to, sources) ->
            sources.forEach(
                (from, answer) ->
                    answer
                        .join()
                        .ifPresent(
                            why ->
                                unreached
                                    .computeIfAbsent(to, made -> new TreeMap<>())
                                    .computeIfAbsent(why, made -> new ArrayList<>())
                                    .add(from.name()))));
  }

  private void measure(List<Host> hosts) {
    List<List<Pair>> rounds = rounds(hosts.size());
    int millis = millis(rounds.size());
    for (int round = 0; round < rounds.size(); round++) {
      boolean inTime = round < ALL_MILLIS / (2 * millis);
      for (boolean back : List.of(false, true)) {
        Map<Pair, CompletableFuture<Optional<HostCheck.Link>>> measured = new LinkedHashMap<>();
        for (Pair pair : rounds.get(round)) {
          Host from = hosts.get(back ? pair.b : pair.a);
          Host to = hosts.get(back ? pair.a : pair.b);
          if (reaches(from, to)) {
            measured.put(pair, probe(from).measure(probe(to), inTime ? millis : 0));
          }
        }
        measured.forEach(
            (pair, answer) ->
                answer
                    .join()
                    .ifPresent(
                        link ->
                            links
                                .computeIfAbsent(
                                    hosts.get(back ? pair.b : pair.a), made -> new TreeMap<>())
                                .put(hosts.get(back ? pair.a : pair.b).name(), link)));
      }
    }
  }

  private RunningProbe probe(Host host) {
    return Objects.requireNonNull(probes.get(host));
  }

  private boolean reaches(Host from, Host to) {
    return unreached.getOrDefault(to, Map.of()).values().stream()
        .noneMatch(sources -> sources.contains(from.name()));
  }

  /** For which data are sent in each direction of each round. */
  static int millis(int rounds) {
    return Math.max(MIN_MILLIS, Math.min(MAX_MILLIS, ALL_MILLIS / (2 * Math.max(1, rounds))));
  }

  /** Two hosts by their places in the list. */
  record Pair(int a, int b) {}

  /**
   * All pairs of so many hosts in as few rounds as there can be, each host at most once in a round:
   * the circle method of tournaments (Kirkman 1847).
   */
  static List<List<Pair>> rounds(int hosts) {
    int places = hosts + hosts % 2;
    List<List<Pair>> rounds = new ArrayList<>();
    for (int round = 0; round < places - 1; round++) {
      List<Pair> pairs = new ArrayList<>();
      for (int i = 0; i < places / 2; i++) {
        int a = i == 0 ? places - 1 : (round + i) % (places - 1);
        int b = (round + places - 1 - i) % (places - 1);
        if (a < hosts && b < hosts) {
          pairs.add(new Pair(a, b));
        }
      }
      rounds.add(pairs);
    }
    return rounds;
  }

  /** The host's clock; empty where it was not read. */
  Optional<HostCheck.Clock> clock(Host host) {
    return Optional.ofNullable(clocks.get(host));
  }

  /** What was measured from a host to others, by their names. */
  Map<String, HostCheck.Link> links(Host from) {
    return links.getOrDefault(from, Map.of());
  }

  /** Why a host was not looked at, one sentence. */
  Optional<String> without(Host host) {
    return Optional.ofNullable(without.get(host));
  }

  /** What is wrong with a host's place in the network, each a sentence. */
  List<String> problems(Host host) {
    List<String> problems = new ArrayList<>();
    if (notListening.containsKey(host)) {
      problems.add(
          "Nothing can listen at %s on %s (%s): 'address' must be one of its own, which the other hosts reach."
              .formatted(host.address(), host.words(), notListening.get(host)));
    }
    unreached
        .getOrDefault(host, Map.of())
        .forEach(
            (why, sources) ->
                problems.add(
                    "%s %s not reach %s at %s (%s): let the firewall pass TCP on all ports between the hosts, or name an 'address' that the others reach."
                        .formatted(
                            String.join(", ", sources),
                            sources.size() == 1 ? "does" : "do",
                            host.words(),
                            host.address(),
                            why)));
    return problems;
  }
}
