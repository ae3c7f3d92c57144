package io.berth.core.policies.guard;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that run the code of one bundle, for one pool or for all other owners. Injected, so that a simulator can
 * delay results.
 */
public interface GuardThreads {

    String PREFIX = "berth-core-policies-";

    void execute(Runnable call);

    /** A call was given up; its thread no longer counts. */
    void abandoned();

    /** A call that was given up returned. */
    void returned();

    /** Accepts no more calls; running ones end by themselves. */
    void end();

    /** Two threads that end when idle, and one more for each abandoned one. */
    static GuardThreads pooled(String name) {
        return new Pooled(PREFIX + name);
    }

    /** A thread pool of the JVM. */
    final class Pooled implements GuardThreads {

        private static final int THREADS = 2;

        private final ThreadPoolExecutor pool;
        private int size = THREADS;

        private Pooled(String name) {
            AtomicInteger count = new AtomicInteger();
            ClassLoader own = GuardThreads.class.getClassLoader();
            pool = new ThreadPoolExecutor(THREADS, THREADS, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), call -> {
                Thread thread = new Thread(null, call, name + "-" + count.incrementAndGet(), 0, false);
                thread.setDaemon(true);
                thread.setContextClassLoader(own);
                return thread;
            });
            pool.allowCoreThreadTimeOut(true);
        }

        @Override
        public void execute(Runnable call) {
            pool.execute(call);
        }

        @Override
        public synchronized void abandoned() {
            size++;
            pool.setMaximumPoolSize(size);
            pool.setCorePoolSize(size);
        }

        @Override
        public synchronized void returned() {
            size--;
            pool.setCorePoolSize(size);
            pool.setMaximumPoolSize(size);
        }

        @Override
        public void end() {
            pool.shutdown();
        }
    }
}
