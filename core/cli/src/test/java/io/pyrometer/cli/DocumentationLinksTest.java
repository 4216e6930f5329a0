package io.pyrometer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every relative link in a Markdown file of the sources leads to a file and a heading in it. */
class DocumentationLinksTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("#+ (.*)");
  private static final List<String> GENERATED = List.of("reference.md", "findings.md");
  private static final int MAX_PAGES = 9;
  private static final int MAX_WORDS = 20_000;

  static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (String folder : List.of("", "docs", "lab", "examples", "ignite-writer", "dist")) {
      int depth = folder.isEmpty() ? 1 : 3;
      try (Stream<Path> files = Files.walk(ROOT.resolve(folder), depth)) {
        files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
      }
    }
    return pages;
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyLinkOfThePageLeadsSomewhere(Path page) throws IOException {
    List<String> broken = new ArrayList<>();
    for (String line : prose(page)) {
      Matcher link = LINK.matcher(line);
      while (link.find()) {
        if (!link.group(1).matches("[a-z]+:.*") && !exists(page, link.group(1))) {
          broken.add(link.group(1));
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void thePagesOfTheDocumentationAreFewAndShort() throws IOException {
    List<Path> docs =
        pages().stream()
            .filter(page -> page.startsWith(ROOT.resolve("docs")))
            .filter(page -> GENERATED.stream().noneMatch(page::endsWith))
            .toList();
    long words = 0;
    for (Path page : docs) {
      words += Files.readString(page).split("\\s+").length;
    }
    assertThat(docs).hasSizeLessThanOrEqualTo(MAX_PAGES);
    assertThat(words).isLessThanOrEqualTo(MAX_WORDS);
  }

  private static boolean exists(Path page, String link) throws IOException {
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
    return Files.exists(target) && (hash < 0 || anchors(target).contains(link.substring(hash + 1)));
  }

  /** The anchors of a page's headings, as GitHub and GitLab derive them. */
  private static Set<String> anchors(Path page) throws IOException {
    Set<String> anchors = new HashSet<>();
    for (String line : prose(page)) {
      Matcher heading = HEADING.matcher(line);
      if (heading.matches()) {
        String plain = heading.group(1).strip().toLowerCase(Locale.ROOT);
        String anchor = plain.replaceAll("[^\\p{L}\\p{N}_\\- ]", "").replace(' ', '-');
        int copies = 0;
        String unique = anchor;
        while (!anchors.add(unique)) {
          copies++;
          unique = anchor + "-" + copies;
        }
      }
    }
    return anchors;
  }

  /** The lines of a page outside fenced code. */
  private static List<String> prose(Path page) throws IOException {
    List<String> prose = new ArrayList<>();
    boolean code = false;
    for (String line : Files.readAllLines(page)) {
      boolean fence = line.strip().startsWith("```");
      if (!code && !fence) {
        prose.add(line);
      }
      code ^= fence;
    }
    return prose;
  }
}
