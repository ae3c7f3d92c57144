package io.berth.runtime.dataflow.files;

import io.berth.core.api.time.Clock;
import io.berth.dataflow.api.Counter;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.Sink;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes records to parts, for jobs that may never end. A part is written under a hidden name and renamed when it is full or old
 * enough, so a file under its name is complete. What was written to a part that was not closed is lost with its attempt, whose
 * records come again. The name of a part has the job, its subtask and attempt, so no attempt writes a file of another one, and no
 * part replaces a file. What earlier attempts left under hidden names is removed at the start.
 */
final class RollingSink implements Sink<Object> {

    private final FileSink.Target target;
    private final Encoder encoder;
    private final Limits limits;
    private final Clock clock;
    private Optional<FileCommit> commit = Optional.empty();
    private Optional<Counter> bytes = Optional.empty();
    private Optional<Counter> parts = Optional.empty();
    private String attempt = "";
    private String job = "";
    private @Nullable PartFile part;
    private String temporaryName = "";
    private long number;
    private long begunMillis;

    /** When a part is complete; {@code Long.MAX_VALUE} for no limit. */
    record Limits(long bytes, long millis) {}

    RollingSink(FileSink.Target target, Encoder encoder, Limits limits, Clock clock) {
        this.target = target;
        this.encoder = encoder;
        this.limits = limits;
        this.clock = clock;
    }

    @Override
    public void open(OperatorContext context) throws IOException {
        target.create();
        FileCommit made = target.commit(context);
        made.removeEarlier(context.subtask());
        commit = Optional.of(made);
        attempt = context.attempt();
        job = context.jobId();
        bytes = Optional.of(context.counter("bytes"));
        parts = Optional.of(context.counter("parts"));
    }

    @Override
    public void write(Object record) throws IOException {
        PartFile open = part;
        if (open == null) {
            open = begin();
        }
        encoder.write(record, open.out());
        if (open.bytes() >= limits.bytes()) {
            publish(open);
        }
    }

    private PartFile begin() throws IOException {
        number++;
        temporaryName = commit.orElseThrow(() -> new IllegalStateException("the sink is not open"))
                .temporaryName(attempt + "-" + number);
        PartFile begun = new PartFile(target.directory().resolve(temporaryName));
        part = begun;
        begunMillis = clock.millis();
        encoder.begin();
        return begun;
    }

    private void publish(PartFile full) throws IOException {
        full.finish();
        commit.orElseThrow()
                .publish(new FileCommit.Rename(
                        temporaryName, target.numbered(job + "-" + attempt + "-" + String.format("%06d", number))));
        part = null;
        bytes.ifPresent(counter -> counter.add(full.bytes()));
        parts.ifPresent(counter -> counter.add(1));
    }

    @Override
    public void betweenRecords() throws IOException {
        PartFile open = part;
        if (open != null && clock.millis() - begunMillis >= limits.millis()) {
            publish(open);
        }
    }

    @Override
    public void endOfInput() throws IOException {
        PartFile open = part;
        if (open != null) {
            publish(open);
        }
    }

    @Override
    public void close() throws IOException {
        PartFile open = part;
        if (open != null) {
            open.discard();
        }
    }
}
