package io.berth.core.policies;

import io.berth.core.api.policy.PolicyRecords;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.policies.pools.PastUseStore;
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
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the records of the metadata store while this process leads: the choices of policies in the greatest epoch of any
 * role that it leads, and what queues used in that of the ResourceManager, whose planners count it. Works on one thread,
 * which waits for the disk; callers wait for a limited time.
 */
final class LeaderRecords implements PolicyRecords {

    static final String POLICIES = "policies";
    static final String PAST_USE = "past-use";

    private static final Logger LOG = LoggerFactory.getLogger(LeaderRecords.class);
    private static final long FINISH_MILLIS = 3_000;

    private final Part policies;
    private final Part pastUse;
    private final Runnable forgetUse;
    private final Executor keeper;
    /** Confined to the keeper, as all parts are. */
    private Optional<MetadataStores> stores = Optional.empty();

    /** @param keeper one thread */
    LeaderRecords(Choices choices, SwapStore swaps, PastUseStore pastUse, Executor keeper) {
        this.policies = new Part(
                POLICIES,
                "choices of policies",
                opened -> {
                    choices.attach(opened);
                    swaps.attach(opened);
                },
                closing -> {
                    swaps.detach(closing);
                    choices.detach(closing);
                });
        this.pastUse = new Part(PAST_USE, "figures of what queues used", pastUse::attach, pastUse::detach);
        this.forgetUse = pastUse::forget;
        this.keeper = keeper;
    }

    /** A part of the store, and who uses it. */
    private final class Part {

        private final String name;
        private final String content;
        private final Consumer<MetadataStores.Term> attach;
        private final Consumer<MetadataStores.Term> detach;
        private final SortedMap<String, Long> epochs = new TreeMap<>();
        private Optional<MetadataStores.Term> term = Optional.empty();
        private long openedEpoch;

        private Part(
                String name,
                String content,
                Consumer<MetadataStores.Term> attach,
                Consumer<MetadataStores.Term> detach) {
            this.name = name;
            this.content = content;
            this.attach = attach;
            this.detach = detach;
        }

        private void open() {
            if (stores.isEmpty() || epochs.isEmpty()) {
                return;
            }
            long epoch =
                    epochs.values().stream().mapToLong(Long::longValue).max().orElseThrow();
            if (term.isPresent()) {
                if (epoch <= openedEpoch) {
                    return;
                }
                // Another process may have led, and written the records, meanwhile: what is open is void.
                close();
            }
            try {
                MetadataStores.Term opened = stores.get().open(name, epoch);
                term = Optional.of(opened);
                openedEpoch = epoch;
                attach.accept(opened);
            } catch (SupersededException superseded) {
                LOG.info(
                        "{} are kept in memory until this process leads in a greater epoch than {}: {}",
                        content,
                        epoch,
                        superseded.getMessage());
            } catch (IOException | RuntimeException failure) {
                LOG.error("{} are kept in memory only: their records cannot be opened", content, failure);
            }
        }

        private void close() {
            if (term.isEmpty()) {
                return;
            }
            MetadataStores.Term open = term.get();
            term = Optional.empty();
            detach.accept(open);
            try {
                open.close();
            } catch (IOException failure) {
                LOG.warn("the records of policies did not close", failure);
            }
        }

        private void lead(String role, long epoch) {
            epochs.put(role, epoch);
            open();
        }

        /** @return whether this process leads no role of it anymore */
        private boolean end(String role, long epoch) {
            boolean last = epochs.remove(role, epoch) && epochs.isEmpty();
            if (last) {
                close();
            }
            return last;
        }
    }

    @Override
    public AutoCloseable startLeading(String role, long epoch) {
        boolean plans = role.equals(EndpointName.RESOURCE_MANAGER.value());
        finish(() -> {
            policies.lead(role, epoch);
            if (plans) {
                pastUse.lead(role, epoch);
            }
        });
        return () -> finish(() -> {
            policies.end(role, epoch);
            if (plans && pastUse.end(role, epoch)) {
                forgetUse.run();
            }
        });
    }

    /** A store was added. */
    void storeAdded(MetadataStores found) {
        keep(() -> {
            close();
            stores = Optional.of(found);
            policies.open();
            pastUse.open();
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

    private void close() {
        pastUse.close();
        policies.close();
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
