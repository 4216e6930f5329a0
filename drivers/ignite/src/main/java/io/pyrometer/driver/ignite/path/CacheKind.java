package io.pyrometer.driver.ignite.path;

/** Kind of cache that a path needs. */
public enum CacheKind {
  ANY,
  /** SQL can query it. */
  SQL,
  /** Tables with names without quotes, with the key as {@code id} and a table of details. */
  TABLES,
  /** Clients keep what they fetched. */
  NEAR,
  /** It is not Pyrometer's: nothing is created, filled, changed or removed. */
  EXISTING;

  /** The kind that the path of this name needs. */
  public static CacheKind of(String path) {
    return switch (path) {
      case "sql-merge", "sql-merge-batch", "sql-aggregate" -> SQL;
      case "sql-select" -> TABLES;
      case "near-mixed" -> NEAR;
      default -> path.contains("existing-get") ? EXISTING : ANY;
    };
  }
}
