package io.berth.core.dispatcher.state;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.dispatcher.store.JobKey;
import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** All known jobs, in the order of submission. Confined to the main thread of the Dispatcher. */
public final class JobTable {

    private final SortedMap<JobKey, JobRecord> live = new TreeMap<>();
    private final SortedMap<JobKey, JobDetails> ended = new TreeMap<>();
    private final SortedMap<JobId, JobKey> keys = new TreeMap<>();
    private final SortedSet<JobId> reserved = new TreeSet<>();
    private final SortedMap<String, JobId> submissionKeys = new TreeMap<>();
    private final RunTimes runTimes = new RunTimes();

    /** Reserves the id for a job that is being accepted; false when the id is taken. */
    public boolean reserve(JobId id) {
        return !keys.containsKey(id) && reserved.add(id);
    }

    public void free(JobId id) {
        reserved.remove(id);
    }

    public void add(JobRecord job) {
        free(job.id());
        keys.put(job.id(), job.key());
        live.put(job.key(), job);
    }

    /** Adds a job that ended before this Dispatcher began, or whose record cannot be read. */
    public void add(JobKey key, JobDetails details) {
        keys.put(key.id(), key);
        keepEnded(key, details);
    }

    private void keepEnded(JobKey key, JobDetails details) {
        ended.put(key, details);
        runTimes.add(key, details);
    }

    /** The attributes of a new job of that name, with a run time that was learned if none was stated. */
    public SchedulingAttributes estimated(String name, SchedulingAttributes attributes) {
        return runTimes.estimated(name, attributes);
    }

    /** Records the key that the job was submitted with. */
    public void remember(String submissionKey, JobId id) {
        submissionKeys.put(submissionKey, id);
    }

    /** The job that was submitted with that key. */
    public Optional<JobId> submittedWith(String submissionKey) {
        return Optional.ofNullable(submissionKeys.get(submissionKey));
    }

    public void end(JobRecord job, JobDetails details) {
        live.remove(job.key());
        keepEnded(job.key(), details);
    }

    public Optional<JobRecord> live(JobId id) {
        return Optional.ofNullable(keys.get(id)).map(live::get);
    }

    public List<JobRecord> live() {
        return List.copyOf(live.values());
    }

    public Optional<JobDetails> ended(JobId id) {
        return Optional.ofNullable(keys.get(id)).map(ended::get);
    }

    public Optional<JobDetails> details(JobId id) {
        return live(id).map(JobRecord::details).or(() -> ended(id));
    }

    public List<JobDetails> details() {
        SortedMap<JobKey, JobDetails> all = new TreeMap<>(ended);
        live.forEach((key, job) -> all.put(key, job.details()));
        return List.copyOf(all.values());
    }

    /** Removes the ended jobs that were submitted first, until {@code kept} are left. Returns them. */
    public List<JobKey> forgetOldest(int kept) {
        List<JobKey> forgotten = new ArrayList<>();
        while (ended.size() > kept) {
            JobKey oldest = ended.firstKey();
            runTimes.remove(oldest, ended.remove(oldest));
            keys.remove(oldest.id());
            submissionKeys.values().remove(oldest.id());
            forgotten.add(oldest);
        }
        return forgotten;
    }
}
