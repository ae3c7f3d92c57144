package io.berth.simulator.world;

import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.Trace;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.time.VirtualTime.What;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * The leaders of the roles. Epochs of a role only rise. An honest election grants again only when the previous leader
 * was revoked or is dead. It can be made to grant earlier, so that two lead at once, and to notify the former leader
 * late.
 */
public final class Election {

    /** A dead leader is noticed after this time at the latest, and after a tenth of it at the earliest. */
    static final long NOTICED_NANOS = 5 * VirtualTime.SECOND;

    private static final long TOLD_SPREAD_NANOS = 200 * VirtualTime.MILLI;

    /** Leads when it is granted; called in events of its process. */
    interface Candidate {
        void granted(long epoch);

        void revoked(String cause);
    }

    /** The last leader. */
    public record Leader(EndpointName role, long epoch, RpcAddress address, Incarnation process) {}

    private static final class Competing {
        private final Incarnation process;
        private final RpcAddress address;
        private final Candidate candidate;
        private boolean leads;
        private long epoch;

        Competing(Incarnation process, RpcAddress address, Candidate candidate) {
            this.process = process;
            this.address = address;
            this.candidate = candidate;
        }
    }

    private static final class Role {
        private final List<Competing> candidates = new ArrayList<>();
        private Optional<Leader> leader = Optional.empty();
        private long epoch;
        private boolean electing;
    }

    private final VirtualTime time;
    private final Incarnation world;
    private final Trace trace;
    private final RandomGenerator random;
    private final SortedMap<EndpointName, Role> roles = new TreeMap<>();
    private final List<Directory> directories = new ArrayList<>();
    private final Runnable changed;

    /** @param changed runs when a role has another leader */
    Election(VirtualTime time, Incarnation world, Trace trace, RandomGenerator random, Runnable changed) {
        this.time = time;
        this.world = world;
        this.trace = trace;
        this.random = random;
        this.changed = changed;
    }

    private Role role(EndpointName name) {
        return roles.computeIfAbsent(name, none -> new Role());
    }

    /** The leader of the role as the election knows it. A dead one counts until its death is noticed. */
    public Optional<Leader> leader(EndpointName name) {
        return role(name).leader;
    }

    void compete(EndpointName name, Incarnation process, RpcAddress address, Candidate candidate) {
        role(name).candidates.add(new Competing(process, address, candidate));
        if (role(name).leader.isEmpty()) {
            elect(name, random.nextLong(300 * VirtualTime.MILLI));
        }
    }

    /** A process is dead: another one leads its roles after some time. */
    void gone(Incarnation process) {
        directories.removeIf(directory -> directory.process() == process);
        roles.forEach((name, role) -> {
            role.candidates.removeIf(competing -> competing.process == process);
            if (role.leader.filter(leader -> leader.process() == process).isPresent()) {
                elect(name, NOTICED_NANOS / 10 + random.nextLong(NOTICED_NANOS));
            }
        });
    }

    private void elect(EndpointName name, long delayNanos) {
        Role role = role(name);
        if (role.electing) {
            return;
        }
        role.electing = true;
        time.in(delayNanos, What.WORLD, world, () -> {
            role.electing = false;
            List<Competing> able = role.candidates.stream()
                    .filter(competing -> !competing.leads)
                    .toList();
            boolean led = role.candidates.stream()
                    .anyMatch(competing -> competing.leads
                            && role.leader
                                    .filter(leader -> leader.process() == competing.process)
                                    .isPresent());
            if (!led && !able.isEmpty()) {
                grant(name, role, able.get(random.nextInt(able.size())));
            } else if (!led) {
                role.leader = Optional.empty();
            }
        });
    }

    private void grant(EndpointName name, Role role, Competing next) {
        long epoch = ++role.epoch;
        next.leads = true;
        next.epoch = epoch;
        role.leader = Optional.of(new Leader(name, epoch, next.address, next.process));
        trace.log(name + " is led by " + next.process + " in epoch " + epoch);
        next.process.in(random.nextLong(5 * VirtualTime.MILLI), What.WORLD, () -> {
            if (next.leads && next.epoch == epoch) {
                next.candidate.granted(epoch);
            }
        });
        directories.forEach(directory -> announce(directory, name, role));
        changed.run();
    }

    private void announce(Directory directory, EndpointName name, Role role) {
        long epoch = role.epoch;
        role.leader.ifPresent(leader -> directory
                .process()
                .in(
                        random.nextLong(TOLD_SPREAD_NANOS),
                        What.WORLD,
                        () -> directory.changed(name, epoch, leader.address())));
    }

    private void revoke(EndpointName name, Competing leader, String cause, long delayNanos) {
        long epoch = leader.epoch;
        leader.process.in(delayNanos, What.WORLD, () -> {
            if (leader.leads && leader.epoch == epoch) {
                leader.leads = false;
                trace.log(name + ": " + leader.process + " no longer leads:  " + cause);
                leader.candidate.revoked(cause);
                if (role(name)
                        .leader
                        .filter(now -> now.process() == leader.process)
                        .isPresent()) {
                    role(name).leader = Optional.empty();
                    elect(name, 1);
                }
            }
        });
    }

    /** The process ends what it leads, and competes again. */
    void giveUp(EndpointName name, Incarnation process, String cause) {
        leading(role(name))
                .filter(leader -> leader.process == process)
                .ifPresent(leader -> revoke(name, leader, cause, 0));
    }

    private Optional<Competing> leading(Role role) {
        return role.leader.flatMap(leader -> role.candidates.stream()
                .filter(competing -> competing.leads && competing.process == leader.process())
                .findFirst());
    }

    /**
     * Another candidate leads from now on, and the previous leader learns it late. If there is no other candidate, the
     * same one leads again.
     */
    public void depose(EndpointName name, long toldAfterNanos) {
        Role role = role(name);
        Optional<Competing> before = leading(role);
        List<Competing> others =
                role.candidates.stream().filter(competing -> !competing.leads).toList();
        if (before.isEmpty()) {
            return;
        }
        if (others.isEmpty()) {
            revoke(name, before.get(), "the lease ran out", random.nextLong(10 * VirtualTime.MILLI));
        } else {
            grant(name, role, others.get(random.nextInt(others.size())));
            revoke(name, before.get(), "another one leads", toldAfterNanos);
        }
    }

    /** What one process knows about leaders. */
    Directory directory(Incarnation process) {
        Directory directory = new Directory(process);
        directories.add(directory);
        roles.forEach((name, role) -> announce(directory, name, role));
        return directory;
    }
}
