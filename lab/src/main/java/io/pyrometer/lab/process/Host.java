package io.pyrometer.lab.process;

import java.util.ArrayList;
import java.util.List;

/**
 * Where processes are started: a command that runs the command that follows it, such as {@code ip
 * netns exec h1} or {@code ssh user@h}. Empty for this machine.
 */
public record Host(List<String> prefix) {

  public static final Host LOCAL = new Host(List.of());

  public Host {
    prefix = List.copyOf(prefix);
  }

  List<String> command(List<String> command) {
    List<String> whole = new ArrayList<>(prefix);
    whole.addAll(command);
    return whole;
  }
}
