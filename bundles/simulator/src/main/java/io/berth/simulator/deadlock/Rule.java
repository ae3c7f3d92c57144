package io.berth.simulator.deadlock;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.gateway.ResourceManagerGateway.RequirementsDeclaration;
import io.berth.core.api.gateway.ResourceManagerGateway.UnitRequirement;
import io.berth.spi.AllocationId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Which parts of the rule against deadlocks hold. The product always has the whole rule: a part is taken away by
 * changing messages on their way.
 */
public enum Rule {
    /** As in the product. */
    WHOLE,
    /** The ResourceManager does not know the minimum of a unit, and grants single slots. */
    NO_MINIMUM,
    /** A unit that cannot run keeps the slots that others are waiting for. */
    NO_RETURN;

    /** The name on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** All names on the command line. */
    public static List<String> labels() {
        return Arrays.stream(values()).map(Rule::label).toList();
    }

    /** @throws IllegalArgumentException if there is no such rule */
    public static Rule of(String label) {
        return Arrays.stream(values())
                .filter(rule -> rule.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "option --deadlocks is '" + label + "': allowed are " + String.join(", ", labels())));
    }

    /** What JobMasters call. */
    ResourceManagerGateway of(ResourceManagerGateway gateway) {
        return this == NO_MINIMUM
                ? PartialGateway.over(ResourceManagerGateway.class, gateway, new WithoutMinima(gateway))
                : gateway;
    }

    /**
     * What the ResourceManager calls.
     *
     * @param asked runs when it asks for slots
     */
    JobMasterGateway of(JobMasterGateway gateway, Runnable asked) {
        return PartialGateway.over(JobMasterGateway.class, gateway, new Returns(gateway, this != NO_RETURN, asked));
    }

    record WithoutMinima(ResourceManagerGateway next) {

        CompletionStage<Acknowledge> declareRequirements(RequirementsDeclaration declaration) {
            List<UnitRequirement> units = declaration.units().stream()
                    .map(unit -> new UnitRequirement(
                            unit.unit(),
                            unit.groups().stream()
                                    .map(WithoutMinima::withoutMinimum)
                                    .toList(),
                            unit.runsWithLess()))
                    .toList();
            return next.declareRequirements(new RequirementsDeclaration(
                    declaration.job(),
                    declaration.jobMaster(),
                    declaration.sequence(),
                    declaration.submissionIndex(),
                    declaration.attributes(),
                    units,
                    declaration.lastRescaleMillis()));
        }

        private static GroupRequirement withoutMinimum(GroupRequirement group) {
            return new GroupRequirement(group.group(), group.profile(), 0, group.desired(), group.constraints());
        }
    }

    record Returns(JobMasterGateway next, boolean heard, Runnable asked) {

        CompletionStage<List<AllocationId>> requestSlotReturn(
                ResourceManagerId resourceManager, List<AllocationId> slots, boolean aboveMinimum, String cause) {
            asked.run();
            return heard
                    ? next.requestSlotReturn(resourceManager, slots, aboveMinimum, cause)
                    : CompletableFuture.completedFuture(List.of());
        }
    }
}
