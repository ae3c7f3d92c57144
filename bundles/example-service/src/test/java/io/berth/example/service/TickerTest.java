package io.berth.example.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.Counter;
import io.berth.dataflow.api.service.ServiceContext;
import io.berth.dataflow.api.service.ServiceTask;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TickerTest {

    @Test
    void ticksAsOftenAsItWasAskedTo() throws Exception {
        AtomicLong ticks = new AtomicLong();
        CountDownLatch finished = new CountDownLatch(1);
        Counter counter = ticks::addAndGet;
        ServiceContext context = (ServiceContext) Proxy.newProxyInstance(
                TickerTest.class.getClassLoader(),
                new Class<?>[] {ServiceContext.class},
                (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "counter":
                            return counter;
                        case "finished":
                            finished.countDown();
                            return null;
                        default:
                            return 1;
                    }
                });
        ServiceTask ticker = new Ticker(new PlainGreeting())
                .create(new Configuration("ticker", Map.of("ticks", "3", "interval.ms", "5")));
        ticker.start(context);

        assertThat(finished.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(ticker.health()).isEmpty();
        ticker.stop();
        assertThat(ticks).hasValue(3);
        assertThat(ticker.health()).contains("its timer has ended after 3 ticks");
    }
}
