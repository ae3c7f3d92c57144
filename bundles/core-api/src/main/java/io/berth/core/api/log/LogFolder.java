package io.berth.core.api.log;

import io.berth.core.api.task.AttemptId;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The logs of one worker on disk. A log is a folder of parts; the name of a part is the offset of its first byte, so a
 * reader needs nothing but the names, also while the worker writes and removes parts, and after it is gone. The folder of
 * a task's log also has a file that says which task that is. All methods may block on files. Thread-safe.
 *
 * @param folder of the worker
 */
public record LogFolder(Path folder, WorkerId worker) {

    /** The largest number of bytes that one read returns. */
    public static final int MAX_READ = 256 << 10;

    private static final String OWN = "worker";
    private static final String TASKS = "tasks";
    private static final String TASK = "task";
    private static final String FORMAT = "berth-task-log 1";
    private static final String SUFFIX = ".log";
    private static final int OFFSET_DIGITS = 19;
    private static final Pattern PART = Pattern.compile("[0-9]{" + OFFSET_DIGITS + "}\\.log");
    private static final Pattern NAME = Pattern.compile("[0-9]{13}-[0-9]{6,9}");
    private static final int FIRST_VERTEX = 3;
    /** A task that prints much may remove a part with each try. */
    private static final int MAX_TRIES = 5;

    /** The logs of a worker below a folder that workers share. */
    public static LogFolder in(Path logs, WorkerId worker) {
        return new LogFolder(logs.resolve(worker.value()), worker);
    }

    /** Name of a new log of a task; names sort by age. */
    public static String name(long createdMillis, int number) {
        return String.format(Locale.ROOT, "%013d-%06d", createdMillis, number);
    }

    /** Folder of the own log of the worker. */
    public Path own() {
        return folder.resolve(OWN);
    }

    /** Folder of the log of a task. */
    public Path task(JobId job, String log) {
        return folder.resolve(TASKS).resolve(job.value()).resolve(log);
    }

    /** A part of a log. */
    public static Path part(Path log, long offset) {
        return log.resolve(String.format(Locale.ROOT, "%0" + OFFSET_DIGITS + "d", offset) + SUFFIX);
    }

    /** Creates the folder of a task's log, and writes which task that is. */
    public void create(TaskLogDetails details) throws IOException {
        AttemptId attempt = details.attempt();
        Path log = Files.createDirectories(task(attempt.job(), details.log()));
        List<String> lines = new ArrayList<>(List.of(
                FORMAT,
                attempt.epoch() + " " + attempt.execution() + " " + attempt.restart() + " " + attempt.subtask(),
                attempt.chain()));
        lines.addAll(details.vertices());
        Files.write(log.resolve(TASK), lines);
    }

    /** Parts of a log by the offset of their first byte; empty when there is no such log. */
    public static SortedMap<Long, Path> parts(Path log) throws IOException {
        SortedMap<Long, Path> parts = new TreeMap<>();
        for (Path file : list(log)) {
            String name = file.getFileName().toString();
            if (PART.matcher(name).matches()) {
                parts.put(Long.parseLong(name.substring(0, OFFSET_DIGITS)), file);
            }
        }
        return parts;
    }

    /** The logs of all tasks, in no particular order. A folder that is not readable as a log is left out. */
    public List<TaskLogDetails> all() throws IOException {
        List<TaskLogDetails> all = new ArrayList<>();
        for (Path job : list(folder.resolve(TASKS))) {
            try {
                addLogs(new JobId(job.getFileName().toString()), all);
            } catch (IllegalArgumentException stranger) {
                // Not one of ours.
            }
        }
        return all;
    }

    /** As {@link #all()}, of the tasks that are meant. */
    public List<TaskLogDetails> list(LogFilter filter) throws IOException {
        List<TaskLogDetails> logs = new ArrayList<>();
        addLogs(filter.job(), logs);
        logs.removeIf(log -> !filter.matches(log.attempt(), log.vertices()));
        return logs;
    }

    private void addLogs(JobId job, List<TaskLogDetails> logs) throws IOException {
        for (Path log : list(folder.resolve(TASKS).resolve(job.value()))) {
            String name = log.getFileName().toString();
            if (NAME.matcher(name).matches()) {
                details(job, name, log).ifPresent(logs::add);
            }
        }
    }

