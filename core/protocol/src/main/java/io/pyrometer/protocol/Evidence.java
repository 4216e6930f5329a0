package io.pyrometer.protocol;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Optional;

/**
 * The expected results of one agent's part of a trial; from the agent that created the data, also
 * what it did. There is a type for each way of verifying a load.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "type")
public sealed interface Evidence
    permits Evidence.Contents, Evidence.WholeSet, Evidence.Queries, SharedKeys, Transfers {

  /**
   * Evidence of threads that write keys of their own.
   *
   * @param expected what this agent's acknowledged writes should have left, the creator's including
   *     what it filled in
   * @param found what the grid holds; from the creator alone
   * @param late keys that hold another record than the last written, which {@code expected} accepts
   *     of a path that does not keep the order; 0 of any other
   */
  record Contents(ContentDigest expected, Optional<ContentDigest> found, long late)
      implements Evidence {}

  /**
   * Evidence of a workload that reads the whole set.
   *
   * @param answers what each complete pass came to, without repeats
   * @param truth what the data that was filled in come to; from the creator
   * @param whole whether an answer is of the whole set, or of this agent's share of it
   */
  record WholeSet(List<Aggregate> answers, Optional<Aggregate> truth, boolean whole)
      implements Evidence {}

  /**
   * Evidence of a workload that executes queries.
   *
   * @param answers how they compare with the truth; from the creator
   */
  record Queries(Optional<QueryAnswers> answers) implements Evidence {}
}
