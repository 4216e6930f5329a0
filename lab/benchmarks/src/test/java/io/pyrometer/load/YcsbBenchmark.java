package io.pyrometer.load;

import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.htrace.core.Tracer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import site.ycsb.BasicDB;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.DBWrapper;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * Cost of YCSB's harness for what {@link RecordingBenchmark} does: one update of one short field of
 * one of 100,000 records, by its basic binding, which stores nothing.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class YcsbBenchmark {

  /** How keys are drawn. */
  @Param({"sequential", "zipfian"})
  public String keys = "sequential";

  private CoreWorkload workload;
  private DB database;

  /** By the thread that will call. */
  @Setup
  public void begin() throws WorkloadException, DBException {
    Properties properties = new Properties();
    properties.setProperty("recordcount", "100000");
    properties.setProperty("operationcount", "1000000");
    properties.setProperty("fieldcount", "1");
    properties.setProperty("fieldlength", "8");
    properties.setProperty("readproportion", "0");
    properties.setProperty("updateproportion", "1");
    properties.setProperty("requestdistribution", keys);
    properties.setProperty("measurementtype", "hdrhistogram");
    properties.setProperty("basicdb.verbose", "false");
    Measurements.setProperties(properties); // before a workload is made, which reads them
    workload = new CoreWorkload();
    workload.init(properties);
    database = new DBWrapper(new BasicDB(), new Tracer.Builder("none").build());
    database.setProperties(properties);
    database.init();
  }

  /** One operation. */
  @Benchmark
  public boolean updateOneRecord() {
    return workload.doTransaction(database, null);
  }
}
