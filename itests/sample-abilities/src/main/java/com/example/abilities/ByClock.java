package com.example.abilities;

import io.berth.spi.ConfigurationKey;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.scaling.FeasibleChange;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.JudgementBuilder;
import io.berth.spi.scaling.ParallelismBuilder;
import io.berth.spi.scaling.ScalingPolicy;
import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.spi.scaling.ScalingSession;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Wall-clock time and zone: the minimum before a time, and what the job desires from then on. */
@Component
@Policy(kind = "scaling", name = "by-clock", configuration = "from")
public final class ByClock implements ScalingPolicyFactory {

    private static final long MAX_REVIEW_MILLIS = 60_000;

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "by-clock",
                "The minimum before a time, and what the job desires from then on",
                List.of(ConfigurationKey.text("from", "2026-01-01T00:00:00", "date and time, without a zone")));
    }

    @Override
    public ScalingPolicy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException {
        String from = configuration.text("from");
        try {
            ZonedDateTime time = LocalDateTime.parse(from).atZone(context.zone());
            return job -> new Session(job, time);
        } catch (DateTimeParseException bad) {
            throw new InvalidConfigurationException(
                    "from is '" + from + "': allowed is a date and a time like 2026-01-01T00:00:00");
        }
    }

    private record Session(JobView job, ZonedDateTime from) implements ScalingSession {

        private long millisLeft() {
            return from.toInstant().toEpochMilli() - job.wallTime();
        }

        private int wanted(int vertex) {
            return millisLeft() > 0 ? job.minimum(vertex) : job.desired(vertex);
        }

        @Override
        public void delta() {
            // The view shows it.
        }

        @Override
        public void desire(ParallelismBuilder result) {
            for (int vertex = 0; vertex < job.vertices(); vertex++) {
                result.parallelism(vertex, wanted(vertex));
            }
            review(result);
        }

        private void review(ParallelismBuilder result) {
            if (millisLeft() > 0) {
                result.reason("small until " + from);
                result.reviewAfter(Math.min(millisLeft(), MAX_REVIEW_MILLIS));
            }
        }

        @Override
        public void judge(FeasibleChange change, JudgementBuilder result) {
            result.accept();
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }
}
