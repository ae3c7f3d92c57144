package io.berth.core.rpc;

import io.berth.core.api.BundleRef;
import io.berth.core.api.FencingToken;
import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.ClusterQuery;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.PlacementConstraints.LabelRule;
import io.berth.core.api.job.PlacementConstraints.Operator;
import io.berth.core.api.job.PlacementConstraints.Preference;
import io.berth.core.api.job.PlacementConstraints.Spread;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.lang.reflect.Array;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/** Random values of every type in messages, derived from the records, so that new components are covered too. */
final class Samples {

    private final Random random;

    Samples(long seed) {
        random = new Random(seed);
    }

    Object of(Type type) throws ReflectiveOperationException {
        if (type instanceof ParameterizedType generic) {
            return collection(generic);
        }
        Class<?> raw = (Class<?>) type;
        if (raw == String.class) {
            return text();
        }
        if (raw == int.class || raw == Integer.class) {
            return random.nextInt();
        }
        if (raw == long.class || raw == Long.class) {
            return random.nextLong();
        }
        if (raw == double.class || raw == Double.class) {
            return random.nextDouble();
        }
        if (raw == boolean.class || raw == Boolean.class) {
            return random.nextBoolean();
        }
        if (raw == byte[].class) {
            byte[] bytes = new byte[random.nextInt(20)];
            random.nextBytes(bytes);
            return bytes;
        }
        if (raw.isEnum()) {
            return Array.get(raw.getMethod("values").invoke(null), random.nextInt(raw.getEnumConstants().length));
        }
        if (raw.isSealed()) {
            Class<?>[] kinds = raw.getPermittedSubclasses();
            return of(kinds[random.nextInt(kinds.length)]);
        }
        return value(raw);
    }

    private Object collection(ParameterizedType generic) throws ReflectiveOperationException {
        Type[] arguments = generic.getActualTypeArguments();
        if (generic.getRawType() == List.class) {
            List<Object> list = new ArrayList<>();
            for (int left = random.nextInt(4); left > 0; left--) {
                list.add(of(arguments[0]));
            }
            return List.copyOf(list);
        }
        if (generic.getRawType() == Optional.class) {
            return random.nextBoolean() ? Optional.of(of(arguments[0])) : Optional.empty();
        }
        if (generic.getRawType() == SortedMap.class) {
            SortedMap<Object, Object> map = new TreeMap<>();
            for (int left = random.nextInt(4); left > 0; left--) {
                map.put(of(arguments[0]), of(arguments[1]));
            }
            return map;
        }
        throw new IllegalArgumentException("no samples of " + generic);
    }

    private Object value(Class<?> type) throws ReflectiveOperationException {
        if (type == JobId.class) {
            return new JobId("job-" + random.nextInt(1_000));
        }
        if (type == WorkerId.class) {
            return new WorkerId("Worker_" + random.nextInt(1_000) + ".a");
        }
        if (type == RpcAddress.class) {
            return new RpcAddress("host-" + random.nextInt(10), 1 + random.nextInt(65_535));
        }
        if (type == ClusterQuery.class) {
            return new ClusterQuery(
                    Optional.of(new WorkerId("w" + random.nextInt(9))), random.nextInt(9), random.nextInt(9));
        }
        if (type == UUID.class) {
            return new UUID(random.nextLong(), random.nextLong());
        }
        if (type == BundleRef.class) {
            return new BundleRef(String.format("%016x", random.nextLong()).repeat(4), random.nextInt(1_000_000));
        }
        if (type == ResourceProfile.class) {
            return random.nextInt(4) == 0 ? ResourceProfile.UNKNOWN : profile();
        }
        if (type == Reason.class) {
            return reason(1 + random.nextInt(Reason.MAX_LEVELS));
        }
        if (type == PlacementConstraints.class) {
            return constraints();
        }
        if (!type.isRecord()) {
            throw new IllegalArgumentException("no samples of " + type);
        }
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int at = 0; at < components.length; at++) {
            types[at] = components[at].getType();
            values[at] = of(components[at].getGenericType());
        }
        var constructor = type.getDeclaredConstructor(types);
        return constructor.newInstance(values);
    }

    private Reason reason(int levels) {
        List<Reason> causes = new ArrayList<>();
        for (int left = levels == 1 ? 0 : random.nextInt(4); left > 0; left--) {
            causes.add(reason(levels - 1));
        }
        ReasonCode[] codes = ReasonCode.values();
        return new Reason(codes[random.nextInt(codes.length)], random.nextInt(), text(), causes);
    }

    private PlacementConstraints constraints() {
        List<LabelRule> require = new ArrayList<>();
        List<Preference> prefer = new ArrayList<>();
        SortedMap<String, String> tolerate = new TreeMap<>();
        for (int left = random.nextInt(3); left > 0; left--) {
            require.add(rule());
            prefer.add(new Preference(rule(), 1 + random.nextInt(PlacementConstraints.MAX_WEIGHT)));
            tolerate.put("taint-" + random.nextInt(9), random.nextBoolean() ? "" : "value-" + random.nextInt(9));
        }
        return new PlacementConstraints(
                require,
                prefer,
                tolerate,
                random.nextBoolean()
                        ? Optional.empty()
                        : Optional.of(new Spread("zone-" + random.nextInt(9), 1 + random.nextInt(9))));
    }

    private LabelRule rule() {
        Operator operator = Operator.values()[random.nextInt(Operator.values().length)];
        List<String> values = switch (operator) {
            case EXISTS -> List.of();
            case GREATER -> List.of(random.nextInt() + ".5");
            default -> List.of("Zürich", "value-" + random.nextInt(9));
        };
        return new LabelRule("key-" + random.nextInt(9), operator, values);
    }

    private ResourceProfile profile() {
        SortedMap<String, Long> extended = new TreeMap<>();
        if (random.nextBoolean()) {
            extended.put("gpu-" + random.nextInt(3), 1L + random.nextInt(8));
        }
        return new ResourceProfile(
                random.nextInt(64_000), random.nextLong() >>> 1, random.nextLong() >>> 1, random.nextInt(99), extended);
    }

    private String text() {
        return switch (random.nextInt(4)) {
            case 0 -> "";
            case 1 -> "Zürich → 東京 \n\u0000 " + random.nextInt();
            default -> "text-" + random.nextInt(10_000);
        };
    }

    static FencingToken token(long epoch) {
        return new FencingToken(epoch, new UUID(epoch, 7));
    }

    static final JobId JOB = new JobId("word-count-1");
    static final ResourceManagerId RESOURCE_MANAGER = new ResourceManagerId(token(3));
    static final JobMasterId JOB_MASTER = new JobMasterId(token(4));
    static final WorkerSessionId SESSION = new WorkerSessionId(token(5));
    static final InstanceId INSTANCE = new InstanceId(9);

    static EndpointRef endpoint(RpcService rpc, EndpointName name, long epoch) {
        return new EndpointRef(rpc.address(), name, token(epoch));
    }
}
