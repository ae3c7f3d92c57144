package io.berth.runtime.dataflow.state;

/** The key that states stand at. */
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

    /** Index among the subtask's key groups. */
    int group() {
        return group;
    }
}
