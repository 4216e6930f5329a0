package io.pyrometer.protocol;

/**
 * How a grid stores the entries of one trial, in terms that mean the same for every product.
 *
 * @param copies of each entry, the primary one included; at least 1
 */
public record DataFacts(
    int copies, Placement placement, Acknowledgement acknowledgedBy, Durability durability) {

  /** Where the copies of an entry are. */
  public enum Placement {
    /** Each server stores a part of the entries. */
    PARTITIONED,
    /** Each server stores all entries. */
    REPLICATED,
    /** The entries are in the client's own process. */
    LOCAL
  }

  /** Which copies store a write when it is acknowledged. */
  public enum Acknowledgement {
    NONE,
    PRIMARY,
    MAJORITY,
    ALL
  }

  /** What an acknowledged write survives. */
  public enum Durability {
    /** It is lost when all processes that store it end. */
    MEMORY,
    /** It survives the end of its processes, but not a power failure. */
    PROCESS_FAILURE,
    /** It survives a power failure: it is flushed to disk. */
    DISK
  }

  /** The number of copies besides the primary one. */
  public int backups() {
    return copies - 1;
  }
}
