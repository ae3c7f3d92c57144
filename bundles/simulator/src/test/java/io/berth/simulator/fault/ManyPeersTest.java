package io.berth.simulator.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.time.SystemClock;
import io.berth.simulator.network.Coverage;
import io.berth.simulator.network.MessageKinds;
import io.berth.simulator.recovery.Convergence;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.world.Worker;
import io.berth.simulator.world.World;
import io.berth.spi.JobId;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * F29: many workers register within a second, many jobs declare within a second, and half of the workers vanish at
 * once. No living process is declared lost, requests are served within the bound, and no retry causes more work than
 * its cause. The control plane takes 40 µs for each action of a main thread.
 *
 * <p>{@code -Dberth.peers=10000} plays that many workers instead of a thousand, and jobs of four slots; it takes a
 * minute.
 */
class ManyPeersTest {

    private static final World.Shape SHAPE = new World.Shape(1, false, 0, 0, 0, false);
    /** Length of a turn of a main thread. With so many peers a turn runs 64 actions, 40 µs each. */
    private static final long TURN_NANOS = 5 * VirtualTime.MILLI;

    private static final long SEED = 1;
    private static final long STEP_NANOS = 100 * VirtualTime.MILLI;
    private static final long REST_NANOS = 30 * VirtualTime.SECOND;
    private static final String REGISTER_WORKER = "ResourceManager/RegisterWorker";
    private static final String REGISTER_JOBMASTER = "ResourceManager/RegisterJobMaster";
    private static final String DECLARE = "ResourceManager/DeclareRequirements";

    private final SystemClock clock = new SystemClock();

    /** One world and its load. */
    private final class Crowd {

        private final int workers;
        private final int jobs;
        private final int parallelism;
        private final Coverage coverage;
        private final World world;
        private final long start = clock.millis();

        Crowd(int workers, int jobs, int parallelism) {
            this.workers = workers;
            this.jobs = jobs;
            this.parallelism = parallelism;
            MessageKinds kinds = new MessageKinds();
            coverage = new Coverage(kinds);
            world = new World(SEED, SHAPE, Scene.TUNING, Optional.empty(), coverage, kinds);
            world.crowded(true);
            world.living().forEach(process -> process.lag(TURN_NANOS));
            world.runFor(5 * VirtualTime.SECOND);
        }

        void play() {
            workersRegister();
            jobsDeclare();
            halfOfTheWorkersVanish();
        }

        private void workersRegister() {
            world.join(workers);
            world.runFor(VirtualTime.SECOND);
            assertThat(coverage.sent(REGISTER_WORKER))
                    .as("registrations within a second")
                    .isGreaterThanOrEqualTo(workers);
            Convergence.Look look = settles("workers register");
            assertThat(look.registrations()).hasSize(workers);
            assertThat(coverage.sent(REGISTER_WORKER))
                    .as("registrations, with those repeated")
                    .isLessThan(4L * workers);
            rests(look);
        }

        private void jobsDeclare() {
            for (int index = 1; index <= jobs; index++) {
                JobId id = new JobId("job-" + index);
                world.jobs.submit(Scene.graph(id, index, parallelism, 10, 1_000));
            }
            while (coverage.sent(DECLARE) == 0) {
                world.runFor(STEP_NANOS);
            }
            world.runFor(VirtualTime.SECOND);
            assertThat(coverage.sent(DECLARE))
                    .as("declarations within a second")
                    .isGreaterThanOrEqualTo(jobs);
            Convergence.Look look = settles("jobs declare");
            assertThat(look.restarts())
                    .hasSize(jobs)
                    .allSatisfy((job, restarts) -> assertThat(restarts).isZero());
            assertThat(coverage.sent(REGISTER_JOBMASTER))
                    .as("registrations of JobMasters")
                    .isLessThan(4L * jobs);
            rests(look);
        }

        private void halfOfTheWorkersVanish() {
            Convergence.Look before = Convergence.at(world);
            long jobMasters = coverage.sent(REGISTER_JOBMASTER);
            long registrations = coverage.sent(REGISTER_WORKER);
            List<Worker> all = world.workers();
            SortedSet<JobId> struck = new TreeSet<>();
            for (int index = 0; index < all.size(); index += 2) {
                Worker worker = all.get(index);
                worker.slots().orElseThrow().slots().forEach(slot -> struck.add(slot.job()));
                worker.kill("it vanishes with half of all");
            }
            assertThat(struck).isNotEmpty();
            world.runFor(STEP_NANOS);

            Convergence.Look look = settles("half of the workers vanish, " + struck.size() + " jobs with them");

            assertThat(look.registrations()).hasSize(workers - (workers + 1) / 2);
            look.registrations()
                    .forEach((worker, since) -> assertThat(since)
                            .as("registration of %s", worker)
                            .isEqualTo(before.registrations().get(worker)));
            look.restarts()
                    .forEach((job, restarts) ->
                            assertThat(restarts).as("restarts of %s", job).isEqualTo(struck.contains(job) ? 1 : 0));
            rests(look);
            assertThat(coverage.sent(REGISTER_JOBMASTER))
                    .as("registrations of JobMasters")
                    .isEqualTo(jobMasters);
            assertThat(coverage.sent(REGISTER_WORKER))
                    .as("registrations of workers")
                    .isEqualTo(registrations);
            assertThat(coverage.sent("JobMaster/DisconnectResourceManager"))
                    .as("JobMasters given up")
                    .isZero();
            assertThat(coverage.sent("TaskExecutor/DisconnectResourceManager"))
                    .as("workers given up")
                    .isLessThanOrEqualTo((workers + 1) / 2);
        }

        private Convergence.Look settles(String what) {
            long bound = 3 * world.tuning.largest() * VirtualTime.MILLI;
            long since = world.time.now();
            Convergence.Look look = Convergence.at(world);
            while (!look.problems().isEmpty() && world.time.now() - since < bound) {
                world.runFor(STEP_NANOS);
                look = Convergence.at(world);
            }
            assertThat(look.problems().stream().limit(5)).as(what).isEmpty();
            System.out.printf(
                    "F29: %d workers, %d jobs: %s: all is well after %.1f s; %d events so far, in %.1f s%n",
                    workers,
                    jobs,
                    what,
                    (world.time.now() - since) / (double) VirtualTime.SECOND,
                    world.time.happened(),
                    (clock.millis() - start) / 1_000.0);
            return look;
        }

        private void rests(Convergence.Look before) {
            world.runFor(REST_NANOS);
            Convergence.Look after = Convergence.at(world);
            assertThat(after.problems()).isEmpty();
            assertThat(after.agrees(before)).as("nobody who lives is lost").isTrue();
        }
    }

    @Test
    void f29_twoHundredWorkersAndAsManyJobs() {
        new Crowd(200, 200, 1).play();
    }

    @Test
    void f29_aThousandWorkersOrTheConfiguredNumberAndAThousandJobs() {
        int peers = Integer.getInteger("berth.peers");
        new Crowd(peers, 1_000, Math.max(1, peers / 2_500)).play();
    }
}
