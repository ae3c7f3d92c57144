package io.berth.policy.support.distribution;

import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** A queue, the units directly in a queue that has others below, or a claimant: part of the tree of one call. */
final class ClaimNode {

    /** What a node stands for. */
    enum Kind {
        QUEUE,
        OWN,
        CLAIMANT
    }

    private static final Comparator<ClaimNode> ORDER = Comparator.comparingDouble((ClaimNode node) -> node.standing)
            .thenComparing(node -> !node.minimumNext)
            .thenComparingInt(node -> node.number);

    private final Kind kind;
    private final @Nullable ClaimNode parent;
    private final int queue;
    private final String name;
    private final int number;
    private final long[] used;
    private final @Nullable ClaimLeaf leaf;
    /** Those that have something to be admitted, the next one first. */
    private final PriorityQueue<ClaimNode> children = new PriorityQueue<>(ORDER);

    private double standing;
    private boolean minimumNext;

    /** @param number breaks ties, unique in the tree */
    ClaimNode(
            Kind kind,
            @Nullable ClaimNode parent,
            int queue,
            String name,
            int number,
            long[] used,
            @Nullable ClaimLeaf leaf) {
        this.kind = kind;
        this.parent = parent;
        this.queue = queue;
        this.name = name;
        this.number = number;
        this.used = used;
        this.leaf = leaf;
    }

    Kind kind() {
        return kind;
    }

    @Nullable
    ClaimNode parent() {
        return parent;
    }

    int queue() {
        return queue;
    }

    String name() {
        return name;
    }

    long[] used() {
        return used;
    }

    Optional<ClaimLeaf> leaf() {
        return Optional.ofNullable(leaf);
    }

    boolean isLeaf() {
        return leaf != null;
    }

    boolean hasMore() {
        return leaf == null ? !children.isEmpty() : !leaf.isDone();
    }

    /** Takes the child that is next out of the order, until {@link #enter}. */
    ClaimNode takeNext() {
        return children.remove();
    }

    /** Enters the order of the parent, if there is something to be admitted. */
    void enter(TreeAdmission.Standing standings) {
        ClaimNode above = parent;
        if (above == null || !hasMore()) {
            return;
        }
        standing = kind == Kind.CLAIMANT
                ? standings.ofClaimant(queue, name, used)
                : standings.ofQueue(queue, kind == Kind.OWN, used);
        minimumNext = leaf == null ? children.element().minimumNext : leaf.isMinimumNext();
        above.children.add(this);
    }
}
