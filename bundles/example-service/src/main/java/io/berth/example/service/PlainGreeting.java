package io.berth.example.service;

import org.osgi.service.component.annotations.Component;

/** Says who ticks. */
@Component
public final class PlainGreeting implements Greeting {

    @Override
    public String of(int subtask, int parallelism, long tick) {
        return "tick " + tick + " of subtask " + subtask + " of " + parallelism;
    }
}
