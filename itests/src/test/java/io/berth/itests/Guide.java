package io.berth.itests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The fenced blocks of a page of the documentation, to be executed one after the other exactly as written. */
final class Guide {

    private final Deque<Block> blocks = new ArrayDeque<>();

    private record Block(String kind, List<String> lines) {}

    Guide(Path page) throws IOException {
        List<String> lines = null;
        for (String line : Files.readAllLines(page)) {
            if (!line.startsWith("```")) {
                if (lines != null) {
                    lines.add(line);
                }
            } else if (lines != null) {
                lines = null;
            } else {
                lines = new ArrayList<>();
                blocks.add(new Block(line.substring(3), lines));
            }
        }
    }

    /** The next block. Fails when it is of another kind. */
    List<String> next(String kind) {
        Block block = blocks.poll();
        if (block == null || !block.kind().equals(kind)) {
            throw new AssertionError("the guide should continue with a block '" + kind + "', but there is " + block);
        }
        return block.lines();
    }

    /** All blocks of a kind, whatever is between them. */
    List<List<String>> all(String kind) {
        return blocks.stream()
                .filter(block -> block.kind().equals(kind))
                .map(Block::lines)
                .toList();
    }

    void skip(String kind) {
        blocks.removeIf(block -> block.kind().equals(kind));
    }

    boolean isDone() {
        return blocks.isEmpty();
    }
}
