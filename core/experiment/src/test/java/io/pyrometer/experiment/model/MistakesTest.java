package io.pyrometer.experiment.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ResourceBundle;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MistakesTest {
  private static final Pattern ID =
      Pattern.compile("\"((?:%s)\\.[a-z0-9-]+)\"".formatted(String.join("|", groups())));

  private static TreeSet<String> ids() {
    return new TreeSet<>(ResourceBundle.getBundle("io.pyrometer.experiment.mistakes").keySet());
  }

  private static TreeSet<String> groups() {
    return ids().stream()
        .map(id -> id.substring(0, id.indexOf('.')))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void theSourcesAndTheFileHaveTheSameIds() throws IOException {
    TreeSet<String> used = new TreeSet<>();
    try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
      List<Path> files = sources.filter(file -> file.toString().endsWith(".java")).toList();
      for (Path file : files) {
        ID.matcher(Files.readString(file)).results().forEach(found -> used.add(found.group(1)));
      }
    }
    assertThat(used).isEqualTo(ids());
  }
}
