package io.pyrometer.journal;

/** Whose CPU time a trial has, as its configuration says where others started the servers. */
public final class CpuScope {
  public static final String KEY = "cluster.cpu-time";

  /** The prefix of the value where that of the servers is not known; a sentence follows. */
  public static final String AGENTS_ALONE = "agents alone: ";

  private CpuScope() {}
}
