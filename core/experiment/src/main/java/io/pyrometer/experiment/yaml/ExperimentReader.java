package io.pyrometer.experiment.yaml;

import io.pyrometer.experiment.model.Experiment;
import io.pyrometer.experiment.model.ExperimentException;
import io.pyrometer.experiment.model.ExperimentException.Problem;
import io.pyrometer.experiment.model.SpellingSuggestion;
import io.pyrometer.experiment.yaml.YamlNode.Pair;
import io.pyrometer.protocol.SettingDescription;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads experiment files, and finds every mistake of a file before anything is started. */
public final class ExperimentReader {

  private ExperimentReader() {}

  /**
   * Reads a file, or an experiment of the catalogue.
   *
   * @param fileOrName a path, or the name of an experiment if there is no such file
   * @throws ExperimentException with every mistake found
   */
  public static Experiment read(String fileOrName, Catalogue catalogue) {
    Path file = Path.of(fileOrName);
    Optional<String> shipped = Optional.ofNullable(catalogue.experiments().get(fileOrName));
    if (shipped.isPresent() && !Files.isRegularFile(file)) {
      return read(shipped.get(), fileOrName + ".yaml", Path.of(""), catalogue);
    }
    return read(file, catalogue);
  }

  /**
   * Reads a file.
   *
   * @throws ExperimentException with every mistake found
   */
  public static Experiment read(Path file, Catalogue catalogue) {
    Path folder = file.toAbsolutePath().getParent();
    return read(text(file, catalogue), file.toString(), folder == null ? file : folder, catalogue);
  }

  /**
   * The line of each option of the product that a text gives, by its name; the first of several.
   */
  public static Map<String, Integer> linesOfProperties(String text) {
    Map<String, Integer> lines = new TreeMap<>();
    YamlNode.Parser.parse(text, new Problems("")).ifPresent(file -> properties(file, lines));
    return lines;
  }

  private static void properties(YamlNode node, Map<String, Integer> lines) {
    for (Pair pair : node.pairs()) {
      String name = pair.key().text();
      if (name.startsWith(SettingDescription.PROPERTY)) {
        lines.putIfAbsent(
            name.substring(SettingDescription.PROPERTY.length()), pair.key().at().line());
      } else if (SettingDescription.PROPERTY.equals(name + ".")) {
        pair.value()
            .pairs()
            .forEach(each -> lines.putIfAbsent(each.key().text(), each.key().at().line()));
      } else {
        properties(pair.value(), lines);
      }
    }
    node.items().forEach(item -> properties(item, lines));
  }

  /**
   * Reads a text.
   *
   * @param source what problems are reported in
   * @param folder what relative paths in it start from
   * @throws ExperimentException with every mistake found
   */
  public static Experiment read(String text, String source, Path folder, Catalogue catalogue) {
    Problems problems = new Problems(source);
    Optional<Experiment> experiment =
        YamlNode.Parser.parse(text, problems)
            .flatMap(node -> new ExperimentAssembly(catalogue, folder, problems).read(node, text));
    problems.throwIfAny();
    return experiment.orElseThrow(
        () -> new IllegalStateException("A file without problems gave no experiment."));
  }

  private static String text(Path file, Catalogue catalogue) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw unreadable(
          file,
          "there is no such file, and no bundled experiment of this name; "
              + SpellingSuggestion.to(file.toString(), catalogue.experiments().keySet())
                  .map(right -> "did you mean '" + right + "'?")
                  .orElse("'pyrometer list' names those that exist."));
    } catch (CharacterCodingException e) {
      throw unreadable(file, "this is not UTF-8 text; save it as such.");
    } catch (IOException e) {
      throw unreadable(file, "this cannot be read; give a file that you may read.");
    }
  }

  private static ExperimentException unreadable(Path file, String sentence) {
    return new ExperimentException(List.of(new Problem(file.toString(), 0, 0, sentence)));
  }
}
