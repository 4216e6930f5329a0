package io.pyrometer.driver.ignite.data;

/** The highest values over a node's entries; see {@link Maxima#countAndHighest()}. */
public final class PrimaryMaxima extends PrimaryJob<double[]> {
  private static final long serialVersionUID = 1L;

  private final String[] fields;

  public PrimaryMaxima(String cacheName, String[] fields) {
    super(cacheName);
    this.fields = fields;
  }

  @Override
  public double[] call() {
    Maxima highest = new Maxima(fields);
    forEach((key, record) -> highest.see(record));
    return highest.countAndHighest();
  }
}
