package io.pyrometer.experiment.model;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.pyrometer.analysis.estimate.StoppingRule;
import io.pyrometer.protocol.Amount;

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
          .formatted(Amount.plain(100 * relativeHalfWidth), least, most);
    }
  }

  /** The replication of a file that gives none. */
  Replication DEFAULT = new Fixed(3);

  /** The largest number of blocks that can be asked for. */
  int LIMIT = 1000;
}
