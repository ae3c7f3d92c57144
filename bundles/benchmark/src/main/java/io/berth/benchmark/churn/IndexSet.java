package io.berth.benchmark.churn;

import java.util.Arrays;

/** Numbers below a bound, each once, at the cost of how many there are. */
final class Changed {

    private final int[] addedIn;
    private int[] numbers = new int[8];
    private int size;
    private int turn = 1;

    Changed(int bound) {
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

    /** Those added since the last time, ascending. */
    int[] take() {
        int[] taken = Arrays.copyOf(numbers, size);
        Arrays.sort(taken);
        size = 0;
        turn++;
        return taken;
    }
}
