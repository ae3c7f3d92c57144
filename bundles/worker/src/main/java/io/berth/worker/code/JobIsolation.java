package io.berth.worker.code;

import io.berth.spi.JobId;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.framework.Bundle;
import org.osgi.framework.hooks.resolver.ResolverHook;
import org.osgi.framework.hooks.resolver.ResolverHookFactory;
import org.osgi.framework.wiring.BundleCapability;
import org.osgi.framework.wiring.BundleRequirement;
import org.osgi.framework.wiring.BundleRevision;

/**
 * Keeps jobs apart in one framework: a bundle of a job is wired to the worker's own bundles and to bundles of its job
 * only. Otherwise uninstalling one job's bundle could refresh another's. Registered as a service; any thread.
 */
public final class JobIsolation implements ResolverHookFactory {

    /** Part of the location of every bundle of a job: the folder of the bundle store. */
    public static final String FOLDER = "job-bundles";

    private final Map<Long, Set<JobId>> jobs = new ConcurrentHashMap<>();

    static boolean isOfJob(Bundle bundle) {
        return bundle.getLocation().startsWith(UserBundles.LOCATION)
                && bundle.getLocation().contains("/" + FOLDER + "/");
    }

    Bundle allow(Bundle bundle, JobId job) {
        jobs.computeIfAbsent(bundle.getBundleId(), id -> ConcurrentHashMap.newKeySet())
                .add(job);
        return bundle;
    }

    void revoke(Bundle bundle, JobId job) {
        jobs.getOrDefault(bundle.getBundleId(), Set.of()).remove(job);
    }

    void forget(Bundle bundle) {
        jobs.remove(bundle.getBundleId());
    }

    @Override
    public ResolverHook begin(Collection<BundleRevision> triggers) {
        return new Hook();
    }

    private boolean mayUse(BundleRevision user, BundleRevision provider) {
        if (user == null || user.equals(provider) || !isOfJob(provider.getBundle())) {
            return true;
        }
        return isOfJob(user.getBundle())
                && !Collections.disjoint(
                        jobs.getOrDefault(user.getBundle().getBundleId(), Set.of()),
                        jobs.getOrDefault(provider.getBundle().getBundleId(), Set.of()));
    }

    private final class Hook implements ResolverHook {

        @Override
        public void filterResolvable(Collection<BundleRevision> candidates) {}

        @Override
        public void filterSingletonCollisions(
                BundleCapability singleton, Collection<BundleCapability> collisionCandidates) {
            // Jobs may bring singletons of the same name: they do not see each other.
            if (isOfJob(singleton.getRevision().getBundle())) {
                collisionCandidates.clear();
            }
        }

        @Override
        public void filterMatches(BundleRequirement requirement, Collection<BundleCapability> candidates) {
            candidates.removeIf(candidate -> !mayUse(requirement.getRevision(), candidate.getRevision()));
        }

        @Override
        public void end() {}
    }
}
