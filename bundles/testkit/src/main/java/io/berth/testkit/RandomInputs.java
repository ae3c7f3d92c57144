package io.berth.testkit;

import io.berth.spi.ResourceProfile;
import io.berth.spi.backend.WorkerSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/** Random inputs for the contracts. */
final class RandomInputs {

    private RandomInputs() {}

    static ArrayWorkersView workers(Random random) {
        ArrayWorkersView workers = new ArrayWorkersView();
        int count = random.nextInt(8);
        for (int index = 0; index < count; index++) {
            workers.put(index, total(random), random.nextInt(4) == 0);
            relabel(random, workers, index);
            if (random.nextBoolean()) {
                workers.take(index, 0, random.nextInt(1 + (int) workers.free(index, 0)));
            }
        }
        if (count > 2 && random.nextInt(3) == 0) {
            workers.remove(random.nextInt(count));
        }
        for (int spec = random.nextInt(3); spec > 0; spec--) {
            workers.spec(spec(random, "spec-" + spec), random.nextInt(4));
        }
        return workers;
    }

    private static WorkerSpec spec(Random random, String name) {
        WorkerSpec.Builder spec = WorkerSpec.of(name, total(random))
                .defaultSlots(1 + random.nextInt(4))
                .costPerHour(random.nextInt(4));
        if (random.nextBoolean()) {
            spec.label("zone", "z" + random.nextInt(3));
        }
        if (random.nextInt(12) == 0) {
            spec.taint("dedicated", "yes");
        }
        return spec.build();
    }

    /** Labels and sometimes a taint, also of a worker that is there already. */
    private static void relabel(Random random, ArrayWorkersView workers, int index) {
        if (random.nextInt(3) == 0) {
            workers.label(index, "zone", "z" + random.nextInt(3));
        }
        if (random.nextInt(12) == 0) {
            workers.taint(index, "dedicated", "yes");
        }
        if (random.nextInt(3) == 0) {
            workers.costPerHour(index, random.nextInt(4));
        }
    }

    /** Most entries have no constraints. */
    private static void constrain(Random random, ArrayWorkersView workers, ArrayAdmittedView admitted) {
        if (random.nextInt(4) == 0) {
            admitted.requiring("zone", "z" + random.nextInt(3));
        }
        if (random.nextInt(6) == 0) {
            admitted.tolerating("dedicated");
        }
        if (random.nextInt(4) == 0) {
            admitted.preferring("zone", "z" + random.nextInt(3), 1 + random.nextInt(9));
        }
        if (random.nextInt(6) == 0) {
            admitted.spreadOver("zone", 1 + random.nextInt(2));
            for (int worker = 0; worker < workers.limit() && random.nextBoolean(); worker++) {
                admitted.havingSlotsOn(worker, random.nextInt(3));
            }
        }
        if (random.nextInt(6) == 0 && workers.limit() > 0) {
            admitted.ranOn(random.nextInt(workers.limit()));
        }
    }

    /** What all entries of a job have in common. */
    private static void describe(boolean described, int of, ArrayAdmittedView admitted) {
        if (described) {
            admitted.withPriority(of % 3).inQueue("q" + of % 2).labeled("team", "t" + of / 3);
        }
    }

    private static ResourceProfile total(Random random) {
        TreeMap<String, Long> extended = new TreeMap<>();
        if (random.nextInt(4) == 0) {
            extended.putAll(Map.of("gpu", 1L + random.nextInt(3)));
        }
        return new ResourceProfile(1_000L * (1 + random.nextInt(8)), 100L * (1 + random.nextInt(8)), 0, 0, extended);
    }

    private static ResourceProfile slot(Random random) {
        if (random.nextInt(8) == 0) {
            return ResourceProfile.UNKNOWN;
        }
        TreeMap<String, Long> extended = new TreeMap<>();
        if (random.nextInt(8) == 0) {
            extended.put("gpu", 1L);
        }
        return new ResourceProfile(500L * (1 + random.nextInt(4)), 50L * random.nextInt(4), 0, 0, extended);
    }

    static ArrayAdmittedView admitted(Random random, ArrayWorkersView workers) {
        ArrayAdmittedView admitted = new ArrayAdmittedView(workers);
        List<ResourceProfile> profiles = List.of(slot(random), slot(random), slot(random));
        int gang = 0;
        for (int item = random.nextInt(8); item > 0; item--) {
            String job = "job-" + item;
            boolean described = random.nextInt(6) == 0;
            int of = random.nextInt(6);
            if (random.nextBoolean()) {
                admitted.add(job, profiles.get(random.nextInt(3)), 1 + random.nextInt(8));
                describe(described, of, admitted);
                constrain(random, workers, admitted);
                if (admitted.size() > 1 && random.nextInt(4) == 0) {
                    admitted.sameRank();
                }
            } else {
                for (int entry = random.nextInt(3); entry >= 0; entry--) {
                    admitted.add(job, profiles.get(random.nextInt(3)), 1 + random.nextInt(5), gang);
                    describe(described, of, admitted);
                    constrain(random, workers, admitted);
                }
                gang++;
            }
        }
        return admitted;
    }

