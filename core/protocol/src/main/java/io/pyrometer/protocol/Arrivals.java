package io.pyrometer.protocol;

/**
 * The arrivals of an open loop, all counted between the same two instants. An arrival is one
 * intended start of the schedule. It waits in the backlog from its intended start until its call
 * begins, so that {@code backlogAtStart + offered = started + backlogAtEnd}.
 *
 * @param offered arrivals whose intended start lies within the window
 * @param started calls that began within the window, whenever they should have
 * @param completed calls that ended within the window, successfully or not
 * @param backlogAtStart arrivals due before the window whose calls had not begun when it opened
 * @param backlogAtEnd arrivals due whose calls had not begun when the window closed
 */
public record Arrivals(
    long offered, long started, long completed, long backlogAtStart, long backlogAtEnd) {

  /** The arrivals of two generators in the same window. */
  public Arrivals plus(Arrivals other) {
    return new Arrivals(
        offered + other.offered,
        started + other.started,
        completed + other.completed,
        backlogAtStart + other.backlogAtStart,
        backlogAtEnd + other.backlogAtEnd);
  }
}
