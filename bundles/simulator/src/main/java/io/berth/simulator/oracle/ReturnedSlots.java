package io.berth.simulator.oracle;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMasterGateway.AcceptedSlots;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffers;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.gateway.ResourceManagerGateway.RequirementsDeclaration;
import io.berth.core.api.gateway.ResourceManagerGateway.UnitRequirement;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotsToFree;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.simulator.gateway.CalledTaskExecutor;
import io.berth.simulator.gateway.ObservedResourceManager;
import io.berth.simulator.gateway.WatchedJobMaster;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.spi.AllocationId;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Checks what the JobMasters of a process return because it is no longer required: never so much that a group lacks
 * slots afterwards (FLIP-138, "never more than the excess"). Slots that are returned for another reason, such as tasks
 * that do not end, are ignored. So are slots that are returned at a moment in which the job loses slots or declares
 * other requirements, or decides on others and knows no ResourceManager to declare them to.
 */
final class ReturnedSlots implements ObservedResourceManager.Listener, CalledTaskExecutor.Caller {

    private static final long MOMENT_NANOS = VirtualTime.MILLI;

    private final Incarnation process;
    private final Ledger ledger;
    private final SortedMap<FencingToken, Pool> pools = new TreeMap<>();

    ReturnedSlots(Incarnation process, Ledger ledger) {
        this.process = process;
        this.ledger = ledger;
    }

    /** Observes what one JobMaster receives from its start on. */
    WatchedJobMaster.Watcher by(FencingToken token, JobMasterGateway jobMaster) {
        Pool pool = new Pool(jobMaster);
        pools.put(token, pool);
        return pool;
    }

    private Optional<Pool> pool(FencingToken token) {
        return Optional.ofNullable(pools.get(token));
    }

    @Override
    public void declares(RequirementsDeclaration declaration) {
        pool(declaration.jobMaster().token()).ifPresent(pool -> {
            pool.markChanged();
            pool.declares(declaration);
        });
    }

    @Override
    public void releasing(FencingToken jobMaster) {
        pool(jobMaster).ifPresent(Pool::markChanged);
    }

    @Override
    public void freeing(SlotsToFree slots) {
        if (isForLackOfNeed(slots.cause())) {
            pool(slots.jobMaster().token()).ifPresent(pool -> {
                long now = process.nanos();
                ledger.afterThis(() -> pool.gaveBack(slots, now));
            });
        }
    }

    private static boolean isForLackOfNeed(String cause) {
        return !cause.equals("they are not reused")
                && !cause.equals("the worker is blocked")
                && !cause.equals("the worker leaves")
                && !cause.startsWith("tasks have not ended")
                // Another unit may lack slots of that group: they are made for one unit.
                && !cause.startsWith("unit ");
    }

    private final class Pool implements WatchedJobMaster.Watcher {

        private final JobMasterGateway jobMaster;
        /** The group that each slot of the job served last. */
        private final SortedMap<String, String> groups = new TreeMap<>();

        /** Slots that the JobMaster has and promised to return, with how often the job had restarted before. */
        private final SortedMap<String, Integer> promised = new TreeMap<>();

        private long stirred = Long.MIN_VALUE / 2;
        private long declared = Long.MIN_VALUE;
        private int slotsDeclared;
        /** Details have sums over all units, and do not say which of them lacks slots, or has restarted. */
        private SortedSet<String> units = new TreeSet<>();

        Pool(JobMasterGateway jobMaster) {
            this.jobMaster = jobMaster;
        }

        private void markChanged() {
            stirred = process.nanos();
        }

        private void declares(RequirementsDeclaration declaration) {
            if (declaration.sequence() > declared) {
                declared = declaration.sequence();
                slotsDeclared = declaration.units().stream()
                        .flatMap(unit -> unit.groups().stream())
                        .mapToInt(GroupRequirement::desired)
                        .sum();
                SortedSet<String> before = units;
                units = declaration.units().stream()
                        .map(UnitRequirement::unit)
                        .collect(Collectors.toCollection(TreeSet::new));
                if (!units.equals(before)) {
                    promised.clear();
                }
                ledger.afterThis(this::group);
                ledger.afterThis(this::keepsPromises);
            }
        }

        /** The JobMaster says that it returns these slots, some of them only after a restart. */
        private void promises(List<AllocationId> slots) {
            if (units.size() > 1) {
                return;
            }
            ledger.afterThis(() -> details().ifPresent(job -> {
                int executions = restarts(job) - (job.status() == JobStatus.EXECUTING ? 0 : 1);
                slots.forEach(slot -> promised.putIfAbsent(slot.toString(), executions));
            }));
        }

        private static int restarts(JobDetails job) {
            return job.restarts() + job.rescales();
        }

        private static SortedSet<String> slots(JobDetails job) {
            SortedSet<String> there = new TreeSet<>();
            job.slots().forEach(slot -> there.add(slot.allocation()));
            return there;
        }

