package io.berth.core.policies.sequence;

import io.berth.spi.PolicyKind;
import java.io.IOException;
import java.io.InputStream;

/** The class loader of one policy, as a bundle has one. */
final class ThrowAwayLoader extends ClassLoader {

    ThrowAwayLoader() {
        super(Played.class.getClassLoader());
    }

    Object factory(PolicyKind kind, String name, Play play) {
        try {
            return loadClass(Played.class.getName())
                    .getMethod("factory", PolicyKind.class, String.class, Play.class)
                    .invoke(null, kind, name, play);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(Played.class.getName())) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException failure) {
            throw new ClassNotFoundException(name, failure);
        }
    }
}
