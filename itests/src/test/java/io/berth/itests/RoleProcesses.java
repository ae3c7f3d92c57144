package io.berth.itests;

import static io.berth.itests.Await.LIMIT;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.itests.OutsideCluster.Setting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Two processes for each role, one leader and one standby, and two workers that the ResourceManager's backend starts.
 * A killed process is started again as the standby.
 */
final class RoleProcesses implements AutoCloseable {

    static final String DISPATCHER = "dispatcher";
    static final String RESOURCE_MANAGER = "resource-manager";
    static final String JOB_MASTERS = "job-masters";
    static final List<String> ROLES = List.of(DISPATCHER, RESOURCE_MANAGER, JOB_MASTERS);
    static final int WORKERS = 2;
    static final int SLOTS = 2;
    /** Timeout of heartbeats and of the election. */
    static final long TIMEOUT_MILLIS = 5_000;

    /** What a ResourceManager logs when it has all that its predecessor had. */
    private static final String PLANS = "ResourceManager \\S+: plans ";

    private static final Duration START = Duration.ofSeconds(600);

    private final Map<String, List<OutsideCluster>> candidates = new TreeMap<>();
    private final Map<OutsideCluster, Long> since = new java.util.IdentityHashMap<>();
    private final Path shared;

    private RoleProcesses(Path shared) {
        this.shared = shared;
    }

    static RoleProcesses start() throws Exception {
        Path shared = Files.createTempDirectory(
                Files.createDirectories(Path.of(System.getProperty("berth.outside"))), "shared-");
        RoleProcesses processes = new RoleProcesses(shared);
        try {
            processes.startAll();
        } catch (Exception | AssertionError failure) {
            processes.close();
            throw failure;
        }
        return processes;
    }

    private void startAll() throws Exception {
        List<Integer> ports = List.of(FreePorts.next(), FreePorts.next());
        String masters = "127.0.0.1:" + ports.get(0) + ",127.0.0.1:" + ports.get(1);
        for (int i = 0; i < 2; i++) {
            add(
                    DISPATCHER,
                    i,
                    List.of(
                            Setting.berth("core.rpc", "port", 0),
                            Setting.berth("core.dispatcher", "bundle.directory", shared.resolve("bundles"))));
            add(RESOURCE_MANAGER, i, resourceManager(ports.get(i), masters));
            add(
                    JOB_MASTERS,
                    i,
                    List.of(
                            Setting.berth("core.rpc", "port", 0),
                            Setting.berth("core.scheduler", "heartbeat.timeout.ms", TIMEOUT_MILLIS),
                            Setting.berth("core.scheduler", "slot.idle.timeout.ms", 1_000),
                            Setting.berth("core.scheduler", "rescale.stabilization.timeout.ms", 300),
                            Setting.berth("core.scheduler", "resource.stabilization.timeout.ms", 300)));
        }
        for (String role : ROLES) {
            awaitLeaderAndStandby(role, START);
        }
    }

    private void add(String role, int number, List<Setting> own) throws Exception {
        List<Setting> settings = new ArrayList<>(own);
        settings.add(Setting.berth("ha.file.election", "directory", shared.resolve("election")));
        settings.add(Setting.berth("ha.file.election", "lease.ms", TIMEOUT_MILLIS));
        settings.add(Setting.berth("ha.file", "directory", shared.resolve("metadata-of-" + role)));
        OutsideCluster process =
                OutsideCluster.role(role + "-" + (char) ('a' + number), "berth-role-" + role, settings);
        candidates.computeIfAbsent(role, first -> new ArrayList<>()).add(process);
        since.put(process, 0L);
    }

    private List<Setting> resourceManager(int port, String masters) {
        return List.of(
                Setting.berth("core.rpc", "port", port),
                Setting.berth("core.resources", "masters", masters),
                Setting.berth("core.resources", "worker.directory", shared.resolve("workers")),
                Setting.berth("core.resources", "worker.memory.overhead.mib", 128),
                Setting.berth("core.resources", "heartbeat.interval.ms", 500),
                Setting.berth("core.resources", "heartbeat.timeout.ms", TIMEOUT_MILLIS),
                // The allowed minimum: what workers need to notice the loss, derived from the heartbeats.
                Setting.berth("core.resources", "previous.workers.wait.ms", 1),
                Setting.berth("backend.local", "workers.min", WORKERS),
                Setting.berth("backend.local", "workers.max", WORKERS),
                Setting.berth("backend.local", "worker.cpu", SLOTS),
                Setting.berth("backend.local", "worker.memory", 64 * SLOTS + "m"),
                Setting.berth("backend.local", "exit.grace.ms", 8_000),
                Setting.berth("backend.local", "worker.slots", SLOTS));
    }

    Path shared() {
        return shared;
    }

