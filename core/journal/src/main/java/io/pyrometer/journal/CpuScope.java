package io.pyrometer.journal;

/** Whose CPU time a trial has, as its configuration says where others started the servers. */
public final class CpuScope {
  /** The key in the configuration. */
  public static final String KEY = "cluster.cpu-time";

  /** What the value begins with where that of the servers is not known; a sentence follows. */
  public static final String AGENTS_ALONE = "agents alone: ";

  private CpuScope() {}
}
