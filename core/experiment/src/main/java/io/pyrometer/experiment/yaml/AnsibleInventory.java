package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.model.Host;
import io.pyrometer.experiment.yaml.HostReader.Reached;
import io.pyrometer.experiment.yaml.YamlNode.Pair;
import io.pyrometer.experiment.yaml.YamlNode.Position;
import io.pyrometer.experiment.yaml.YamlNode.Scalar;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An inventory of Ansible in its INI or YAML form: hosts, their groups, and the variables that say
 * how {@code ssh} reaches them. Variables in files of their own ({@code group_vars}), templates and
 * inventories that are programs are not read.
 *
 * <p>Source of the form and of the precedence of variables: Ansible's documentation, "How to build
 * your inventory".
 */
final class AnsibleInventory {
  private static final String ALL = "all";
  private static final int MAX_HOSTS = 10_000;
  private static final String PORT = "ansible_port";

  /** The variables that are used, and the values that they may have. */
  private static final Map<String, String> USED =
      Map.of(
          "ansible_connection",
          "ssh|smart|paramiko|local",
          "ansible_host",
          "[\\w.:][\\w.:-]*",
          PORT,
          "\\d+",
          "ansible_user",
          "[\\w.][\\w.-]*",
          "ansible_ssh_private_key_file",
          "[\\w~/.][\\w~/.+@-]*",
          // Without these, ssh would fail for a reason that nobody sees.
          "ansible_password",
          "",
          "ansible_ssh_pass",
          "",
          "ansible_ssh_common_args",
          "",
          "ansible_ssh_extra_args",
          "");

  private static final Pattern SECTION =
      Pattern.compile("\\[([^:\\]]+)(?::(vars|children))?]\\s*(?:[#;].*)?");
  private static final Pattern WORD = Pattern.compile("(?:[^\\s\"']|\"[^\"]*\"|'[^']*')+");
  private static final Pattern VARIABLE = Pattern.compile("(\\w+)\\s*=\\s*(.*)");
  private static final Pattern WITH_PORT = Pattern.compile("((?:[^\\[:]|\\[[^\\]]*])+):(\\d+)");
  private static final Pattern RANGE =
      Pattern.compile("\\[(?:(\\d{1,6}):(\\d{1,6})|([a-z]):([a-z]))(?::(\\d{1,6}))?]");

  private final Scalar file;
  private final Problems problems;
  private final Map<String, Group> groups = new LinkedHashMap<>();
  private final Map<String, Map<String, String>> hosts = new LinkedHashMap<>();

  private record Group(Set<String> hosts, Set<String> children, Map<String, String> variables) {}

  /**
   * Reads an inventory.
   *
   * @param file its name, which ends in {@code .yml}, {@code .yaml} or {@code .json} if it is YAML
   */
  AnsibleInventory(Scalar file, String text) {
    this.file = file;
    this.problems = new Problems(file.text());
    if (file.text().matches(".*\\.(yml|yaml|json)") && !text.isBlank()) {
      YamlNode.Parser.parse(text, problems).ifPresent(root -> root.pairs().forEach(this::addYaml));
    } else {
      addIni(text.lines().map(String::strip).toList());
    }
  }

  private Group group(String name) {
    return groups.computeIfAbsent(
        name, made -> new Group(new LinkedHashSet<>(), new LinkedHashSet<>(), new HashMap<>()));
  }

  private void addYaml(Pair named) {
    Group group = group(named.key().text());
    for (Pair host : named.value().pairs("hosts")) {
      addHosts(group, host.key().at(), host.key().text(), variables(host.value().pairs()));
    }
    group.variables.putAll(variables(named.value().pairs("vars")));
    for (Pair child : named.value().pairs("children")) {
      group.children.add(child.key().text());
      addYaml(child);
    }
  }

  private static Map<String, String> variables(List<Pair> pairs) {
    Map<String, String> all = new HashMap<>();
    for (Pair pair : pairs) {
      pair.value().scalar().ifPresent(value -> all.put(pair.key().text(), value.text()));
    }
    return all;
  }

  private void addIni(List<String> lines) {
    String name = "ungrouped";
    Optional<String> kind = Optional.empty();
    for (int i = 0; i < lines.size(); i++) {
      Position at = new Position(i + 1, 1);
      String line = lines.get(i);
      Matcher section = SECTION.matcher(line);
      if (line.isEmpty() || line.matches("[#;].*")) {
        continue;
      }
      if (section.matches()) {
        name = section.group(1);
        kind = Optional.ofNullable(section.group(2));
        Group unused = group(name);
      } else if (kind.isEmpty()) {
        List<String> words = words(line);
        Map<String, String> variables = new HashMap<>();
        words.stream().skip(1).forEach(word -> addVariable(variables, at, word));
        addHosts(group(name), at, words.get(0), variables);
      } else if (kind.get().equals("vars")) {
        addVariable(group(name).variables, at, line);
      } else {
        group(name).children.add(words(line).get(0));
      }
    }
  }