    /** Epoch of its last grant, from its log; 0 when it never led. */
    private static long epoch(OutsideCluster process, String role) {
        try {
            Matcher grant = Pattern.compile("Role " + role + ": this process leads, epoch ([0-9]+)")
                    .matcher(process.loggedSince(0));
            long epoch = 0;
            while (grant.find()) {
                epoch = Long.parseLong(grant.group(1));
            }
            return epoch;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    OutsideCluster leader(String role) {
        return candidates.get(role).stream()
                .max(Comparator.comparingLong(process -> epoch(process, role)))
                .orElseThrow();
    }

    OutsideCluster standby(String role) {
        return candidates.get(role).stream()
                .min(Comparator.comparingLong(process -> epoch(process, role)))
                .orElseThrow();
    }

    /** Addresses of REST of all processes of a role, the leader last. */
    String addresses(String role) {
        return standby(role).address() + "," + leader(role).address();
    }

    /** A running one, where REST of the Dispatcher answers. */
    OutsideCluster rest() {
        return leader(DISPATCHER);
    }

    void awaitLeaderAndStandby(String role) throws Exception {
        awaitLeaderAndStandby(role, LIMIT);
    }

    private void awaitLeaderAndStandby(String role, Duration limit) throws Exception {
        Await.until(
                () -> "one leads and one is a standby as  " + role + ", see "
                        + candidates.get(role).stream()
                                .map(OutsideCluster::home)
                                .toList(),
                limit,
                () -> {
                    OutsideCluster leader = leader(role);
                    OutsideCluster standby = standby(role);
                    return leader != standby
                            && epoch(leader, role) > 0
                            && standby.loggedSince(since.get(standby))
                                    .contains("Role " + role + ": this process is a standby");
                });
    }

    /** Kills the leader, waits until the standby leads, and starts a replacement. */
    void kill(String... roles) throws Exception {
        List<OutsideCluster> heirs = new ArrayList<>();
        for (String role : roles) {
            heirs.add(standby(role));
            OutsideCluster dying = leader(role);
            dying.kill();
            since.put(dying, dying.logged());
            dying.launch();
        }
        for (int i = 0; i < roles.length; i++) {
            awaitLeads(roles[i], heirs.get(i));
        }
    }

    /**
     * The leading ResourceManager is lost and started again as the standby.
     *
     * @param inOrder whether it is stopped as an operator does it; else it is killed
     * @return milliseconds until the next one plans: from the kill, or from when the stop begins to end the role
     */
    long takeover(boolean inOrder) throws Exception {
        OutsideCluster heir = standby(RESOURCE_MANAGER);
        OutsideCluster before = leader(RESOURCE_MANAGER);
        long heirLogged = heir.logged();
        long logged = before.logged();
        long began = System.currentTimeMillis();
        if (inOrder) {
            before.stop();
            began = loggedAt(before, logged, "ResourceManager: this process stops")
                    .orElseThrow(() -> new AssertionError("no orderly end in the log of " + before.home()));
        } else {
            before.kill();
        }
        Await.until(
                () -> "a plan at " + heir.home(),
                LIMIT,
                () -> loggedAt(heir, heirLogged, PLANS).isPresent());
        long plans = loggedAt(heir, heirLogged, PLANS).orElseThrow();
        since.put(before, before.logged());
        before.launch();
        return plans - began;
    }

    /** When it was last logged, in milliseconds since 1970. */
    private static Optional<Long> loggedAt(OutsideCluster process, long from, String text) throws IOException {
        return process.loggedSince(from)
                .lines()
                .filter(line -> Pattern.compile(text).matcher(line).find())
                .reduce((one, later) -> later)
                .map(line -> LocalDateTime.parse(line.split(" ")[0].replace(',', '.'))
                        .atZone(ZoneId.systemDefault())
                        .toInstant()
                        .toEpochMilli());
    }

    /** Writes a file in etc of both processes of a role. */
    void configure(String role, String file, String text) throws IOException {
        for (OutsideCluster process : candidates.get(role)) {
            process.configure(file, text);
        }
    }

    void removeConfiguration(String role, String file) throws IOException {
        for (OutsideCluster process : candidates.get(role)) {
            process.removeConfiguration(file);
        }
    }

    /** A figure of a queue that the leading ResourceManager says, of cores; 0 while it says nothing. */
    double coresOf(String queue, String figure) throws Exception {
        String text =
                leader(RESOURCE_MANAGER).shell("berth:pool-info --json default").text();
        int json = text.indexOf('{');
        if (json < 0) {
            return 0;
        }
        for (JsonNode one : new ObjectMapper().readTree(text.substring(json)).path("queues")) {
            if (one.path("name").asText().equals(queue)) {
                return one.path(figure).path("cpu").asLong() / 1_000.0;
            }
        }
        return 0;
    }

    private void awaitLeads(String role, OutsideCluster heir) throws Exception {
        Await.until(() -> heir.home() + " leads as " + role, LIMIT, () -> leader(role) == heir);
    }

    /** What happens during the pause. */
    interface Meanwhile {
        void run() throws Exception;
    }

    /** Pauses the leaders for longer than the timeouts; the standbys lead, and the former leaders continue. */
    void pause(Meanwhile meanwhile, String... roles) throws Exception {
        long began = System.nanoTime();
        List<OutsideCluster> zombies = new ArrayList<>();
        List<OutsideCluster> heirs = new ArrayList<>();
        for (String role : roles) {
            zombies.add(leader(role));
            heirs.add(standby(role));
            since.put(leader(role), leader(role).logged());
            OutsideCluster.signal(leader(role).controlPlane(), "STOP");
        }
        try {
            for (int i = 0; i < roles.length; i++) {
                awaitLeads(roles[i], heirs.get(i));
            }
            meanwhile.run();
            awaitTimeout(began);
        } finally {
            for (OutsideCluster zombie : zombies) {
                OutsideCluster.signal(zombie.controlPlane(), "CONT");
            }
        }
        for (String role : roles) {
            awaitLeaderAndStandby(role);
        }
    }

    /** Waits until everybody has declared the paused process lost. */
    static void awaitTimeout(long began) throws Exception {
        long end = began + (TIMEOUT_MILLIS + 1_500) * 1_000_000;
        Await.until("time passes", LIMIT, () -> System.nanoTime() - end > 0);
    }

    /** All running worker processes, no matter what started them. */
    List<ProcessHandle> workers() {
        return candidates.get(RESOURCE_MANAGER).stream()
                .flatMap(process -> process.workers().stream())
                .toList();
    }

    /** All worker processes that were ever started, from the logs of the ResourceManagers: ids with numbers. */
    SortedSet<String> startedWorkers() throws IOException {
        SortedSet<String> started = new TreeSet<>();
        for (OutsideCluster process : candidates.get(RESOURCE_MANAGER)) {
            Matcher start =
                    Pattern.compile("worker (\\S+): process ([0-9]+) started").matcher(process.loggedSince(0));
            while (start.find()) {
                started.add(start.group(1) + " " + start.group(2));
            }
        }
        return started;
    }

    /** Details of a job; empty while no Dispatcher answers. */
    Optional<JsonNode> job(String id) throws InterruptedException {
        try {
            return Optional.of(rest().get("jobs/" + id));
        } catch (IOException | AssertionError notNow) {
            return Optional.empty();
        }
    }

    /** Waits until the job has finished; meanwhile, no slot may exist twice. */
    JsonNode finished(String id) throws Exception {
        JsonNode[] last = {null};
        Await.until(() -> "job " + id + " finished, but it is " + last[0], LIMIT, () -> {
            job(id).ifPresent(details -> last[0] = details);
            slots();
            if (last[0] == null) {
                return false;
            }
            String status = last[0].get("status").asText();
            if (List.of("Failed", "Canceled").contains(status)) {
                throw new AssertionError("job " + id + " should finish, but it is " + last[0]);
            }
            return status.equals("Finished");
        });
        return last[0];
    }

    /**
     * How many slots the ResourceManager counts; checks that none exists twice. Empty while no ResourceManager
     * answers.
     */
    Optional<Integer> slots() throws Exception {
        JsonNode slots;
        try {
            slots = rest().get("slots");
        } catch (IOException | AssertionError notNow) {
            return Optional.empty();
        }
        TreeSet<String> allocations = new TreeSet<>();
        Map<String, Integer> ofWorker = new TreeMap<>();
        for (JsonNode slot : slots) {
            if (!allocations.add(slot.get("allocation").asText())) {
                throw new AssertionError("an allocation exists twice: " + slots);
            }
            if (ofWorker.merge(slot.get("worker").asText(), 1, Integer::sum) > SLOTS) {
                throw new AssertionError("a worker has more slots than it has room for: " + slots);
            }
        }
        return Optional.of(slots.size());
    }

    /**
     * Waits until each role has a leader and a standby, exactly the expected workers are registered, and all slots are
     * free.
     */
    void awaitSettled() throws Exception {
        for (String role : ROLES) {
            awaitLeaderAndStandby(role);
        }
        Await.until(() -> WORKERS + " workers, but there are the processes " + workers(), LIMIT, () -> {
            try {
                return rest().get("status").path("workers").asInt() == WORKERS
                        && workers().size() == WORKERS;
            } catch (IOException | AssertionError notNow) {
                return false;
            }
        });
        Await.until(
                "all slots are free",
                LIMIT,
                () -> slots().filter(count -> count == 0).isPresent());
    }

    @Override
    public void close() throws Exception {
        for (List<OutsideCluster> all : candidates.values()) {
            for (OutsideCluster process : all) {
                process.close();
            }
        }
    }
}
