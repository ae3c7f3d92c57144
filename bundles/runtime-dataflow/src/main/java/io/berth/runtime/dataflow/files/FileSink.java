package io.berth.runtime.dataflow.files;

import io.berth.dataflow.api.CommittingSink;
import io.berth.dataflow.api.Counter;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.Pair;
import io.berth.dataflow.api.PermanentException;
import io.berth.dataflow.api.RecordInput;
import io.berth.dataflow.api.RecordOutput;
import io.berth.dataflow.api.Serializers;
import io.berth.dataflow.api.Text;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes lines to a hidden file. {@link FileCommit} describes how it is published. */
final class FileSink implements CommittingSink<Object> {

    private final Path directory;
    private final String file;
    private Optional<OutputStream> stream = Optional.empty();
    private Optional<FileChannel> channel = Optional.empty();
    private OutputStream out = OutputStream.nullOutputStream();
    private Optional<FileCommit> commit = Optional.empty();
    private Optional<Counter> bytes = Optional.empty();
    private String temporaryName = "";
    private String finalName = "";
    private boolean prepared;
    private long written;

    FileSink(Path directory, String file) {
        this.directory = directory.toAbsolutePath();
        this.file = file;
    }

    @Override
    public void open(OperatorContext context) throws IOException {
        try {
            Files.createDirectories(directory);
        } catch (FileSystemException failure) {
            throw new PermanentException(
                    "the output directory " + directory + " cannot be made on this worker: " + failure.getMessage(),
                    failure);
        }
        FileCommit made = new FileCommit(
                directory,
                context.jobId(),
                context.vertex(),
                new FileCommit.Execution(context.epoch(), context.execution()));
        commit = Optional.of(made);
        bytes = Optional.of(context.counter("bytes"));
        temporaryName = made.temporaryName(context.attempt());
        finalName = finalName(context.subtask(), context.parallelism());
        // Must be new: an existing file with this name belongs to a task that may still write.
        FileChannel opened = FileChannel.open(
                directory.resolve(temporaryName), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        channel = Optional.of(opened);
        out = new BufferedOutputStream(Channels.newOutputStream(opened), 64 << 10);
        stream = Optional.of(out);
    }

    private String finalName(int subtask, int parallelism) {
        if (parallelism == 1) {
            return file;
        }
        int dot = file.lastIndexOf('.');
        return dot < 0 ? file + "-" + subtask : file.substring(0, dot) + "-" + subtask + file.substring(dot);
    }

    @Override
    public void write(Object record) throws IOException {
        writeValue(record);
        out.write('\n');
        written++;
    }

    private void writeValue(Object value) throws IOException {
        if (value instanceof Text text) {
            out.write(text.bytes(), text.offset(), text.length());
            written += text.length();
        } else if (value instanceof Pair<?, ?> pair) {
            writeValue(pair.first());
            out.write('\t');
            written++;
            writeValue(pair.second());
        } else {
            byte[] text = value.toString().getBytes(StandardCharsets.UTF_8);
            out.write(text);
            written += text.length;
        }
    }

    @Override
    public void endOfInput() throws IOException {
        out.flush();
        if (channel.isPresent()) {
            channel.get().force(true);
        }
        out.close();
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
        commit.orElseThrow(() -> new IllegalStateException("file-sink is not open"))
                .run(renames);
    }

    @Override
    public void close() throws IOException {
        if (stream.isPresent() && !prepared) {
            // The file is no longer useful. Once prepared it belongs to the task that commits.
            channel.get().close();
            Files.deleteIfExists(directory.resolve(temporaryName));
        }
    }
}
