package io.pyrometer.experiment;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.pyrometer.analysis.estimate.StoppingRule;
import io.pyrometer.protocol.SettingDescription;
import io.pyrometer.protocol.SettingDescription.Scope;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How many blocks, and with them replicates of every treatment, are measured. */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(Replication.Fixed.class),
  @JsonSubTypes.Type(Replication.UntilPrecise.class)
})
public sealed interface Replication {

  /** The largest number of blocks that may be measured; a plan has the groups of so many. */
  int most();

  /**
   * As many blocks as given.
   *
   * @param blocks 1…1000
   */
  record Fixed(int blocks) implements Replication {

    @Override
    public int most() {
      return blocks;
    }

    @Override
    public String toString() {
      return String.valueOf(blocks);
    }
  }

  /**
   * Blocks until the confidence interval of every treatment is narrow enough.
   *
   * @param relativeHalfWidth of the interval, 0.03 for 3 %
   * @param least blocks before the first look, at least 2
   * @param most blocks at which to stop however wide the interval is
   */
  record UntilPrecise(double relativeHalfWidth, int least, int most) implements Replication {

    /** The rule that decides after every block, with intervals of 95 %. */
    public StoppingRule rule() {
      return new StoppingRule(least, relativeHalfWidth, most, StoppingRule.DEFAULT.confidence());
    }

    /** The form in experiment files. */
    @Override
    public String toString() {
      return "until %s%% (min %d, max %d)"
          .formatted(SettingText.plain(100 * relativeHalfWidth), least, most);
    }
  }

  /** What holds where a file says nothing. */
  Replication DEFAULT = new Fixed(3);

  /** The largest number of blocks that can be asked for. */
  int LIMIT = 1000;

  /** The setting that gives a fixed number. */
  SettingDescription BLOCKS =
      SettingDescription.integer(
          "blocks",
          Scope.LOAD,
          DEFAULT.most(),
          1,
          LIMIT,
          "Number of blocks (replicates of every treatment), each with fresh processes.");

  /** Reads {@code blocks} or {@code replicates}, of which a file has at most one. */
  static Replication read(YamlMap file, Problems problems) {
    Optional<YamlNode.Scalar> blocks = file.scalar(BLOCKS.name());
    Optional<YamlNode.Scalar> replicates = file.scalar("replicates");
    if (blocks.isPresent() && replicates.isPresent()) {
      problems.add(
          replicates.get().at(),
          "'blocks' and 'replicates' both say how often to measure; remove one.");
    }
    return replicates
        .map(scalar -> untilPrecise(scalar, problems))
        .or(() -> blocks.map(scalar -> fixed(scalar, problems)))
        .orElse(DEFAULT);
  }

  private static Replication fixed(YamlNode.Scalar scalar, Problems problems) {
    Optional<Object> value = SettingText.parse(BLOCKS, scalar.text());
    if (value.isEmpty()) {
      problems.add(scalar.at(), SettingText.sentence(BLOCKS, scalar.text()));
    }
    return value.<Replication>map(v -> new Fixed(((Number) v).intValue())).orElse(DEFAULT);
  }

  private static Replication untilPrecise(YamlNode.Scalar scalar, Problems problems) {
    Pattern form =
        Pattern.compile(
            "until\\s+(\\d{1,2}(?:\\.\\d{1,3})?)\\s*%"
                + "(?:\\s*\\((?:min\\s+(\\d{1,4}))?\\s*,?\\s*(?:max\\s+(\\d{1,4}))?\\s*\\))?");
    Matcher matcher = form.matcher(scalar.text());
    if (!matcher.matches()) {
      problems.add(
          scalar.at(),
          "'replicates' takes a precision such as 'until 3% (max 10)', not '"
              + scalar.text()
              + "'; correct it, or give a fixed number as 'blocks'.");
      return DEFAULT;
    }
    double width = Double.parseDouble(matcher.group(1)) / 100;
    int most = number(matcher.group(3), StoppingRule.DEFAULT.cap());
    int least = number(matcher.group(2), Math.min(StoppingRule.DEFAULT.first(), most));
    if (width <= 0 || least < 2 || most < least || most > LIMIT) {
      problems.add(
          scalar.at(),
          ("'replicates' takes a precision above 0%%, a min of at least 2 and a max from min to %d,"
                  + " not %s%% with min %d and max %d; correct it.")
              .formatted(LIMIT, matcher.group(1), least, most));
      return DEFAULT;
    }
    return new UntilPrecise(width, least, most);
  }

  private static int number(@Nullable String digits, int otherwise) {
    return digits == null ? otherwise : Integer.parseInt(digits);
  }
}
