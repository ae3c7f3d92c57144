package io.berth.itests.villain;

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

    static void act(Villain villain) {
        switch (villain.deed) {
            case "threads" -> threads(villain);
            case "subclassed-thread" -> new Spinning(villain).start();
            case "timer" ->
                new Timer("villain-timer-" + villain.name, true)
                        .schedule(
                                new TimerTask() {
                                    @Override
                                    public void run() {
                                        villain.shared.put(villain.key("tick"), System.nanoTime());
                                    }
                                },
                                0,
                                50);
            case "executor" ->
                Executors.newFixedThreadPool(2, work -> {
                            Thread thread = new Thread(work, "villain-executor-" + villain.name);
                            thread.setDaemon(true);
                            return thread;
                        })
                        .execute(() -> villain.shared.put(villain.key("ran"), true));
            case "thread-local" -> KEPT.set(new Spinning(villain));
            case "mbean" -> mbean(villain);
            case "data" -> data(villain);
            case "log" -> {
                for (int i = 0; i < 1_000; i++) {
                    Logger.getLogger("villain").info("flood " + i);
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
            case "wait" -> waitForTheTest(villain);
            case "stop-self" -> change(() -> villain.context.getBundle().stop());
            case "uninstall-self" -> change(() -> villain.context.getBundle().uninstall());
            case "reenter" -> Reentry.act(villain);
            case "reflection" -> villain.shared.put(villain.key("acted"), true);
            default -> {}
        }
    }

    /** Registers and unregisters every few milliseconds, on its own thread. */
    static void flap(Villain villain, Supplier<ServiceRegistration<?>> register) {
        Thread thread = new Thread(
                () -> {
                    while (villain.mercy().getCount() > 0) {
                        ServiceRegistration<?> registration = register.get();
                        LockSupport.parkNanos(10_000_000);
                        registration.unregister();
                        LockSupport.parkNanos(10_000_000);
                        villain.called("flapped");
                    }
                },
                "villain-flap-" + villain.name);
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

    private static void threads(Villain villain) {
        for (int i = 0; i < 20; i++) {
            Thread thread = new Thread(() -> Deeds.loop(villain), "villain-thread-" + villain.name + "-" + i);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void data(Villain villain) {
        Path file = villain.context.getDataFile("garbage").toPath();
        try {
            Files.write(file, new byte[4 << 20]);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        villain.shared.put(villain.key("data"), file.toString());
    }

    private static void mbean(Villain villain) {
        try {
            ObjectName name = new ObjectName("com.example.villain:name=" + villain.name);
            ManagementFactory.getPlatformMBeanServer().registerMBean(new Kept(), name);
        } catch (InstanceAlreadyExistsException again) {
            villain.called("again");
        } catch (JMException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Reports that it is inside, and continues when the test says so. */
    private static void waitForTheTest(Villain villain) {
        ((CountDownLatch) villain.shared.get(villain.key("inside"))).countDown();
        try {
            ((CountDownLatch) villain.shared.get(villain.key("go"))).await(30, TimeUnit.SECONDS);
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

    /** Its class belongs to the villain. */
    private static final class Spinning extends Thread {

        private final Villain villain;

        private Spinning(Villain villain) {
            super("villain-subclass-" + villain.name);
            this.villain = villain;
            setDaemon(true);
        }

        @Override
        public void run() {
            Deeds.loop(villain);
        }
    }
}
