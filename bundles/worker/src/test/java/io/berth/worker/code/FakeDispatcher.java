package io.berth.worker.code;

import io.berth.core.api.BundleRef;
import io.berth.core.api.gateway.DispatcherGateway.BundleChunk;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps bundles in memory. */
public final class FakeDispatcher {

    final List<Integer> lengths = Collections.synchronizedList(new ArrayList<>());
    final Queue<RuntimeException> failures = new ArrayDeque<>();
    private final Map<String, byte[]> contents = new ConcurrentHashMap<>();

    public BundleRef add(byte[] content) {
        BundleRef ref = new BundleRef(sha256(content), content.length);
        contents.put(ref.sha256(), content);
        return ref;
    }

    void replace(BundleRef ref, byte[] content) {
        contents.put(ref.sha256(), content);
    }

    static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException failure) {
            throw new IllegalStateException(failure);
        }
    }

    public CompletionStage<BundleChunk> readBundle(String sha256, long offset, int length) {
        RuntimeException failure = failures.poll();
        if (failure != null) {
            return CompletableFuture.failedStage(failure);
        }
        lengths.add(length);
        byte[] content = contents.get(sha256);
        int from = (int) Math.min(offset, content.length);
        int to = Math.min(content.length, from + length);
        return CompletableFuture.completedStage(new BundleChunk(Arrays.copyOfRange(content, from, to)));
    }
}
