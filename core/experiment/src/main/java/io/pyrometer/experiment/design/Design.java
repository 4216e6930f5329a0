package io.pyrometer.experiment.design;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The combinations of levels that become treatments. */
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(Design.Full.class),
  @JsonSubTypes.Type(Design.Except.class),
  @JsonSubTypes.Type(Design.OneAtATime.class),
  @JsonSubTypes.Type(Design.Search.class),
  @JsonSubTypes.Type(Design.Rows.class)
})
public sealed interface Design {

  /** Every combination. */
  record Full() implements Design {}

  /**
   * Every combination but some.
   *
   * @param exceptions each of them leaves out the treatments that have one of its levels in every
   *     factor that it names; {@code case} names the cases
   */
  record Except(List<Map<String, Set<String>>> exceptions) implements Design {

    /** Checks whether a treatment of these levels is left out. */
    boolean leavesOut(Map<String, String> levels) {
      return exceptions.stream()
          .anyMatch(
              exception ->
                  exception.entrySet().stream()
                      .allMatch(
                          each ->
                              each.getValue().contains(levels.getOrDefault(each.getKey(), ""))));
    }
  }

  /** A base, and from there each factor through its other levels while the rest stay. */
  record OneAtATime() implements Design {}

  /**
   * The levels of the factor {@code rate} that a search for the highest rate visits, for each
   * combination of the other factors' levels.
   */
  record Search() implements Design {}

  /**
   * Chosen combinations of two levels each, as of a fraction.
   *
   * @param rows of each the index of every factor's level
   */
  record Rows(Set<List<Integer>> rows) implements Design {}
}
