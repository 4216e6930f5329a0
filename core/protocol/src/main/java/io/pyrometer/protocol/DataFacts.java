package io.pyrometer.protocol;

/**
 * How a grid stores the entries of one trial, in terms that mean the same for every product.
 *
 * @param copies of each entry, the primary one included; at least 1
 */
public record DataFacts(
    int copies,
    Placement placement,
    Acknowledgement acknowledgedBy,
    Durability durability,
    Reads reads) {

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

  /** The failures that an acknowledged write survives. */
  public enum Durability {
    /** It is lost when all processes that store it end. */
    MEMORY,
    /** It survives the end of its processes, but not a power failure. */
    PROCESS_FAILURE,
    /** It survives a power failure: it is flushed to disk. */
    DISK
  }

  /** Which copies answer reads; what a client holds of the entries is a copy. */
  public enum Reads {
    PRIMARY,
    ANY
  }

  /** The number of copies on so many servers. */
  public int copiesOn(int servers) {
    return placement == Placement.REPLICATED ? servers : Math.min(copies, servers);
  }

  /** Checks whether every read that begins after a write was acknowledged sees it. */
  boolean readsAreCurrent() {
    return acknowledgedBy == Acknowledgement.ALL
        || (acknowledgedBy != Acknowledgement.NONE && reads == Reads.PRIMARY);
  }

  /**
   * Checks whether all copies store a write when it is acknowledged, or as many as the product can
   * promise.
   */
  boolean storedWhenAcknowledged(int servers) {
    return switch (acknowledgedBy) {
      case ALL, MAJORITY -> true;
      case PRIMARY -> copiesOn(servers) <= 1;
      case NONE -> false;
    };
  }

  /** Checks whether an acknowledged write is stored by two servers at least. */
  boolean survivesOneOf(int servers) {
    return placement != Placement.LOCAL
        && copiesOn(servers) > 1
        && (acknowledgedBy == Acknowledgement.ALL || acknowledgedBy == Acknowledgement.MAJORITY);
  }
}
