package io.berth.runtime.dataflow.files;

import io.berth.dataflow.api.CommittingSink;
import io.berth.dataflow.api.Counter;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.RecordInput;
import io.berth.dataflow.api.RecordOutput;
import io.berth.dataflow.api.Serializers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes records to one hidden file per subtask. {@link FileCommit} describes how it is published. */
final class FileSink implements CommittingSink<Object> {

    private final Target target;
    private final Encoder encoder;
    private @Nullable PartFile part;
    private Optional<FileCommit> commit = Optional.empty();
    private Optional<Counter> bytes = Optional.empty();
    private String temporaryName = "";
    private String finalName = "";
    private boolean prepared;

    FileSink(Target target, Encoder encoder) {
        this.target = target;
        this.encoder = encoder;
    }

    @Override
    public void open(OperatorContext context) throws IOException {
        target.create();
        FileCommit made = target.commit(context);
        commit = Optional.of(made);
        bytes = Optional.of(context.counter("bytes"));
        temporaryName = made.temporaryName(context.attempt());
        finalName = context.parallelism() == 1 ? target.file() : target.numbered(String.valueOf(context.subtask()));
        part = new PartFile(target.directory().resolve(temporaryName));
        encoder.begin();
    }

    private PartFile part() {
        PartFile open = part;
        if (open == null) {
            throw new IllegalStateException("the sink is not open");
        }
        return open;
    }

    @Override
    public void write(Object record) throws IOException {
        encoder.write(record, part().out());
    }

    @Override
    public void endOfInput() throws IOException {
        part().finish();
        long written = part().bytes();
        bytes.ifPresent(counter -> counter.add(written));
    }

    @Override
    public byte[] prepareCommit() {
        prepared = true;
        RecordOutput committable = RecordOutput.growing();
        Serializers.string().write(temporaryName, committable);
        Serializers.string().write(finalName, committable);
        return committable.toByteArray();
    }

    @Override
    public void commit(List<byte[]> committables) throws IOException {
        List<FileCommit.Rename> renames = new ArrayList<>();
        for (byte[] committable : committables) {
            RecordInput in = new RecordInput(committable);
            renames.add(new FileCommit.Rename(
                    Serializers.string().read(in), Serializers.string().read(in)));
        }
        commit.orElseThrow(() -> new IllegalStateException("the sink is not open"))
                .run(renames);
    }

    /** The file has another name by now, unless an earlier execution had published the output. */
    @Override
    public void discard() throws IOException {
        part().discard();
    }

    @Override
    public void close() throws IOException {
        PartFile open = part;
        if (open != null && !prepared) {
            // The file is no longer useful. Once prepared it belongs to the task that commits.
            open.discard();
        }
    }

    /** Where a sink writes. */
    record Target(Path directory, String file) {

        Target {
            directory = directory.toAbsolutePath();
        }

        /** Creates the directory. */
        void create() {
            try {
                java.nio.file.Files.createDirectories(directory);
            } catch (IOException failure) {
                throw new io.berth.dataflow.api.PermanentException(
                        "the output directory " + directory + " cannot be made on this worker: " + failure.getMessage(),
                        failure);
            }
        }

        FileCommit commit(OperatorContext context) {
            return new FileCommit(
                    directory,
                    context.jobId(),
                    context.vertex(),
                    new FileCommit.Execution(context.epoch(), context.execution()));
        }

        /** The name of the file with {@code -NUMBER} before its ending. */
        String numbered(String number) {
            int dot = file.lastIndexOf('.');
            return dot < 0 ? file + "-" + number : file.substring(0, dot) + "-" + number + file.substring(dot);
        }
    }
}