  /** The words of a line up to a comment, without their quotes. */
  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    for (Matcher word = WORD.matcher(line); word.find() && !word.group().startsWith("#"); ) {
      words.add(word.group().replaceAll("[\"']", ""));
    }
    return words.isEmpty() ? List.of(line) : words;
  }

  private void addVariable(Map<String, String> variables, Position at, String text) {
    Matcher variable = VARIABLE.matcher(text);
    if (variable.matches()) {
      variables.put(variable.group(1), variable.group(2).replaceAll("^([\"'])(.*)\\1$", "$2"));
    } else {
      problems.add(at, "'%s' is no variable; write name=value.", text);
    }
  }

  private void addHosts(Group group, Position at, String pattern, Map<String, String> variables) {
    Matcher withPort = WITH_PORT.matcher(pattern);
    if (withPort.matches()) {
      variables.putIfAbsent(PORT, withPort.group(2));
    }
    List<String> names = new ArrayList<>();
    expand(withPort.matches() ? withPort.group(1) : pattern, names);
    if (names.isEmpty() || names.size() > MAX_HOSTS) {
      problems.add(
          at, "'%s' stands for no host or more than %d; mend its range.", pattern, MAX_HOSTS);
    } else if (!names.stream().allMatch(name -> name.matches(HostReader.ALIAS))) {
      problems.add(
          at,
          "'%s' is no name of a host; use letters, digits, . _ - and ranges such as [1:3].",
          pattern);
    } else {
      group.hosts.addAll(names);
      names.forEach(host -> hosts.computeIfAbsent(host, made -> new HashMap<>()).putAll(variables));
    }
  }

  /** Adds the names that a pattern such as {@code w[01:12:2].example.org} stands for. */
  private static void expand(String pattern, List<String> names) {
    Matcher range = RANGE.matcher(pattern);
    if (!range.find()) {
      names.add(pattern);
      return;
    }
    boolean digits = range.group(1) != null;
    String first = digits ? range.group(1) : range.group(3);
    int from = digits ? Integer.parseInt(first) : first.charAt(0);
    int to = digits ? Integer.parseInt(range.group(2)) : range.group(4).charAt(0);
    int step = Optional.ofNullable(range.group(5)).map(Integer::parseInt).orElse(1);
    String padded = "%0" + (first.startsWith("0") ? first.length() : 1) + "d";
    for (int i = from; i <= to && step > 0 && names.size() <= MAX_HOSTS; i += step) {
      String one = digits ? padded.formatted(i) : String.valueOf((char) i);
      expand(pattern.substring(0, range.start()) + one + pattern.substring(range.end()), names);
    }
  }

  /**
   * The hosts of a group, in the order of the file; none if there is a mistake in it.
   *
   * @param group {@code all} if absent
   */
  List<Reached> hosts(Optional<Scalar> group, Problems reported) {
    String name = group.map(Scalar::text).orElse(ALL);
    List<Reached> reached = new ArrayList<>();
    reported.addAll(problems);
    if (!problems.none()) {
      return reached;
    }
    boolean known = name.equals(ALL) || groups.containsKey(name);
    Set<String> members = known ? members(name) : Set.of();
    if (members.isEmpty()) {
      String sentence = "the group '%s' of '%s' has no hosts; add some, or name one of %s.";
      String all = String.join(", ", new TreeSet<>(groups.keySet()));
      reported.add(group.orElse(file).at(), sentence, name, file.text(), all);
    }
    for (String host : members) {
      Map<String, String> variables = variables(host);
      int before = reported.count();
      USED.forEach(
          (key, form) -> {
            String value = variables.getOrDefault(key, "");
            if (variables.containsKey(key) && !value.matches(form)) {
              String sentence =
                  "the value of '%s' of the host '%s' is not supported; say it in ~/.ssh/config.";
              reported.add(file.at(), sentence, key, host);
            }
          });
      if (reported.count() == before) {
        reached.add(reached(host, variables));
      }
    }
    return reached;
  }

  /** A group and those within it. */
  private Set<String> within(String name, Set<String> seen) {
    if (seen.add(name)) {
      group(name).children.forEach(child -> within(child, seen));
    }
    return seen;
  }

  private Set<String> members(String name) {
    Set<String> members = new LinkedHashSet<>();
    within(name, new LinkedHashSet<>()).forEach(each -> members.addAll(group(each).hosts));
    return name.equals(ALL) ? hosts.keySet() : members;
  }

  /** Inner groups, which have fewer groups within them, override those around them. */
  private Map<String, String> variables(String host) {
    Map<String, String> variables = new HashMap<>();
    new TreeSet<>(groups.keySet())
        .stream()
            .filter(name -> members(name).contains(host))
            .sorted(Comparator.comparingInt(name -> -within(name, new LinkedHashSet<>()).size()))
            .sorted(Comparator.comparing(name -> !name.equals(ALL)))
            .forEach(name -> variables.putAll(group(name).variables));
    variables.putAll(hosts.getOrDefault(host, Map.of()));
    return variables;
  }

  private static Reached reached(String host, Map<String, String> variables) {
    String target = variables.getOrDefault("ansible_host", host);
    if (variables.getOrDefault("ansible_connection", "").equals("local")) {
      return new Reached(host, List.of(), target.equals(host) ? Host.LOOPBACK : target);
    }
    List<String> options = new ArrayList<>();
    Optional.ofNullable(variables.get(PORT)).ifPresent(port -> options.addAll(List.of("-p", port)));
    Optional.ofNullable(variables.get("ansible_ssh_private_key_file"))
        .ifPresent(key -> options.addAll(List.of("-i", key)));
    Optional<String> user = Optional.ofNullable(variables.get("ansible_user"));
    return Reached.bySsh(host, options, user.map(name -> name + "@" + target).orElse(target));
  }
}
