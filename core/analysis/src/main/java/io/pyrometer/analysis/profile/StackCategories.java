package io.pyrometer.analysis.profile;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Divides sampled stacks among categories of work. A stack of a VM thread belongs to {@link #JIT}
 * or {@link #GC}. Of any other stack the innermost frame that a category knows decides, so that a
 * helper of the JDK counts for its caller; a stack without such a frame is {@link #OTHER}.
 */
public final class StackCategories {
  /** Compilation of Java code, by VM threads. */
  public static final String JIT = "JIT compilers";

  /** Garbage collection, by VM threads. */
  public static final String GC = "GC";

  /** The category of all other frames. */
  public static final String OTHER = "other";

  /** Within so many of the outermost frames a VM thread shows what it is for. */
  private static final int VM_FRAMES = 8;

  private static final List<Entry<String, Pattern>> VM_THREADS =
      List.of(
          Map.entry(
              JIT, Pattern.compile("^(CompileBroker::|C2Compiler::|Compiler::|CompileQueue::)")),
          Map.entry(
              GC,
              Pattern.compile(
                  "^(G1|Gang|VM_Gen|VM_Collect|VM_G1|VM_Parallel|PSParallel|ZDriver|ZWorker|Shenandoah|GenCollect|ConcurrentGC|WorkGang|GCTask)")));

  /** Work of JVMs and of Pyrometer's load generator, whatever the product. */
  private static final List<Entry<String, Pattern>> COMMON =
      List.of(
          Map.entry(
              "thread hand-over",
              Pattern.compile(
                  "Unsafe_(P|Unp)ark|Parker::|PlatformEvent::|pthread_(cond|mutex)|ObjectMonitor|LockSupport\\.(p|unp)ark|Unsafe\\.(p|unp)ark|signalWork|Thread\\.yield|sched_yield|^__?(GI_)?___?(pthread|futex|lll_)")),
          Map.entry(
              "system calls",
              Pattern.compile(
                  "^_*(GI_+)?(libc_)?(send|recv|write|read|writev|readv|sendto|recvfrom|epoll_\\w+|pwrite\\w*|pread\\w*|fsync|fdatasync|syscall)$|EPoll\\.|DispatcherImpl|FileDispatcher|SocketDispatcher|EventFD|IOUtil\\.drain|eventfd")),
          Map.entry("load generator", Pattern.compile("^io/pyrometer/load/|^org/HdrHistogram/")));

  private final List<Entry<String, Pattern>> categories;

  /** The category of each frame seen so far: the same few frames are in most stacks. */
  private final Map<String, String> threadOfFrame = new ConcurrentHashMap<>();

  private final Map<String, String> categoryOfFrame = new ConcurrentHashMap<>();

  /**
   * Adds a product's categories to those of every JVM.
   *
   * @param product regular expressions by category, the more specific category first; each is
   *     searched in frames as async-profiler writes them: {@code a/product/nio/Server.body_[j]}
   * @throws java.util.regex.PatternSyntaxException if one is no regular expression
   */
  public StackCategories(Collection<Entry<String, String>> product) {
    this.categories = new ArrayList<>(COMMON);
    product.forEach(p -> categories.add(Map.entry(p.getKey(), Pattern.compile(p.getValue()))));
  }

  /**
   * Counts samples.
   *
   * @param collapsed lines of collapsed stacks: frames from the outermost, separated by semicolons,
   *     a blank and the number of samples
   * @return samples by category, without categories that have none
   */
  public Map<String, Long> count(Stream<String> collapsed) {
    Map<String, Long> counts = new TreeMap<>();
    collapsed.forEach(
        line -> {
          int end = line.lastIndexOf(' ');
          if (end > 0) {
            long samples = Long.parseLong(line.substring(end + 1));
            counts.merge(of(line.substring(0, end).split(";")), samples, Long::sum);
          }
        });
    return counts;
  }

  private String of(String[] frames) {
    for (int i = 0; i < Math.min(VM_FRAMES, frames.length); i++) {
      String thread = threadOfFrame.computeIfAbsent(frames[i], f -> first(VM_THREADS, f));
      if (!thread.equals(OTHER)) {
        return thread;
      }
    }
    for (int i = frames.length - 1; i >= 0; i--) {
      String category = categoryOfFrame.computeIfAbsent(frames[i], f -> first(categories, f));
      if (!category.equals(OTHER)) {
        return category;
      }
    }
    return OTHER;
  }

  private static String first(List<Entry<String, Pattern>> categories, String frame) {
    return categories.stream()
        .filter(category -> category.getValue().matcher(frame).find())
        .map(Entry::getKey)
        .findFirst()
        .orElse(OTHER);
  }
}
