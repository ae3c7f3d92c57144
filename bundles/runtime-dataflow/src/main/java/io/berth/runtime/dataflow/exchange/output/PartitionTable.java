package io.berth.runtime.dataflow.exchange.output;

import io.berth.core.api.task.PartitionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The partitions of this worker's tasks. A request for a partition that does not exist yet waits, up to a deadline. A
 * request for a partition that is gone is rejected with the reason. Thread-safe.
 */
public final class PartitionTable {

    /** Partitions that are gone and whose reason is known; older ones are forgotten. */
    private static final int MAX_GONE = 4_096;

    private static final int MAX_REASON = 500;

    private final Object lock = new Object();
    private final Map<String, Partition> partitions = new HashMap<>();
    private final Map<String, List<Waiting>> waiting = new HashMap<>();
    private final Map<String, String> gone = new LinkedHashMap<>();
    private final ScheduledExecutorService timer;
    private final int waitMillis;

    public PartitionTable(ScheduledExecutorService timer, int waitMillis) {
        this.timer = timer;
        this.waitMillis = waitMillis;
    }

    /** A request of a consumer. Exactly one of the two callbacks is called, once. */
    public record Request(Consumer<Partition> found, Consumer<String> refused) {}

    private record Waiting(Request request, ScheduledFuture<?> deadline) {}

    public void register(Partition partition) {
        List<Waiting> requests;
        synchronized (lock) {
            String key = partition.id().toString();
            if (partitions.putIfAbsent(key, partition) != null) {
                throw new IllegalStateException("partition " + key + " is already registered");
            }
            requests = waiting.remove(key);
        }
        if (requests != null) {
            requests.forEach(each -> {
                each.deadline().cancel(false);
                each.request().found().accept(partition);
            });
        }
    }

    /** The partition will never exist. Ignored for one that is registered, by another task with the same name. */
    public void refuse(PartitionId id, String reason) {
        synchronized (lock) {
            if (partitions.containsKey(id.toString())) {
                return;
            }
        }
        unregister(id, reason);
    }

    /** The partition is gone: waiting and later requests are rejected with the reason. */
    public void unregister(PartitionId id, String reason) {
        String kept = reason.length() <= MAX_REASON ? reason : reason.substring(0, MAX_REASON) + " ...";
        List<Waiting> requests;
        synchronized (lock) {
            String key = id.toString();
            partitions.remove(key);
            gone.put(key, kept);
            if (gone.size() > MAX_GONE) {
                gone.remove(gone.keySet().iterator().next());
            }
            requests = waiting.remove(key);
        }
        if (requests != null) {
            requests.forEach(each -> {
                each.deadline().cancel(false);
                each.request().refused().accept(kept);
            });
        }
    }

    public void request(String key, Request request) {
        Partition found;
        String reason;
        synchronized (lock) {
            found = partitions.get(key);
            reason = gone.get(key);
            if (found == null && reason == null) {
                ScheduledFuture<?> deadline =
                        timer.schedule(() -> expire(key, request), waitMillis, TimeUnit.MILLISECONDS);
                waiting.computeIfAbsent(key, any -> new ArrayList<>()).add(new Waiting(request, deadline));
            }
        }
        if (found != null) {
            request.found().accept(found);
        } else if (reason != null) {
            request.refused().accept(reason);
        }
    }

    /** Like {@link #request}, for a partition that must be complete and stored here now: nothing waits. */
    public void requestStored(String key, Request request) {
        Partition found;
        String reason;
        synchronized (lock) {
            found = partitions.get(key);
            reason = gone.get(key);
        }
        if (found != null && found.isStored()) {
            request.found().accept(found);
        } else if (found != null) {
            request.refused().accept("it is not complete");
        } else {
            request.refused()
                    .accept(reason == null ? "this worker has no result of that name, or no longer has it" : reason);
        }
    }

    private void expire(String key, Request request) {
        if (forget(key, request)) {
            request.refused().accept("no task produces partition " + key + " here; waited " + waitMillis + " ms");
        }
    }

    /** Withdraws a waiting request. False if it was answered. */
    public boolean forget(String key, Request request) {
        synchronized (lock) {
            List<Waiting> requests = waiting.getOrDefault(key, List.of());
            Optional<Waiting> own =
                    requests.stream().filter(each -> each.request() == request).findFirst();
            if (own.isEmpty()) {
                return false;
            }
            own.get().deadline().cancel(false);
            requests.remove(own.get());
            if (requests.isEmpty()) {
                waiting.remove(key);
            }
            return true;
        }
    }

    public int waiting() {
        synchronized (lock) {
            return waiting.size();
        }
    }

    public int size() {
        synchronized (lock) {
            return partitions.size();
        }
    }
}
