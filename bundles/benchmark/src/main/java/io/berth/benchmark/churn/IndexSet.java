package io.berth.benchmark.churn;

import java.util.Arrays;

/** A set of numbers below a bound. Its cost depends only on how many numbers it contains. */
final class IndexSet {

    private final int[] addedIn;
    private int[] numbers = new int[8];
    private int size;
    private int turn = 1;

    IndexSet(int bound) {
        addedIn = new int[bound];
    }

    void add(int number) {
        if (addedIn[number] != turn) {
            addedIn[number] = turn;
            if (size == numbers.length) {
                numbers = Arrays.copyOf(numbers, size * 2);
            }
            numbers[size++] = number;
        }
    }

    void addAll() {
        for (int number = 0; number < addedIn.length; number++) {
            add(number);
        }
    }

    /** Removes and returns the numbers that were added since the last call, ascending. */
    int[] take() {
        int[] taken = Arrays.copyOf(numbers, size);
        Arrays.sort(taken);
        size = 0;
        turn++;
        return taken;
    }
}
