package io.pyrometer.analysis.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StackCategoriesTest {
  private static final StackCategories CATEGORIES =
      new StackCategories(
          List.of(
              Map.entry("network threads", "internal/util/nio/|^sun/nio/ch/"),
              Map.entry("protocol", "internal/processors/")));

  private static Map<String, Long> count(String... lines) {
    return CATEGORIES.count(Stream.of(lines));
  }

  @Test
  void theInnermostFrameThatACategoryKnowsDecides() {
    assertThat(
            count(
                "java/lang/Thread.run_[0];a/internal/util/nio/Server.body_[j];a/internal/processors/Cache.put_[j];java/util/HashMap.get_[j] 3",
                "java/lang/Thread.run_[0];a/internal/processors/Cache.put_[j];a/internal/util/nio/Server.send_[j] 2"))
        .containsExactlyInAnyOrderEntriesOf(Map.of("protocol", 3L, "network threads", 2L));
  }

  @Test
  void aWaitOfAProductsThreadIsThreadHandOverAndASystemCallIsNoWorkOfItsCaller() {
    assertThat(
            count(
                "java/lang/Thread.run_[0];a/internal/processors/Stripe.body_[j];java/util/concurrent/locks/LockSupport.park_[j];Unsafe_Park;Parker::park;pthread_cond_wait 4",
                "java/lang/Thread.run_[0];a/internal/util/nio/Server.body_[j];sun/nio/ch/SocketDispatcher.write0_[j];__libc_write 1"))
        .containsExactlyInAnyOrderEntriesOf(Map.of("thread hand-over", 4L, "system calls", 1L));
  }

  @Test
  void threadsOfTheVirtualMachineAreToldByTheirOutermostFrames() {
    assertThat(
            count(
                "clone3;start_thread;thread_native_entry;Thread::call_run;JavaThread::thread_main_inner;CompileBroker::compiler_thread_loop;C2Compiler::compile_method;pthread_cond_wait 7",
                "clone3;start_thread;thread_native_entry;Thread::call_run;GangWorker::loop 2"))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(StackCategories.JIT, 7L, StackCategories.GC, 2L));
  }

  @Test
  void whatNoCategoryKnowsIsOther() {
    assertThat(count("java/lang/Thread.run_[0];b/Unknown.work_[j] 5", ""))
        .containsExactly(Map.entry(StackCategories.OTHER, 5L));
  }
}