        /** The next execution of the job begins without them. */
        private void keepsPromises() {
            Optional<JobDetails> job = promised.isEmpty() ? Optional.empty() : details();
            if (job.isEmpty()) {
                return;
            }
            promised.keySet().retainAll(slots(job.get()));
            promised.forEach((slot, executions) -> {
                if (job.get().status() == JobStatus.EXECUTING && restarts(job.get()) > executions) {
                    ledger.broken("P2: a JobMaster on " + process + " runs again and still has slot " + slot
                            + ", which it promised to return");
                }
            });
        }

        @Override
        public CompletionStage<RegistrationResponse> registers(JobMasterGateway called, WorkerAtJob worker) {
            markChanged();
            return called.registerWorker(worker);
        }

        @Override
        public void fails(AllocationId allocation) {
            markChanged();
        }

        @Override
        public void losesWorker() {
            markChanged();
        }

        @Override
        public CompletionStage<AcceptedSlots> offers(JobMasterGateway called, SlotOffers offers) {
            SortedSet<String> had = promised.isEmpty()
                    ? new TreeSet<>()
                    : details().map(Pool::slots).orElseGet(TreeSet::new);
            CompletionStage<AcceptedSlots> answer = called.offerSlots(offers);
            // Other slots are matched again only together with new ones, or after another declaration.
            answer.thenAccept(accepted -> {
                ledger.afterThis(this::keepsPromises);
                // The worker did not learn that it was returned: the job has it anew.
                accepted.accepted().stream()
                        .map(AllocationId::toString)
                        .filter(slot -> !had.contains(slot))
                        .forEach(promised::remove);
                if (!accepted.accepted().isEmpty()) {
                    // By the matching rule that holds now, it may serve another group than before.
                    accepted.accepted().forEach(slot -> groups.remove(slot.toString()));
                    ledger.afterThis(this::group);
                }
            });
            return answer;
        }

        /**
         * Below its minimum, or where that is not known now, a job may return slots that it requires: at once, or when
         * its slow threads have decided. Above it, it may do so when asked, but must keep its minimum.
         */
        @Override
        public Consumer<List<AllocationId>> wantsSlotsBack(List<AllocationId> slots, boolean aboveMinimum) {
            Optional<JobDetails> before = details();
            boolean canRun =
                    before.isPresent() && groupBelowMinimum(before.get()).isEmpty();
            boolean may = aboveMinimum || !canRun;
            if (may) {
                markChanged();
            }
            if (aboveMinimum && canRun && units.size() == 1) {
                ledger.afterThis(this::keepsMinimum);
            }
            return returned -> {
                if (may) {
                    markChanged();
                }
                promises(returned);
            };
        }

        private void keepsMinimum() {
            details()
                    .flatMap(Pool::groupBelowMinimum)
                    .ifPresent(group -> ledger.broken("P2: a JobMaster on " + process
                            + " was asked for slots above its minimum, and group " + group.name() + " has "
                            + group.acquired() + " slots then; its minimum is " + group.minimum()));
        }

        private static Optional<JobDetails.GroupDetails> groupBelowMinimum(JobDetails job) {
            return job.groups().stream()
                    .filter(group -> group.acquired() < group.minimum())
                    .findFirst();
        }

        private void group() {
            details().ifPresent(job -> job.slots().forEach(slot -> groups.put(slot.allocation(), slot.group())));
        }

        private Optional<JobDetails> details() {
            if (!process.isAlive() || process.isPaused() || process.lags()) {
                return Optional.empty();
            }
            CompletableFuture<JobDetails> details =
                    process.atOnce(() -> jobMaster.details().toCompletableFuture());
            return details.isDone() && !details.isCompletedExceptionally()
                    ? Optional.of(details.join())
                    : Optional.empty();
        }

        /** In total only: a slot that serves another group is declared for the one that it was made for. */
        private boolean isDeclared(JobDetails job) {
            return job.groups().stream()
                            .mapToInt(JobDetails.GroupDetails::desired)
                            .sum()
                    == slotsDeclared;
        }

        private void gaveBack(SlotsToFree slots, long when) {
            if (stirred >= when - MOMENT_NANOS || units.size() > 1) {
                return;
            }
            Optional<JobDetails> job = details().filter(this::isDeclared);
            if (job.isEmpty()) {
                return;
            }
            for (AllocationId allocation : slots.allocations()) {
                String group = groups.getOrDefault(allocation.toString(), "");
                job.get().groups().stream()
                        .filter(served -> served.name().equals(group) && served.acquired() < served.desired())
                        .forEach(lacking -> ledger.broken("P2: a JobMaster on " + process + " returns " + slots
                                + ", and group " + group + " has " + lacking.acquired() + " slots then; it desires "
                                + lacking.desired()));
            }
        }
    }
}
