package io.berth.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Speaks to a control plane over its REST interface. Methods wait for the answer, at most 30 s at each address, and throw {@link
 * BerthException} when there is none or it is no. Thread-safe.
 */
public final class BerthClient {

    private static final int TRIES = 3;
    private static final long PAUSE_MILLIS = 1_000;

    private final RestClient rest;
    private final Waits waits;

    private BerthClient(RestClient rest, Waits waits) {
        this.rest = rest;
        this.waits = waits;
    }

    /**
     * A client of the control plane at an address. Nothing is sent yet.
     *
     * @param urls an address such as {@code http://127.0.0.1:8181}, or several, separated by commas: those of the leader and its
     *     standbys, in any order. A request goes to the one that serves.
     * @throws IllegalArgumentException when one is no address
     */
    public static BerthClient at(String urls) {
        return at(urls, Waits.REAL);
    }

    /**
     * As {@link #at(String)}, for a control plane whose users authenticate.
     *
     * @param tokenFile has the token of the user, and is read for each request, so that the token can be replaced. Only its
     *     owner may be able to read it.
     */
    public static BerthClient at(String urls, Path tokenFile) {
        return new BerthClient(new RestClient(urls, new ObjectMapper(), () -> Optional.of(tokenFile)), Waits.REAL);
    }

    static BerthClient at(String urls, Waits waits) {
        return new BerthClient(new RestClient(urls), waits);
    }

    /** Stores the bundles of a job, and submits it once, even if an answer is lost. */
    public Job submit(JobDescription description) throws InterruptedException {
        return submit(description, UUID.randomUUID().toString());
    }

    /**
     * Stores the bundles of a job, and submits it.
     *
     * @param key of the submission: repeated with the same key, also by another process, it is the same job
     */
    public Job submit(JobDescription description, String key) throws InterruptedException {
        List<String> stored = new ArrayList<>();
        for (Path bundle : description.bundles()) {
            stored.add(storeBundle(bundle));
        }
        String text = description.text(stored);
        String type = description.isJson() ? "application/json" : "application/yaml";
        for (int tries = 1; ; tries++) {
            try {
                JsonNode answer = rest.post("jobs", type, text, Map.of("Idempotency-Key", key));
                return job(answer.path("id").asText());
            } catch (BerthException failure) {
                if (failure.kind() != BerthException.Kind.UNREACHABLE || tries == TRIES) {
                    throw failure;
                }
            }
            waits.pause(PAUSE_MILLIS);
        }
    }

    /** A job by its id. It is not asked for yet. */
    public Job job(String id) {
        return new Job(rest, waits, id);
    }

    /** All jobs, those that ended too as long as they are remembered, in the order of submission. */
    public List<JobInfo> jobs() {
        return rest.list("jobs").stream().map(JobInfo::of).toList();
    }

    /**
     * Stores a bundle unless it is there.
     *
     * @return its SHA-256, by which a description names it
     */
    public String storeBundle(Path jar) {
        String sha256 = RestClient.sha256(jar);
        if (rest.find("bundles/" + sha256).isEmpty()) {
            rest.upload("bundles/" + sha256, jar);
        }
        return sha256;
    }
}
