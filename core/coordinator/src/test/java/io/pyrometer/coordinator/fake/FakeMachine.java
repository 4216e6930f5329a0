package io.pyrometer.coordinator.fake;

import io.pyrometer.coordinator.testbed.RemoteShell;
import io.pyrometer.coordinator.testbed.network.NamespaceCommands;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** A machine whose namespaces and links are names only, and which refuses what it is told to. */
public final class FakeMachine implements NamespaceCommands {
  private static final long FIRST_PID = 1_000;

  private final List<String> commands = new ArrayList<>();
  private final Set<Long> living = new HashSet<>();
  private final List<Predicate<String>> refused = new ArrayList<>();
  private int keepers;

  /** From now on it refuses commands that hold these words. */
  public FakeMachine refuses(String words) {
    refused.add(command -> command.contains(words));
    return this;
  }

  /** Commands that hold these words, in the order they were run. */
  public List<String> commands(String words) {
    return commands.stream().filter(command -> command.contains(words)).toList();
  }

  public Set<Long> living() {
    return Set.copyOf(living);
  }

  public int made() {
    return keepers;
  }

  @Override
  public RemoteShell.Ended run(List<String> command) {
    String line = String.join(" ", command);
    commands.add(line);
    boolean no = refused.stream().anyMatch(refusal -> refusal.test(line));
    return no
        ? new RemoteShell.Ended(1, "", "Operation not permitted.")
        : new RemoteShell.Ended(0, "", "");
  }

  @Override
  public Keeper keeper() {
    long pid = FIRST_PID + keepers++;
    living.add(pid);
    return new Keeper(pid, () -> living.remove(pid));
  }
}
