package io.berth.core.resources;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.JobMasterGateway.NotEnoughResources;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.policy.MatchingRule;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells JobMasters why the cluster cannot serve all that they declared (FLIP-138, notEnoughResourcesAvailable): after
 * the start-up period, and again only when the reason or the declaration is another one. Confined to the main thread.
 */
final class ShortageNotices {

    private static final Logger LOG = LoggerFactory.getLogger(ShortageNotices.class);

    private final ResourceManagerId id;
    private final RequirementLedger ledger;
    private final Backends backends;
    private String undecided = "";
    private boolean open;

    ShortageNotices(ResourceManagerId id, RequirementLedger ledger, Backends backends) {
        this.id = id;
        this.ledger = ledger;
        this.backends = backends;
    }

    /** The start-up period is over. */
    void open(MatchingRule rule) {
        open = true;
        send(rule);
    }

    /** Why nothing is decided at all; empty when it is. */
    void undecided(String reason) {
        undecided = reason;
    }

    void send(MatchingRule rule) {
        if (!open) {
            return;
        }
        for (JobEntry job : ledger.all()) {
            job.master().ifPresent(master -> send(job, master, rule));
        }
    }

    private void send(JobEntry job, JobEntry.Master master, MatchingRule rule) {
        String reason = reason(job, rule);
        String notice = reason.isEmpty() ? "" : job.sequence() + " " + reason;
        if (notice.equals(job.notified())) {
            return;
        }
        job.notified(notice);
        if (reason.isEmpty()) {
            return;
        }
        LOG.info("job {}: not enough resources: {}", job.id, reason);
        master.gateway()
                .notEnoughResources(new NotEnoughResources(id, job.sequence(), job.slots(), Reason.of(ReasonCode.OTHER, reason)))
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        LOG.debug("job {}: a notice of missing resources did not arrive", job.id, failure);
                    }
                });
    }

    private String reason(JobEntry job, MatchingRule rule) {
        SortedSet<String> reasons = new TreeSet<>();
        for (UnitEntry unit : job.units.values()) {
            if (!unit.lacks(rule)) {
                continue;
            }
            if (!undecided.isEmpty()) {
                reasons.add(undecided);
            }
            if (!unit.reason().isEmpty()) {
                reasons.add(unit.reason());
            }
            for (String spec : unit.waitingFor) {
                Optional<String> failure = backends.startFailure(spec);
                failure.ifPresent(why -> reasons.add("a worker of " + spec + " could not be started: " + why));
            }
        }
        return String.join("; ", reasons);
    }
}
