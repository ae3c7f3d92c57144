package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.itests.OutsideCluster.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.After;
import org.junit.Test;

/**
 * Each role in a process of its own, with a second candidate of one of them, elected by one folder: processes find each
 * other, and one that is killed is followed by the next.
 */
public class SeparateRolesIT {

  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final String MANAGER = "Role resource-manager: ";
  private static final String LEADS = "this process leads";
  private static final String STANDS_BY = "this process stands by";
  private static final long RATE = 1_000;
  private static final long RECORDS = 2 * RATE * 20;

  private final List<OutsideCluster> processes = new ArrayList<>();

  @After
  public void endAll() throws Exception {
    for (OutsideCluster process : processes) {
      process.close();
    }
  }

  private OutsideCluster role(String name, String feature, Path shared, List<Setting> own) throws Exception {
    List<Setting> settings = new ArrayList<>(own);
    settings.add(Setting.berth("ha.file.election", "directory", shared.resolve("election")));
    OutsideCluster process = OutsideCluster.role(name, feature, settings);
    processes.add(process);
    return process;
  }

  private static List<Setting> resourceManager(int port, String masters, Path shared) {
    return List.of(
        Setting.berth("core.rpc", "port", port),
        Setting.berth("core.resources", "masters", masters),
        Setting.berth("core.resources", "worker.directory", shared.resolve("workers")),
        Setting.berth("core.resources", "worker.memory.overhead.mib", 128),
        Setting.berth("core.resources", "heartbeat.interval.ms", 500),
        Setting.berth("core.resources", "heartbeat.timeout.ms", 5_000),
        Setting.berth("ha.file", "directory", shared.resolve("metadata-of-resource-managers")),
        Setting.berth("backend.local", "workers.min", 2),
        Setting.berth("backend.local", "workers.max", 2),
        Setting.berth("backend.local", "worker.cpu", 2),
        Setting.berth("backend.local", "worker.memory", "128m"),
        Setting.berth("backend.local", "worker.slots", 2));
  }

  @Test
  public void aStandbyResourceManagerTakesOverWhileAJobRunsOn() throws Exception {
    Path shared = Files.createTempDirectory(
        Files.createDirectories(Path.of(System.getProperty("berth.outside"))), "shared-");
    List<Integer> ports = List.of(BerthContainer.freePort(), BerthContainer.freePort());
    String masters = "127.0.0.1:" + ports.get(0) + ",127.0.0.1:" + ports.get(1);
    OutsideCluster dispatcher = role("dispatcher", "berth-role-dispatcher", shared,
        List.of(Setting.berth("core.rpc", "port", 0)));
    OutsideCluster jobMasters = role("job-masters", "berth-role-job-masters", shared,
        List.of(Setting.berth("core.rpc", "port", 0),
            Setting.berth("core.scheduler", "resource.stabilization.timeout.ms", 300)));
    OutsideCluster first = role("resource-manager-a", "berth-role-resource-manager", shared,
        resourceManager(ports.get(0), masters, shared));
    OutsideCluster second = role("resource-manager-b", "berth-role-resource-manager", shared,
        resourceManager(ports.get(1), masters, shared));
    jobMasters.awaitLog("Role job-masters: " + LEADS);
    Await.until(() -> "REST answers, see " + dispatcher.home(), LIMIT, dispatcher::restAnswers);
    Await.until("one ResourceManager leads, the other stands by", LIMIT, () ->
        first.hasLogged(MANAGER + LEADS) && second.hasLogged(MANAGER + STANDS_BY)
            || second.hasLogged(MANAGER + LEADS) && first.hasLogged(MANAGER + STANDS_BY));
    OutsideCluster leader = first.hasLogged(MANAGER + LEADS) ? first : second;
    OutsideCluster standby = leader == first ? second : first;
    dispatcher.workers(2, LIMIT);
    assertEquals("the leader's backend started them", 2, leader.workers().size());

    String bundle = dispatcher.bundle(BerthContainer.file("berth.sequence.jar").toPath());
    Path output = shared.resolve("numbers");
    String job = dispatcher.submit(Jobs.sequenceToFiles("steady", bundle, RECORDS, RATE, 2, 2, output));
    dispatcher.running(job, LIMIT);

    leader.kill();
    standby.awaitLog(MANAGER + LEADS);
    Await.until("both workers registered with the next ResourceManager", LIMIT,
        () -> dispatcher.get("status").path("workers").asInt() == 2);
    assertTrue("started no worker in the place of one that lives: " + standby.workers(), standby.workers().isEmpty());
    String after = dispatcher.submit(Jobs.sequence("after", bundle, 2_000, 0, 2, 2));
    assertUnharmed(dispatcher.finished(after, LIMIT));
    assertUnharmed(dispatcher.finished(job, LIMIT));
    assertEquals(RECORDS, distinctNumbers(output));
  }

  private static void assertUnharmed(JsonNode details) {
    assertEquals(details.toString(), 0, details.get("restarts").asInt());
  }

  /** Each number from 0 to the last, once. */
  private static long distinctNumbers(Path output) throws IOException {
    BitSet seen = new BitSet();
    for (String file : Cluster.files(output)) {
      for (String line : Files.readAllLines(output.resolve(file))) {
        int number = Integer.parseInt(line);
        assertTrue("number " + number + " is there twice, or too large", !seen.get(number) && number < RECORDS);
        seen.set(number);
      }
    }
    return seen.cardinality();
  }
}
