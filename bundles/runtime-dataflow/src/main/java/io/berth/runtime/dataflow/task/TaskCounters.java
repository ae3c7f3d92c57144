package io.berth.runtime.dataflow.task;

import io.berth.dataflow.api.Counter;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/** The named counters of a task. Its thread writes them, any thread reads them. */
final class TaskCounters {

    private final ConcurrentSkipListMap<String, SingleWriterCounter> counters = new ConcurrentSkipListMap<>();

    private static final class SingleWriterCounter implements Counter {
        private final AtomicLong value = new AtomicLong();

        @Override
        public void add(long amount) {
            // One thread writes: no read-modify-write instruction is needed.
            value.setRelease(value.getPlain() + amount);
        }
    }

    Counter counter(String name) {
        return counters.computeIfAbsent(name, any -> new SingleWriterCounter());
    }

    SortedMap<String, Long> values() {
        SortedMap<String, Long> values = new TreeMap<>();
        counters.forEach((name, counter) -> values.put(name, counter.value.getAcquire()));
        return values;
    }
}
