package io.pyrometer.ignite.writer;

/**
 * A flat value of about sixty bytes of content. Not a record: Ignite reads fields by offset, which
 * records forbid.
 */
final class StockOrder {
  private final String secCode = "SBER";
  private final double price = 162.93;
  private final int quantity = 2000;
  private final char buySell = 'B';
  private final String secBoard = "TQBR";
  private final String account = "S01-12345678";
  private final String user = "MU1234567890";
  private final String currency = "RUB";
  private final double commission = 0.13;
  private final int status = 0;
  private final boolean marketMaker = false;
  private final long version;

  StockOrder(long version) {
    this.version = version;
  }

  long version() {
    return version;
  }

  @Override
  public String toString() {
    return String.join(" ", secCode, secBoard, account, user, currency)
        + " %s %s %s %s %s %s %s"
            .formatted(price, quantity, buySell, commission, status, marketMaker, version);
  }
}
