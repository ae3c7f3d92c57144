package io.berth.testcluster;

import io.berth.core.api.BundleRef;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.dispatcher.bundle.OfferedOperator;
import io.berth.dataflow.api.OperatorFactory;
import io.berth.dataflow.api.connect.TwoInputFactory;
import io.berth.runtime.dataflow.builtin.BuiltInOperators;
import io.berth.spi.JobId;
import io.berth.worker.code.UserCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The operators that jobs of a test can name: those of the test and the built-in ones. Immutable. */
final class TestOperators implements UserCode {

    private final SortedMap<String, OperatorFactory<?, ?>> factories = BuiltInOperators.all();

    private final List<OfferedOperator> offered;

    /**
     * Operators of a test.
     *
     * @param keyed names of those that are keyed
     * @param sideOutputs names of side outputs, by the operator that has them
     */
    TestOperators(
            SortedMap<String, OperatorFactory<?, ?>> own, Set<String> keyed, Map<String, List<String>> sideOutputs) {
        factories.putAll(own);
        offered = own.entrySet().stream()
                .map(each -> new OfferedOperator(
                        each.getKey(),
                        keyed.contains(each.getKey()),
                        each.getValue() instanceof TwoInputFactory<?, ?, ?> ? 2 : 1,
                        sideOutputs.getOrDefault(each.getKey(), List.of())))
                .toList();
    }

    /** Those of the test. */
    List<OfferedOperator> offered() {
        return offered;
    }

    @Override
    public CompletionStage<JobCode> acquire(JobId job, EndpointRef dispatcher, List<BundleRef> bundles) {
        return CompletableFuture.completedFuture(new JobCode() {
            @Override
            public Optional<Object> operator(String name) {
                return Optional.ofNullable(factories.get(name));
            }

            @Override
            public ClassLoader classLoader(String operator) {
                return Optional.ofNullable(factories.get(operator))
                        .map(factory -> factory.getClass().getClassLoader())
                        .orElseGet(TestOperators.class::getClassLoader);
            }

            @Override
            public void close() {}
        });
    }

    @Override
    public void release(JobId job) {}
}
