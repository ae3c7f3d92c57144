package io.berth.testcluster;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.KeyedProcess;
import io.berth.dataflow.api.Keying;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.ProcessOperator;
import io.berth.dataflow.api.Serializer;
import io.berth.dataflow.api.StreamOperator;
import io.berth.dataflow.api.connect.SideOutput;
import io.berth.dataflow.api.connect.SideOutputFactory;
import io.berth.runtime.dataflow.state.KeyedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs a {@link ProcessOperator} or {@link KeyedProcess} in a unit test, without a cluster: one task, opened, with the keyed
 * state that workers have. What the operator emits is copied by the serializers of its factory and kept. Confined to the thread of
 * the test.
 *
 * <pre>{@code
 * try (OperatorHarness<Text, Visit> parser = OperatorHarness.of(new ParseVisit())) {
 *     parser.process(Text.of("2026-03-01T08:00:00Z /home 12"));
 *     assertEquals("/home", parser.output().get(0).page());
 * }
 * }</pre>
 *
 * @param <I> the input of the operator
 * @param <O> the output of the operator
 */
public final class OperatorHarness<I, O> implements AutoCloseable {

    private static final int KEY_GROUPS = 128;

    private final StreamOperator operator;
    private final HarnessContext context = new HarnessContext(KEY_GROUPS);
    private final List<O> output = new ArrayList<>();
    private final Map<String, List<Object>> sideOutputs = new TreeMap<>();
    private Call<I> process = record -> {};
    private Call<Collector<O>> end = out -> {};
    private Collector<O> out = output::add;

    private interface Call<T> {
        void on(T value) throws Exception;
    }

    private OperatorHarness(StreamOperator operator) {
        this.operator = operator;
    }

    /** An opened operator without configuration. */
    public static <I, O> OperatorHarness<I, O> of(OperatorFactory<I, O> factory) throws Exception {
        return of(factory, Map.of());
    }

    /**
     * An opened operator.
     *
     * @param configuration as a job description has it for the vertex
     * @throws io.berth.dataflow.api.ConfigurationException when the factory refuses the configuration
     * @throws IllegalArgumentException when the factory creates another kind of operator, or a keyed one without its keying
     */
    public static <I, O> OperatorHarness<I, O> of(OperatorFactory<I, O> factory, Map<String, String> configuration)
            throws Exception {
        Configuration given = new Configuration("harness", configuration);
        OperatorHarness<I, O> harness = new OperatorHarness<>(factory.create(given));
        factory.outputSerializer(given).ifPresent(serializer -> harness.out = keeps(serializer, harness.output));
        if (factory instanceof SideOutputFactory<I, O> sides) {
            sides.sideOutputs(given).forEach(harness::add);
        }
        try {
            harness.open(factory, given);
        } catch (Exception | Error failure) {
            try {
                harness.close();
            } catch (Exception ofClosing) {
                failure.addSuppressed(ofClosing);
            }
            throw failure;
        }
        return harness;
    }

    private static <T> Collector<T> keeps(Serializer<T> serializer, List<? super T> kept) {
        return record -> kept.add(serializer.copy(record));
    }

    private <T> void add(SideOutput<T> side) {
        List<Object> kept = new ArrayList<>();
        sideOutputs.put(side.name(), kept);
        context.sideOutput(side.name(), keeps(side.serializer().get(), kept));
    }

    @SuppressWarnings("unchecked")
    private void open(OperatorFactory<I, O> factory, Configuration given) throws Exception {
        if (operator instanceof ProcessOperator<?, ?> any) {
            ProcessOperator<I, O> plain = (ProcessOperator<I, O>) any;
            process = record -> plain.process(record, out);
            end = plain::endOfInput;
            plain.open(context);
        } else if (operator instanceof KeyedProcess<?, ?, ?> any) {
            Keying<Object, I> keying = (Keying<Object, I>) factory.keying(given)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "the operator is a KeyedProcess and its factory has no keying: override keying"));
            KeyedProcess<Object, I, O> keyed = (KeyedProcess<Object, I, O>) any;
            KeyedStore<Object> store = new KeyedStore<>(keying.serializer(), 0, 1, KEY_GROUPS);
            process = record -> {
                Object key = keying.selector().key(record);
                store.at(key);
                keyed.process(key, record, out);
            };
            end = keyed::endOfInput;
            keyed.open(context.keyed(store));
        } else {
            throw new IllegalArgumentException("the operator is a "
                    + operator.getClass().getName()
                    + ": allowed is a ProcessOperator or a KeyedProcess; run others in a BerthTestCluster");
        }
    }

    /** Has the operator process records. What it throws is thrown. */
    @SafeVarargs
    public final void process(I... records) throws Exception {
        for (I record : records) {
            process.on(record);
        }
    }

    /** Ends the input. */
    public void endOfInput() throws Exception {
        end.on(out);
    }

    /** What the operator has emitted until now, in order. */
    public List<O> output() {
        return List.copyOf(output);
    }

    /**
     * What the operator has emitted to a side output until now, in order.
     *
     * @throws IllegalArgumentException when the factory has no such side output
     */
    public List<Object> sideOutput(String name) {
        List<Object> kept = sideOutputs.get(name);
        if (kept == null) {
            throw new IllegalArgumentException(
                    "the factory has no side output '" + name + "': it has " + sideOutputs.keySet());
        }
        return List.copyOf(kept);
    }

    /** What the operator has added to the counter with this name. */
    public long counter(String name) {
        return context.counted(name);
    }

    /** Closes the operator. */
    @Override
    public void close() throws Exception {
        operator.close();
    }
}
