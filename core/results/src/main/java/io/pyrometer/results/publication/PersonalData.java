package io.pyrometer.results.publication;

import io.pyrometer.experiment.model.Host;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.protocol.TrialSpec;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Names of hosts, accounts on them, private addresses and folders (and with those the user's name),
 * which are no part of a result. Counts what it replaces.
 */
final class PersonalData {
  private static final int SHORTEST_NAME = 3;

  /** Folders of an absolute path with at least two names; {@code //} of a URL begins none. */
  private static final Pattern PATH =
      Pattern.compile("(?<![\\w/.])/(?!/)(?:[\\w.@+~-]+/)+(?=[\\w.@+~-])");

  private static final Pattern PRIVATE_ADDRESS =
      Pattern.compile(
          "(?<![\\w.])(?:10\\.\\d{1,3}|192\\.168|172\\.(?:1[6-9]|2\\d|3[01]))(?:\\.\\d{1,3}){2}(?![\\w.])");

  private final Map<Pattern, String> names = new LinkedHashMap<>();
  private final Map<String, Integer> replaced = new TreeMap<>();

  /** Words that a plan cannot be read without; a host of such a name is not recognised by it. */
  private final Set<String> words = new HashSet<>();

  private PersonalData(PlannedRun plan) {
    plan.drivers()
        .forEach(
            (name, driver) -> {
              words.add(name);
              driver.paths().forEach(path -> words.add(path.name()));
              driver.settings().forEach(setting -> words.add(setting.name()));
            });
  }

  /** Of this machine and the machines that a run used. */
  static PersonalData of(PlannedRun plan) {
    PersonalData data = new PersonalData(plan);
    try {
      data.add(InetAddress.getLocalHost().getHostName(), "this-machine");
    } catch (UnknownHostException nameless) {
      // A machine whose name is not known cannot be named by its run.
    }
    int number = 1;
    for (String address : addresses(plan)) {
      data.add(address, "host-" + number++);
    }
    return data;
  }

  private static List<String> addresses(PlannedRun plan) {
    List<String> all = new ArrayList<>();
    for (Host host : plan.testbed().hosts()) {
      all.add(host.name());
      all.add(host.address());
      if (host.prefix().contains("ssh")) {
        // What ssh connects to, where the user's configuration gives it another address.
        String target = host.prefix().get(host.prefix().size() - 1);
        all.add(target.substring(target.lastIndexOf('@') + 1));
      }
    }
    plan.testbed().attach().ifPresent(list -> all.addAll(hosts(list)));
    for (TrialSpec trial : plan.trials()) {
      plan.driver(trial.settings()).settings().stream()
          .filter(setting -> setting.traits().ofAttached())
          .filter(setting -> trial.settings().has(setting.name()))
          .forEach(setting -> all.addAll(hosts(trial.settings().text(setting.name()))));
    }
    return all.stream()
        .filter(each -> !each.equals(Host.LOCAL.name()) && !each.startsWith("127."))
        .distinct()
        .toList();
  }

  private static List<String> hosts(String addresses) {
    return Stream.of(addresses.split("[,;\\s]+", -1))
        .map(each -> each.replaceFirst(":[\\d.]+$", ""))
        .toList();
  }

  private void add(String name, String instead) {
    if (name.length() >= SHORTEST_NAME && !name.equals("localhost") && !words.contains(name)) {
      String account = "(?:[\\w.-]+@)?";
      names.put(
          Pattern.compile("(?<![\\w-])" + account + Pattern.quote(name) + "(?![\\w-])"), instead);
    }
  }

  /** The text with a general word in place of each; paths keep their last name. */
  String removedFrom(String text) {
    String rest = text;
    for (Map.Entry<Pattern, String> name : names.entrySet()) {
      rest = replace(name.getKey(), rest, name.getValue(), "names");
    }
    rest = replace(PRIVATE_ADDRESS, rest, "address", "private addresses");
    return replace(PATH, rest, ".../", "folders");
  }

  private String replace(Pattern what, String text, String instead, String kind) {
    Matcher found = what.matcher(text);
    int count = (int) found.results().map(MatchResult::group).distinct().count();
    if (count == 0) {
      return text;
    }
    replaced.merge(kind, count, Integer::sum);
    return found.replaceAll(Matcher.quoteReplacement(instead));
  }

  /** How many different ones were replaced in all texts, by kind. */
  Map<String, Integer> replaced() {
    return Map.copyOf(replaced);
  }
}
