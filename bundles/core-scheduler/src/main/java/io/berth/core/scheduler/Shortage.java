package io.berth.core.scheduler;

import io.berth.core.api.gateway.JobMasterGateway.NotEnoughResources;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a job requires, and why it does not have it. For the main thread of the job. */
final class Shortage {

    private final SlotPool pool;
    private final ResourceManagerConnection resourceManager;
    private List<GroupRequirement> requirements;
    private Optional<NotEnoughResources> notice = Optional.empty();

    /**
     * @param requirements shown until something is declared
     */
    Shortage(SlotPool pool, ResourceManagerConnection resourceManager, List<GroupRequirement> requirements) {
        this.pool = pool;
        this.resourceManager = resourceManager;
        this.requirements = requirements;
    }

    List<GroupRequirement> requirements() {
        return requirements;
    }

    void declare(List<GroupRequirement> groups) {
        requirements = groups;
        pool.require(groups);
        resourceManager.declare(groups);
    }

    /** The ResourceManager says why; it does so again only when something has changed. */
    void told(NotEnoughResources message) {
        notice = Optional.of(message);
    }

    /** What is needed, what is there, and what the ResourceManager says; empty when nothing is short. */
    String describe() {
        List<String> parts = new ArrayList<>();
        for (GroupRequirement group : requirements) {
            int has = pool.count(group.group());
            if (has < group.desired()) {
                String least = group.minimum() < group.desired() ? " (at least " + group.minimum() + ")" : "";
                parts.add("needs " + group.desired() + least + " x " + group.profile() + " for group " + group.group()
                        + ", has " + has);
            }
        }
        String trouble = resourceManager.trouble();
        if (!trouble.isEmpty()) {
            parts.add(trouble);
        } else if (!parts.isEmpty()) {
            notice.filter(message -> message.sequence() == resourceManager.sequence())
                    .ifPresent(message -> parts.add(message.why().line()));
        }
        return String.join("; ", parts);
    }
}