    /** Several hundred workers; few of them have much left. */
    static ArrayWorkersView largePool(Random random) {
        ArrayWorkersView workers = new ArrayWorkersView();
        for (int index = 0; index < 300; index++) {
            change(random, workers, index);
        }
        workers.spec(ResourceProfile.of(8_000, 800), 3);
        return workers;
    }

    static int[] manyChanges(Random random, ArrayWorkersView workers) {
        TreeSet<Integer> changed = new TreeSet<>();
        for (int count = random.nextInt(10) == 0 ? 280 : random.nextInt(6); count > 0; count--) {
            int index = random.nextInt(Math.min(320, workers.limit() + 1));
            if (workers.present(index) && random.nextInt(8) == 0) {
                workers.remove(index);
            } else {
                change(random, workers, index);
            }
            changed.add(index);
        }
        return changed.stream().mapToInt(Integer::intValue).toArray();
    }

    private static void change(Random random, ArrayWorkersView workers, int index) {
        workers.put(index, total(random), random.nextInt(10) == 0);
        relabel(random, workers, index);
        long free = random.nextInt(5) == 0 ? workers.free(index, 0) : random.nextInt(700);
        workers.take(index, 0, Math.max(0, workers.free(index, 0) - free));
    }

    /** A selection of a few profiles, so that each is requested from time to time. */
    static ArrayAdmittedView largeDemands(Random random, ArrayWorkersView workers) {
        ArrayAdmittedView admitted = new ArrayAdmittedView(workers);
        for (int item = 1 + random.nextInt(3); item > 0; item--) {
            ResourceProfile profile = ResourceProfile.of(400L * (1 + random.nextInt(12)), 50L * random.nextInt(3));
            admitted.add("job-" + item, profile, 1 + random.nextInt(40), random.nextInt(3) == 0 ? item : -1);
            constrain(random, workers, admitted);
        }
        return admitted;
    }

    /** Workers join, leave and change. */
    static int[] change(Random random, ArrayWorkersView workers) {
        TreeSet<Integer> changed = new TreeSet<>();
        for (int step = random.nextInt(4); step > 0; step--) {
            int index = random.nextInt(workers.limit() + 1);
            changed.add(index);
            if (!workers.present(index)) {
                workers.put(index, total(random), random.nextInt(4) == 0);
                relabel(random, workers, index);
            } else if (random.nextInt(6) == 0) {
                relabel(random, workers, index);
            } else if (random.nextInt(3) == 0) {
                workers.remove(index);
            } else {
                workers.put(index, total(random), random.nextInt(4) == 0);
                workers.take(index, 0, random.nextInt(1 + (int) workers.free(index, 0)));
            }
        }
        return changed.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Takes what was placed on existing workers from them. */
    static int[] commit(ArrayWorkersView workers, ArrayAdmittedView admitted, RecordedPlacement plan) {
        TreeSet<Integer> changed = new TreeSet<>();
        for (RecordedPlacement.Run run : plan.runs()) {
            if (workers.present(run.worker())) {
                changed.add(run.worker());
                for (int dimension = 0; dimension < workers.dimensions(); dimension++) {
                    workers.take(
                            run.worker(), dimension, admitted.need(run.entry(), run.worker(), dimension) * run.count());
                }
            }
        }
        return changed.stream().mapToInt(Integer::intValue).toArray();
    }

    static ArrayAssignmentView assignment(Random random) {
        ArrayAssignmentView input = new ArrayAssignmentView(random.nextBoolean());
        int requirements = random.nextInt(4);
        for (int index = 0; index < requirements; index++) {
            input.requirement(ResourceProfile.of(1_000L * (1 + random.nextInt(3)), 1), random.nextInt(4));
        }
        for (int slots = random.nextInt(10); slots > 0; slots--) {
            input.slot(
                    ResourceProfile.of(1_000L * (1 + random.nextInt(3)), 1),
                    "w" + random.nextInt(3),
                    random.nextInt(requirements + 1) - 1);
        }
        return input;
    }

    /** Size of a maximum matching, found by trying all places of each requirement. */
    static int mostAssignable(ArrayAssignmentView input) {
        List<Integer> places = new ArrayList<>();
        for (int requirement = 0; requirement < input.requirements(); requirement++) {
            for (int place = 0; place < input.count(requirement); place++) {
                places.add(requirement);
            }
        }
        int[] slotOfPlace = new int[places.size()];
        Arrays.fill(slotOfPlace, -1);
        int matched = 0;
        for (int slot = 0; slot < input.slots(); slot++) {
            if (augment(input, places, slot, slotOfPlace, new boolean[places.size()])) {
                matched++;
            }
        }
        return matched;
    }

    private static boolean augment(
            ArrayAssignmentView input, List<Integer> places, int slot, int[] slotOfPlace, boolean[] seen) {
        for (int place = 0; place < slotOfPlace.length; place++) {
            if (!seen[place] && input.accepts(places.get(place), slot)) {
                seen[place] = true;
                if (slotOfPlace[place] < 0 || augment(input, places, slotOfPlace[place], slotOfPlace, seen)) {
                    slotOfPlace[place] = slot;
                    return true;
                }
            }
        }
        return false;
    }
}
