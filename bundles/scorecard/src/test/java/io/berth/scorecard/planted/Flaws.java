package io.berth.scorecard.planted;

import io.berth.scorecard.planted.FlawedStrategy.Answer;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.WorkersView;
import java.util.function.BiFunction;

/** Ways to be a flawed strategy. */
final class Flaws {

    private Flaws() {}

    interface Placing {
        Answer answer(WorkersView workers, AdmittedView admitted, PlacementBuilder to);
    }

    static FlawedStrategy answering(Placing placing) {
        return new FlawedStrategy() {
            @Override
            Answer answer(WorkersView workers, AdmittedView admitted, PlacementBuilder to) {
                return placing.answer(workers, admitted, to);
            }
        };
    }

    /** Places what a function of the answer and the entry allows. */
    static FlawedStrategy placing(BiFunction<Answer, Integer, Boolean> allowed) {
        return answering((workers, admitted, to) -> new Answer(workers, admitted, to) {
            @Override
            public void place(int entry, int worker, int count) {
                if (allowed.apply(this, entry)) {
                    super.place(entry, worker, count);
                }
            }
        });
    }

    /** Moves slots of some entries to the first worker. */
    static FlawedStrategy moving(BiFunction<Answer, Integer, Boolean> moved) {
        return answering((workers, admitted, to) -> new Answer(workers, admitted, to) {
            @Override
            public void place(int entry, int worker, int count) {
                super.place(entry, moved.apply(this, entry) && workers.present(0) ? 0 : worker, count);
            }
        });
    }

    interface Ending {
        void end(Answer answer);
    }

    static FlawedStrategy ending(Ending ending) {
        return answering((workers, admitted, to) -> new Answer(workers, admitted, to) {
            @Override
            void end() {
                ending.end(this);
            }
        });
    }
}
