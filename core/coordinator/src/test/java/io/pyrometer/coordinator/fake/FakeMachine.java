package io.pyrometer.coordinator.fake;

import io.pyrometer.coordinator.testbed.RemoteShell;
import io.pyrometer.coordinator.testbed.WorkerException;
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
  private int keepersAtMost = Integer.MAX_VALUE;
  private int keepers;

  /** From now on it refuses commands that hold these words. */
  public FakeMachine refuses(String words) {
    refused.add(command -> command.contains(words));
    return this;
  }

  /** It refuses the first so many commands that hold these words. */
  public FakeMachine refuses(String words, int times) {
    int[] left = {times};
    refused.add(command -> command.contains(words) && left[0]-- > 0);
    return this;
  }

  /** It makes no more namespaces than these. */
  public FakeMachine namespacesAtMost(int most) {
    keepersAtMost = most;
    return this;
  }

  /** Commands that hold these words, in the order they were run. */
  public List<String> commands(String words) {
    return commands.stream().filter(command -> command.contains(words)).toList();
  }

  /** The processes that hold namespaces open. */
  public Set<Long> living() {
    return Set.copyOf(living);
  }

  /** How many namespaces were ever made. */
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
    if (keepers == keepersAtMost) {
      throw WorkerException.gone("A network namespace cannot be created: no space left.");
    }
    long pid = FIRST_PID + keepers++;
    living.add(pid);
    return new Keeper() {
      @Override
      public long pid() {
        return pid;
      }

      @Override
      public void end() {
        living.remove(pid);
      }
    };
  }
}
