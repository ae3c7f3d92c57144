package io.berth.core.policies;

import io.berth.core.api.policy.PolicyRecords;
import io.berth.core.policies.registry.Choices;
import io.berth.core.policies.swap.SwapStore;
import io.berth.spi.ha.MetadataStores;
import io.berth.spi.ha.SupersededException;
import java.io.IOException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the policy records of the metadata store while this process leads a role, in the greatest epoch that it leads.
 * Works on one thread, which waits for the disk; callers wait for a limited time.
 */
final class LeaderRecords implements PolicyRecords {

    static final String PART = "policies";

    private static final Logger LOG = LoggerFactory.getLogger(LeaderRecords.class);
    private static final long FINISH_MILLIS = 3_000;

    private final Choices choices;
    private final SwapStore swaps;
    private final Executor keeper;
    // Confined to the keeper.
    private final SortedMap<String, Long> epochs = new TreeMap<>();
    private Optional<MetadataStores> stores = Optional.empty();
    private Optional<MetadataStores.Term> term = Optional.empty();
    private long openedEpoch;

    /** @param keeper one thread */
    LeaderRecords(Choices choices, SwapStore swaps, Executor keeper) {
        this.choices = choices;
        this.swaps = swaps;
        this.keeper = keeper;
    }

    @Override
    public AutoCloseable startLeading(String role, long epoch) {
        finish(() -> {
            epochs.put(role, epoch);
            open();
        });
        return () -> finish(() -> {
            if (epochs.remove(role, epoch) && epochs.isEmpty()) {
                close();
            }
        });
    }

    /** A store was added. */
    void storeAdded(MetadataStores found) {
        keep(() -> {
            close();
            stores = Optional.of(found);
            open();
        });
    }

    /** The store is about to be removed: stores what is left. */
    void storeRemoved(MetadataStores gone) {
        finish(() -> {
            if (stores.filter(there -> there == gone).isPresent()) {
                close();
                stores = Optional.empty();
            }
        });
    }

    private void open() {
        if (stores.isEmpty() || epochs.isEmpty()) {
            return;
        }
        long epoch = epochs.values().stream().mapToLong(Long::longValue).max().orElseThrow();
        if (term.isPresent()) {
            if (epoch <= openedEpoch) {
                return;
            }
            // Another process may have led, and written the records, meanwhile: what is open is void.
            close();
        }
        try {
            MetadataStores.Term opened = stores.get().open(PART, epoch);
            term = Optional.of(opened);
            openedEpoch = epoch;
            choices.attach(opened);
            swaps.attach(opened);
        } catch (SupersededException superseded) {
            LOG.info(
                    "choices of policies are kept in memory until this process leads in a greater epoch than {}: {}",
                    epoch,
                    superseded.getMessage());
        } catch (IOException | RuntimeException failure) {
            LOG.error("choices of policies are kept in memory only: their records cannot be opened", failure);
        }
    }

    private void close() {
        if (term.isEmpty()) {
            return;
        }
        MetadataStores.Term open = term.get();
        term = Optional.empty();
        swaps.detach(open);
        choices.detach(open);
        try {
            open.close();
        } catch (IOException failure) {
            LOG.warn("the records of policies did not close", failure);
        }
    }

    /** Runs the action and waits for it for a limited time. */
    void finish(Runnable action) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        boolean begun = keep(() -> {
            try {
                action.run();
            } finally {
                done.complete(null);
            }
        });
        if (!begun) {
            return;
        }
        try {
            done.get(FINISH_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            LOG.warn("the metadata store did not answer for records of policies within {} ms", FINISH_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException impossible) {
            LOG.error("records of policies were not kept", impossible);
        }
    }

    /** Runs the action later; false when the host has ended. */
    boolean keep(Runnable action) {
        try {
            keeper.execute(action);
            return true;
        } catch (RejectedExecutionException ended) {
            LOG.debug("the policy host has ended");
            return false;
        }
    }
}
