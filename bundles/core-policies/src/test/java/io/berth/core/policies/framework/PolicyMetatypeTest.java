package io.berth.core.policies.framework;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.time.Pools;
import io.berth.spi.ConfigurationKey;
import java.lang.reflect.Proxy;
import java.util.Dictionary;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.metatype.AttributeDefinition;
import org.osgi.service.metatype.ObjectClassDefinition;

class PolicyMetatypeTest {

    private static final List<ConfigurationKey> KEYS = List.of(
            ConfigurationKey.number("limit", 5, 1, 10, "most of something"),
            ConfigurationKey.flag("eager", false, "whether at once"),
            ConfigurationKey.choice("order", "up", List.of("up", "down"), "where to begin"),
            ConfigurationKey.text("name", "", "what it is called").asRequired());

    private final List<String> events = new CopyOnWriteArrayList<>();
    private final SortedMap<String, SortedMap<String, ConfigurationKey>> keys = new TreeMap<>();
    private final ExecutorService thread = Pools.fixed("test-metatypes", 1);
    private final PolicyMetatypes metatypes = new PolicyMetatypes(context(), () -> keys, thread);
    private final CountDownLatch entered = new CountDownLatch(1);
    private CountDownLatch listening = new CountDownLatch(0);

    @AfterEach
    void end() {
        listening.countDown();
        thread.shutdownNow();
    }

    private void follow() throws Exception {
        metatypes.changed();
        if (!thread.isShutdown()) {
            thread.submit(() -> {}).get(10, TimeUnit.SECONDS);
        }
    }

    private BundleContext context() {
        return (BundleContext) Proxy.newProxyInstance(
                BundleContext.class.getClassLoader(), new Class<?>[] {BundleContext.class}, (self, method, given) -> {
                    Object pid = ((Dictionary<?, ?>) given[2]).get("metatype.pid");
                    entered.countDown();
                    listening.await();
                    events.add("register " + pid + " "
                            + ((PolicyMetatype) given[1]).keys().size());
                    return Proxy.newProxyInstance(
                            BundleContext.class.getClassLoader(),
                            new Class<?>[] {ServiceRegistration.class},
                            (registration, called, none) -> {
                                events.add(called.getName() + " " + pid);
                                return null;
                            });
                });
    }

    private void put(String pid, List<ConfigurationKey> described) {
        SortedMap<String, ConfigurationKey> ofPid = new TreeMap<>();
        described.forEach(key -> ofPid.put(key.key(), key));
        keys.put(pid, ofPid);
    }

    @Test
    void showsTypeDefaultBoundsAndOptionsOfEachKey() {
        PolicyMetatype metatype = PolicyMetatype.of("a.b", KEYS);

        AttributeDefinition[] all = metatype.getAttributeDefinitions(ObjectClassDefinition.ALL);
        assertThat(all).extracting(AttributeDefinition::getID).containsExactly("limit", "eager", "order", "name");
        assertThat(all[0].getType()).isEqualTo(AttributeDefinition.LONG);
        assertThat(all[0].getDefaultValue()).containsExactly("5");
        assertThat(all[0].getDescription()).isEqualTo("most of something: a whole number from 1 to 10");
        assertThat(all[0].validate("11")).isEqualTo("limit is '11': a whole number from 1 to 10 is allowed");
        assertThat(all[0].validate("7")).isEmpty();
        assertThat(all[1].getType()).isEqualTo(AttributeDefinition.BOOLEAN);
        assertThat(all[2].getOptionValues()).containsExactly("up", "down");
        assertThat(all[3].getDefaultValue()).isEmpty();
        assertThat(metatype.getAttributeDefinitions(ObjectClassDefinition.REQUIRED))
                .extracting(AttributeDefinition::getID)
                .containsExactly("name");
        assertThat(metatype.getAttributeDefinitions(ObjectClassDefinition.OPTIONAL))
                .hasSize(3);
        assertThat(metatype.getObjectClassDefinition("a.b", null).getID()).isEqualTo("a.b");
    }

    @Test
    void aServiceListenerThatBlocksDelaysNeitherTheCallerNorClose() throws Exception {
        listening = new CountDownLatch(1);
        put("a", KEYS);
        metatypes.changed();
        assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
        metatypes.changed();
        metatypes.close();
        assertThat(events).isEmpty();
        listening.countDown();
        await().until(() -> events.equals(List.of("register a 4", "unregister a")));
    }

    @Test
    void followsTheKeysThatPoliciesDescribe() throws Exception {
        put("a", KEYS);
        put("none", List.of());
        follow();
        follow();
        assertThat(events).containsExactly("register a 4");

        put("a", KEYS.subList(0, 2));
        follow();
        assertThat(events).containsExactly("register a 4", "unregister a", "register a 2");

        keys.clear();
        follow();
        assertThat(events).last().isEqualTo("unregister a");

        put("b", KEYS);
        follow();
        metatypes.close();
        assertThat(thread.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        follow();
        assertThat(events).endsWith("register b 4", "unregister b");
    }
}
