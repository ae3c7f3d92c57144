package io.berth.core.scheduler;

import io.berth.core.api.gateway.JobMasterGateway.NotEnoughResources;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.gateway.ResourceManagerGateway.UnitRequirement;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.scheduler.job.Requirements;
import io.berth.core.scheduler.peers.ResourceManagerConnection;
import io.berth.core.scheduler.slotpool.SlotPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** What a unit of a job requires, and why it has less. Confined to the main thread of the job. */
final class JobRequirements {

    private final String unit;
    private final SlotPool pool;
    private final ResourceManagerConnection resourceManager;
    private final BooleanSupplier runsWithLess;
    private List<GroupRequirement> requirements;
    private Optional<NotEnoughResources> notice = Optional.empty();
    private boolean declared;

    /**
     * @param runsWithLess whether the job runs with less than its minimum
     * @param requirements used until something is declared: shown to users, and served by offered slots
     */
    JobRequirements(
            String unit,
            SlotPool pool,
            ResourceManagerConnection resourceManager,
            BooleanSupplier runsWithLess,
            List<GroupRequirement> requirements) {
        this.unit = unit;
        this.pool = pool;
        this.resourceManager = resourceManager;
        this.runsWithLess = runsWithLess;
        this.requirements = requirements;
        pool.require(requirements);
    }

    /** Whether the requirements of the job are decided. */
    boolean isDeclared() {
        return declared;
    }

    List<GroupRequirement> requirements() {
        return requirements;
    }

    void declare(List<GroupRequirement> groups) {
        requirements = groups;
        declared = true;
        pool.require(groups);
        declareAgain();
    }

    /** The bounds changed. What is declared is moved into them, until it is decided what is desired. */
    void bound(JobGraph graph) {
        List<Integer> most =
                graph.vertices().stream().map(JobGraph.JobVertex::maximum).toList();
        List<GroupRequirement> bounded = new ArrayList<>();
        for (GroupRequirement bound : Requirements.of(graph, most)) {
            int desired = requirements.stream()
                    .filter(group -> group.group().equals(bound.group()))
                    .mapToInt(GroupRequirement::desired)
                    .findFirst()
                    .orElse(bound.minimum());
            bounded.add(new GroupRequirement(
                    bound.group(),
                    bound.profile(),
                    bound.minimum(),
                    Math.max(bound.minimum(), Math.min(desired, bound.desired())),
                    bound.constraints()));
        }
        requirements = List.copyOf(bounded);
        pool.require(requirements);
        declareAgain();
    }

    /** The slots may serve other groups than before, which changes what new slots are made for, or the job stopped. */
    void declareAgain() {
        if (declared) {
            resourceManager.declare(new UnitRequirement(unit, pool.declared(), runsWithLess.getAsBoolean()));
        }
    }

    /** A rescale is over, which took so long. It is declared too: policies weigh what another one would cost. */
    void rescaled(long millis) {
        resourceManager.rescaled(millis);
    }

    /** The reason from the ResourceManager, which it repeats only after a change. The latest reason is valid. */
    void receive(NotEnoughResources message) {
        boolean overtaken = notice.filter(last ->
                        last.resourceManager().equals(message.resourceManager()) && last.number() > message.number())
                .isPresent();
        if (!overtaken) {
            notice = Optional.of(message);
        }
    }

    /**
     * What is missing, and why: the latest reason from the ResourceManager, or why there is none yet. Never without a
     * reason.
     */
    Reason why() {
        List<String> needs = new ArrayList<>();
        for (GroupRequirement group : requirements) {
            int has = pool.count(group.group());
            if (has < group.desired()) {
                needs.add(group.needs() + ", has " + has);
            }
        }
        if (needs.isEmpty()) {
            return Reason.of(ReasonCode.DECIDING, "all slots are there: it is about to start");
        }
        Optional<Reason> said = notice.filter(message -> message.sequence() == resourceManager.sequence())
                .filter(message -> resourceManager.isCurrent(message.resourceManager()))
                .map(NotEnoughResources::why);
        if (said.filter(reason -> reason.code() != ReasonCode.SLOTS_REQUESTED).isPresent()) {
            return said.get();
        }
        Reason why = said.orElseGet(resourceManager::why);
        return Reason.of(why.code(), String.join("; ", needs), List.of(why));
    }
}
