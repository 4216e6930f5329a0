package io.pyrometer.protocol;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a driver makes one term true that an experiment holds equal between products, such as one
 * backup copy. A term that a driver does not list cannot be made true with it.
 *
 * @param name of the term, such as {@code backups}
 * @param value the value that is meant; empty for every value
 * @param settings of the driver or the core to set; {@value #GIVEN} stands for the term's value
 * @param caveat one sentence on what stays unequal although the settings are made; empty if nothing
 * @param unlessPath the paths that the caveat does not concern, as a regular expression
 */
public record EqualTerm(
    String name,
    Optional<String> value,
    Map<String, String> settings,
    Optional<String> caveat,
    Optional<String> unlessPath) {

  /** Stands for the term's own value among the settings. */
  public static final String GIVEN = "=";

  /** The prefix of the settings of terms: the term {@code backups} is {@code equal-backups}. */
  public static final String PREFIX = "equal-";

  /** The settings of all terms. */
  public static final List<SettingDescription> ALL =
      CoreSettings.ALL.stream().filter(each -> each.name().startsWith(PREFIX)).toList();

  /** Checks whether something stays unequal with a path. */
  public boolean isUnequal(String path) {
    return caveat.isPresent() && !unlessPath.map(path::matches).orElse(false);
  }

  /** The terms that a treatment holds equal, with their values in canonical units. */
  public static Map<String, Object> of(Settings treatment) {
    return treatment.behind(PREFIX);
  }
}
