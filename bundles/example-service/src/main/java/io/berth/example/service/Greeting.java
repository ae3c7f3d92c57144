package io.berth.example.service;

/** What a ticker says. A plain service of this bundle; nothing of Berth is in it. */
interface Greeting {

    String of(int subtask, int parallelism, long tick);
}
