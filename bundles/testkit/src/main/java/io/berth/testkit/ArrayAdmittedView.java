package io.berth.testkit;

import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.AdmittedView;
import java.util.ArrayList;
import java.util.List;

/** Admitted demands, in the order of the {@code add} calls. */
public final class ArrayAdmittedView implements AdmittedView {

    private record Entry(JobId job, String group, ResourceProfile profile, int count, int atom) {}

    private final ArrayWorkersView workers;
    private final List<Entry> entries = new ArrayList<>();
    private final List<ResourceProfile> profiles = new ArrayList<>();

    /** @param workers whose default slots an unknown profile takes */
    public ArrayAdmittedView(ArrayWorkersView workers) {
        this.workers = workers;
    }

    /** Adds slots that are placed one by one. */
    public ArrayAdmittedView add(String job, ResourceProfile profile, int count) {
        return add(job, profile, count, -1);
    }

    /** Adds slots of an atom. The entries of one atom must be added one after another. */
    public ArrayAdmittedView add(String job, ResourceProfile profile, int count, int atom) {
        if (!profiles.contains(profile)) {
            profiles.add(profile);
        }
        entries.add(new Entry(new JobId(job), "group-" + entries.size(), profile, count, atom));
        return this;
    }

    ResourceProfile profileOf(int entry) {
        return entries.get(entry).profile();
    }

    @Override
    public int size() {
        return entries.size();
    }

    @Override
    public JobId job(int entry) {
        return entries.get(entry).job();
    }

    @Override
    public String group(int entry) {
        return entries.get(entry).group();
    }

    @Override
    public int count(int entry) {
        return entries.get(entry).count();
    }

    @Override
    public int atom(int entry) {
        return entries.get(entry).atom();
    }

    @Override
    public int profile(int entry) {
        return profiles.indexOf(entries.get(entry).profile());
    }

    @Override
    public long amount(int entry, int dimension) {
        ResourceProfile profile = profileOf(entry);
        return profile.isUnknown() ? -1 : workers.amount(profile, dimension);
    }

    @Override
    public long need(int entry, int worker, int dimension) {
        return workers.need(profileOf(entry), worker, dimension);
    }

    @Override
    public long needOnSpec(int entry, int spec, int dimension) {
        return workers.needOnSpec(profileOf(entry), spec, dimension);
    }
}
