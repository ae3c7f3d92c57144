package io.berth.example.service;

import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Counter;
import io.berth.dataflow.api.service.Service;
import io.berth.dataflow.api.service.ServiceContext;
import io.berth.dataflow.api.service.ServiceFactory;
import io.berth.dataflow.api.service.ServiceTask;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A service that ticks every {@code interval.ms} and counts that in {@code ticks}. It finishes after {@code ticks} ticks; 0
 * means never.
 */
@Component(service = ServiceFactory.class)
@Service(operator = "ticker")
public final class Ticker implements ServiceFactory {

    private static final Logger LOG = LoggerFactory.getLogger(Ticker.class);

    private final Greeting greeting;

    @Activate
    public Ticker(@Reference Greeting greeting) {
        this.greeting = greeting;
    }

    @Override
    public ServiceTask create(Configuration configuration) {
        return new Ticks(
                greeting,
                configuration.number("interval.ms", 1_000, 1, 3_600_000),
                configuration.number("ticks", 0, 0, Long.MAX_VALUE));
    }

    private static final class Ticks implements ServiceTask {

        private final Greeting greeting;
        private final long intervalMillis;
        private final long last;
        private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        private final AtomicLong ticks = new AtomicLong();

        Ticks(Greeting greeting, long intervalMillis, long last) {
            this.greeting = greeting;
            this.intervalMillis = intervalMillis;
            this.last = last;
        }

        @Override
        public void start(ServiceContext context) {
            Counter counter = context.counter("ticks");
            timer.scheduleAtFixedRate(
                    () -> tick(context, counter), intervalMillis, intervalMillis, TimeUnit.MILLISECONDS);
        }

        private void tick(ServiceContext context, Counter counter) {
            if (last > 0 && ticks.get() >= last) {
                return;
            }
            long tick = ticks.incrementAndGet();
            counter.add(1);
            LOG.info(greeting.of(context.subtask(), context.parallelism(), tick));
            if (tick == last) {
                context.finished();
            }
        }

        @Override
        public Optional<String> health() {
            return timer.isShutdown()
                    ? Optional.of("its timer has ended after " + ticks.get() + " ticks")
                    : Optional.empty();
        }

        @Override
        public void stop() throws InterruptedException {
            timer.shutdownNow();
            timer.awaitTermination(5, TimeUnit.SECONDS);
        }
    }
}
