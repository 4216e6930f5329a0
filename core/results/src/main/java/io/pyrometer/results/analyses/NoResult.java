package io.pyrometer.results.analyses;

/** Ends an analysis of a run that lacks the data for it. */
final class NoResult extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String id;

  /** Takes the id of the finding that says what is missing. */
  NoResult(String id) {
    super(id);
    this.id = id;
  }

  String id() {
    return id;
  }
}
