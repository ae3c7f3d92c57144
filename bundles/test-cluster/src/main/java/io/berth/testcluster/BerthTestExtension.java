package io.berth.testcluster;

import java.util.Optional;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A test cluster for JUnit 5. In a static field, one cluster serves all tests of a class and of its {@code @Nested} classes; in
 * another field, each test has its own. With {@code @TestInstance(PER_CLASS)} there is one instance of the class, and also a field
 * that is not static has one cluster for all its tests.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final BerthTestExtension berth = BerthTestExtension.of(BerthTestCluster.builder().operator(...));
 * }</pre>
 */
public final class BerthTestExtension
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {

    private final BerthTestCluster.Builder builder;
    private Optional<BerthTestCluster> cluster = Optional.empty();
    /** How many classes use the cluster: the one that has the field, and those that are nested in it and run now. */
    private int classes;

    private BerthTestExtension(BerthTestCluster.Builder builder) {
        this.builder = builder;
    }

    public static BerthTestExtension of(BerthTestCluster.Builder builder) {
        return new BerthTestExtension(builder);
    }

    /**
     * The cluster.
     *
     * @throws IllegalStateException outside of a test
     */
    public BerthTestCluster cluster() {
        return cluster.orElseThrow(() -> new IllegalStateException(
                "there is no cluster outside of a test: annotate the field with @RegisterExtension"));
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        if (classes++ == 0) {
            cluster = Optional.of(builder.start());
        }
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        if (classes == 0) {
            cluster = Optional.of(builder.start());
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (classes == 0) {
            end();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (--classes == 0) {
            end();
        }
    }

    private void end() {
        Optional<BerthTestCluster> open = cluster;
        cluster = Optional.empty();
        open.ifPresent(BerthTestCluster::close);
    }
}
