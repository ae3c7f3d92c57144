package io.berth.itests.faulty;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.TimeZone;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.logging.Logger;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.ObjectName;
import org.osgi.framework.BundleException;
import org.osgi.framework.ServiceRegistration;

/** What code inside a JVM can do to its host, beyond its current call. */
final class Abuses {

    private static final ThreadLocal<Object> KEPT = new ThreadLocal<>();

    private Abuses() {}

    static void act(FaultyCode faulty) {
        switch (faulty.deed) {
            case "threads" -> threads(faulty);
            case "subclassed-thread" -> new Staying(faulty).start();
            case "timer" ->
                new Timer("faulty-timer-" + faulty.name, true)
                        .schedule(
                                new TimerTask() {
                                    @Override
                                    public void run() {
                                        faulty.shared.put(faulty.key("tick"), System.nanoTime());
                                    }
                                },
                                0,
                                50);
            case "executor" ->
                Executors.newFixedThreadPool(2, work -> {
                            Thread thread = new Thread(work, "faulty-executor-" + faulty.name);
                            thread.setDaemon(true);
                            return thread;
                        })
                        .execute(() -> faulty.shared.put(faulty.key("ran"), true));
            case "thread-local" -> KEPT.set(new Staying(faulty));
            case "mbean" -> mbean(faulty);
            case "data" -> data(faulty);
            case "log" -> {
                for (int i = 0; i < 1_000; i++) {
                    Logger.getLogger("faulty").info("flood " + i);
                }
            }
            case "locale" -> Locale.setDefault(Locale.forLanguageTag("tr-TR"));
            case "timezone" -> TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Apia"));
            case "streams" -> {
                System.setOut(new PrintStream(new ByteArrayOutputStream()) {});
                System.setErr(new PrintStream(new ByteArrayOutputStream()) {});
            }
            case "uncaught" -> Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {});
            case "url-handler" -> URL.setURLStreamHandlerFactory(protocol -> null);
            case "wait" -> waitForTheTest(faulty);
            case "stop-self" -> change(() -> faulty.context.getBundle().stop());
            case "uninstall-self" -> change(() -> faulty.context.getBundle().uninstall());
            case "reenter" -> Reentry.act(faulty);
            case "reflection" -> faulty.shared.put(faulty.key("acted"), true);
            default -> {}
        }
    }

    /** Registers and unregisters every few milliseconds, on its own thread. */
    static void flap(FaultyCode faulty, Supplier<ServiceRegistration<?>> register) {
        Thread thread = new Thread(
                () -> {
                    while (faulty.mercy().getCount() > 0) {
                        ServiceRegistration<?> registration = register.get();
                        LockSupport.parkNanos(10_000_000);
                        registration.unregister();
                        LockSupport.parkNanos(10_000_000);
                        faulty.called("flapped");
                    }
                },
                "faulty-flap-" + faulty.name);
        thread.setDaemon(true);
        thread.start();
    }

    private interface Change {
        void run() throws BundleException;
    }

    private static void change(Change change) {
        try {
            change.run();
        } catch (BundleException refused) {
            throw new IllegalStateException(refused);
        }
    }

    private static void threads(FaultyCode faulty) {
        for (int i = 0; i < 20; i++) {
            Thread thread = new Thread(() -> Deeds.stay(faulty), "faulty-thread-" + faulty.name + "-" + i);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void data(FaultyCode faulty) {
        Path file = faulty.context.getDataFile("garbage").toPath();
        try {
            Files.write(file, new byte[4 << 20]);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        faulty.shared.put(faulty.key("data"), file.toString());
    }

    private static void mbean(FaultyCode faulty) {
        try {
            ObjectName name = new ObjectName("com.example.faulty:name=" + faulty.name);
            ManagementFactory.getPlatformMBeanServer().registerMBean(new Kept(), name);
        } catch (InstanceAlreadyExistsException again) {
            faulty.called("again");
        } catch (JMException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Reports that it is inside, and continues when the test says so. */
    private static void waitForTheTest(FaultyCode faulty) {
        ((CountDownLatch) faulty.shared.get(faulty.key("inside"))).countDown();
        try {
            ((CountDownLatch) faulty.shared.get(faulty.key("go"))).await(30, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException("was interrupted", interrupted);
        }
    }

    /** By the rules of JMX. */
    public interface KeptMBean {
        int getNumber();
    }

    /** Holds the class loader of the bundle while it is registered. */
    public static final class Kept implements KeptMBean {
        @Override
        public int getNumber() {
            return 1;
        }
    }

    /** Its class belongs to the faulty bundle. */
    private static final class Staying extends Thread {

        private final FaultyCode faulty;

        private Staying(FaultyCode faulty) {
            super("faulty-subclass-" + faulty.name);
            this.faulty = faulty;
            setDaemon(true);
        }

        @Override
        public void run() {
            Deeds.stay(faulty);
        }
    }
}
