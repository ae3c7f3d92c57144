package io.berth.core.dispatcher.description;

import io.berth.core.api.BundleRef;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.PolicyChoice;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;

/** A checked description: everything of a {@link JobGraph} except what the submission adds. Immutable. */
public record JobDraft(
        String name,
        SchedulingAttributes attributes,
        SortedMap<PolicyKind, PolicyChoice> policies,
        List<BundleRef> bundles,
        List<JobVertex> vertices,
        List<JobEdge> edges,
        List<SlotSharingGroup> groups) {

    private static final int MAX_SLUG = 60;

    public JobGraph toGraph(JobId id, long submissionIndex) {
        return new JobGraph(id, name, submissionIndex, attributes, policies, bundles, vertices, edges, groups);
    }

    public JobDraft with(SchedulingAttributes other) {
        return new JobDraft(name, other, policies, bundles, vertices, edges, groups);
    }

    /** The name, reduced to the characters that an id may have. */
    public String slug() {
        String slug =
                name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        return slug.substring(0, Math.min(slug.length(), MAX_SLUG));
    }
}
