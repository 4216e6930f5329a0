package io.pyrometer.ignite.writer;

/** A flat value of some sixty bytes. Not a record, whose fields Ignite cannot read. */
final class StockOrder {
  private final String order = "SBER TQBR S01-12345678 MU1234567890 RUB 162.93 2000 B";
  private final long version;

  StockOrder(long version) {
    this.version = version;
  }

  long version() {
    return version;
  }

  @Override
  public String toString() {
    return order + " " + version;
  }
}
