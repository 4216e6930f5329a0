package io.pyrometer.load;

/**
 * One operation of a mix.
 *
 * @param name under which its latencies are recorded
 * @param effect what a call does to the records of its keys
 * @param records of a call
 * @param weight how often it is drawn, relative to the others
 */
public record MixedOperation(String name, Effect effect, int records, double weight) {

  /** Effect of an operation on the records of its keys. */
  public enum Effect {
    READ,
    REMOVE,
    WRITE
  }
}
