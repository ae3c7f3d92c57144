package io.berth.runtime.dataflow.state;

/** The key to which states refer. */
final class CurrentKey<K> {

    @SuppressWarnings("NullAway.Init")
    private K key;

    private int hash;
    private int group;

    void set(K newKey, int newHash, int newGroup) {
        key = newKey;
        hash = newHash;
        group = newGroup;
    }

    K key() {
        return key;
    }

    int hash() {
        return hash;
    }

    /** Index among the key groups of the subtask. */
    int group() {
        return group;
    }
}
