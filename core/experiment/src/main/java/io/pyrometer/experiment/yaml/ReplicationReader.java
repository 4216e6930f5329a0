package io.pyrometer.experiment.yaml;

import io.pyrometer.analysis.estimate.StoppingRule;
import io.pyrometer.experiment.model.Replication;
import io.pyrometer.experiment.model.SettingText;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads how many blocks are measured. */
final class ReplicationReader {

  private ReplicationReader() {}

  /** Reads {@code blocks} or {@code replicates}, of which a file has at most one. */
  static Replication read(YamlMap file, Problems problems) {
    Optional<YamlNode.Scalar> blocks = file.scalar(Replication.BLOCKS.name());
    Optional<YamlNode.Scalar> replicates = file.scalar("replicates");
    if (blocks.isPresent() && replicates.isPresent()) {
      problems.add(
          replicates.get().at(),
          "'blocks' and 'replicates' both say how often to measure; remove one.");
    }
    return replicates
        .map(scalar -> untilPrecise(scalar, problems))
        .or(() -> blocks.map(scalar -> fixed(scalar, problems)))
        .orElse(Replication.DEFAULT);
  }

  private static Replication fixed(YamlNode.Scalar scalar, Problems problems) {
    Optional<Object> value = SettingText.parse(Replication.BLOCKS, scalar.text());
    if (value.isEmpty()) {
      problems.add(scalar.at(), SettingText.sentence(Replication.BLOCKS, scalar.text()));
    }
    return value
        .<Replication>map(v -> new Replication.Fixed(((Number) v).intValue()))
        .orElse(Replication.DEFAULT);
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
      return Replication.DEFAULT;
    }
    double width = Double.parseDouble(matcher.group(1)) / 100;
    int most = number(matcher.group(3), StoppingRule.DEFAULT.cap());
    int least = number(matcher.group(2), Math.min(StoppingRule.DEFAULT.first(), most));
    if (width <= 0 || least < 2 || most < least || most > Replication.LIMIT) {
      problems.add(
          scalar.at(),
          ("'replicates' takes a precision above 0%%, a min of at least 2 and a max from min to %d,"
                  + " not %s%% with min %d and max %d; correct it.")
              .formatted(Replication.LIMIT, matcher.group(1), least, most));
      return Replication.DEFAULT;
    }
    return new Replication.UntilPrecise(width, least, most);
  }

  private static int number(@Nullable String digits, int otherwise) {
    return digits == null ? otherwise : Integer.parseInt(digits);
  }
}
