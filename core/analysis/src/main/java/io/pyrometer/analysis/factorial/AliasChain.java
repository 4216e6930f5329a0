package io.pyrometer.analysis.factorial;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Effects that one design cannot separate: what is measured is their sum (or difference, where a
 * sign is −1).
 *
 * @param terms the shortest first, which names the chain and has sign +1
 */
public record AliasChain(List<Term> terms) {
  /**
   * One effect in a chain.
   *
   * @param letters for example {@code BC}
   * @param name for example {@code awareness × mode}
   * @param order the number of factors in it
   * @param sign +1, or −1 where it is subtracted
   */
  public record Term(String letters, String name, int order, int sign) {
    /** {@code −BC} where it is subtracted. */
    public String signed() {
      return (sign < 0 ? "−" : "") + letters;
    }
  }

  /** Copies the terms. */
  public AliasChain {
    terms = List.copyOf(terms);
  }

  /** The simplest effect of the chain. */
  public Term first() {
    return terms.get(0);
  }

  /** The other effects of at most {@code order} factors. */
  public List<Term> rivals(int order) {
    return terms.stream().skip(1).filter(term -> term.order() <= order).toList();
  }

  /** True where an effect, by its letters, is one of the chain. */
  boolean holds(String letters) {
    return terms.stream().anyMatch(term -> term.letters().equals(letters));
  }

  /** {@code A=BE=ACDF=BCDEF}. */
  public String letters() {
    return terms.stream().map(Term::signed).collect(Collectors.joining("="));
  }
}
