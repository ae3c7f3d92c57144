package io.berth.core.policies;

import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.Function;

/** Services of the framework of which a test needs few methods. */
public final class Proxies {

    private Proxies() {}

    /** @param answers by name of the method, from its arguments; calls of other methods fail */
    public static <T> T of(Class<T> type, Map<String, Function<Object[], Object>> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    Function<Object[], Object> answer = answers.get(method.getName());
                    if (answer == null) {
                        throw new UnsupportedOperationException(method.getName());
                    }
                    return answer.apply(arguments);
                }));
    }
}