    private Optional<TaskLogDetails> details(JobId job, String name, Path log) throws IOException {
        try {
            List<String> lines = Files.readAllLines(log.resolve(TASK));
            SortedMap<Long, Path> parts = parts(log);
            if (lines.size() <= FIRST_VERTEX || !lines.get(0).equals(FORMAT) || parts.isEmpty()) {
                return Optional.empty();
            }
            String[] numbers = lines.get(1).split(" ");
            AttemptId attempt = new AttemptId(
                    job,
                    lines.get(2),
                    Integer.parseInt(numbers[3]),
                    Long.parseLong(numbers[0]),
                    Long.parseLong(numbers[1]),
                    Integer.parseInt(numbers[2]));
            return Optional.of(new TaskLogDetails(
                    worker,
                    name,
                    attempt,
                    lines.subList(FIRST_VERTEX, lines.size()),
                    Long.parseLong(name.substring(0, name.indexOf('-'))),
                    parts.firstKey(),
                    parts.lastKey() + Files.size(parts.get(parts.lastKey()))));
        } catch (NoSuchFileException | IndexOutOfBoundsException | NumberFormatException incomplete) {
            // The worker has just begun or removed it, or it died in between.
            return Optional.empty();
        }
    }

    /** Reads a part of a log. */
    public LogPart read(LogRequest request) throws IOException {
        if (request.job().isPresent() && !NAME.matcher(request.log()).matches()) {
            return LogPart.NONE;
        }
        Path log = request.job().map(job -> task(job, request.log())).orElseGet(this::own);
        for (int tries = 1; tries < MAX_TRIES; tries++) {
            try {
                return read(log, request);
            } catch (NoSuchFileException removed) {
                // The worker has removed the oldest part in between; the next one is there.
            }
        }
        return read(log, request);
    }

    private static LogPart read(Path log, LogRequest request) throws IOException {
        SortedMap<Long, Path> parts = parts(log);
        if (parts.isEmpty()) {
            return LogPart.NONE;
        }
        long start = parts.firstKey();
        long end = parts.lastKey() + Files.size(parts.get(parts.lastKey()));
        long wanted = request.from() < 0 ? end + request.from() : request.from();
        long from = Math.min(Math.max(wanted, start), end);
        int limit = (int) Math.min(Math.min(Math.max(request.limit(), 4), MAX_READ), end - from);
        ByteArrayOutputStream content = new ByteArrayOutputStream(limit);
        while (content.size() < limit) {
            long at = from + content.size();
            long first = parts.headMap(at + 1).lastKey();
            SortedMap<Long, Path> later = parts.tailMap(at + 1);
            long bound = later.isEmpty() ? Long.MAX_VALUE : later.firstKey();
            Path part = Objects.requireNonNull(parts.get(first));
            if (!append(part, at - first, (int) Math.min(limit - content.size(), bound - at), content)) {
                if (later.isEmpty() || content.size() > 0) {
                    break;
                }
                // The end of a part is missing: the log goes on with the next one.
                from = bound;
                limit = (int) Math.min(limit, end - from);
            }
        }
        byte[] bytes = content.toByteArray();
        int skipped = headWithoutCharacter(bytes);
        int whole = Math.max(skipped, wholeCharacters(bytes));
        return new LogPart(true, from + skipped, from + whole, end, Arrays.copyOfRange(bytes, skipped, whole));
    }

    /** @return whether there was anything to read */
    private static boolean append(Path part, long from, int limit, ByteArrayOutputStream content) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(limit);
        try (FileChannel channel = FileChannel.open(part, StandardOpenOption.READ)) {
            while (buffer.hasRemaining() && channel.read(buffer, from + buffer.position()) > 0) {
                // Reads on.
            }
        }
        content.write(buffer.array(), 0, buffer.position());
        return buffer.position() > 0;
    }

    /** How many bytes at the beginning belong to a character whose beginning is missing. */
    private static int headWithoutCharacter(byte[] bytes) {
        int at = 0;
        while (at < Math.min(3, bytes.length) && isContinuation(bytes[at])) {
            at++;
        }
        return at;
    }

    /** The length without a character at the end of which a part is missing. What is no UTF-8 stays as it is. */
    private static int wholeCharacters(byte[] bytes) {
        int lead = bytes.length - 1;
        while (lead >= 0 && bytes.length - lead < 4 && isContinuation(bytes[lead])) {
            lead--;
        }
        if (lead < 0) {
            return bytes.length;
        }
        int value = bytes[lead] & 0xff;
        int length = value >= 0xf0 ? 4 : value >= 0xe0 ? 3 : value >= 0xc0 ? 2 : 1;
        boolean cut = length > bytes.length - lead;
        return cut ? lead : bytes.length;
    }

    private static boolean isContinuation(byte value) {
        return (value & 0xc0) == 0x80;
    }

    /** What is in a folder; nothing when there is no such folder. */
    private static List<Path> list(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return files;
        }
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            stream.forEach(files::add);
        } catch (NoSuchFileException | NotDirectoryException removed) {
            return List.of();
        }
        return files;
    }
}
