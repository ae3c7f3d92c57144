package io.berth.simulator.network;

import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.rpc.RpcException.Kind;
import io.berth.core.rpc.InProcessAnswer;
import io.berth.core.rpc.InProcessCall;
import io.berth.core.rpc.InProcessRpc;
import io.berth.simulator.network.Coverage.Fate;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.Trace;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.time.VirtualTime.What;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Transports the calls of simulated processes. A call has two messages, the request and the answer. Each takes time,
 * and an {@link Interference} or the {@link NetworkConditions} decides what happens to it. Callers get the same failures as over
 * sockets: unreachable when nobody listens or the connection broke, and a timeout when no answer came.
 */
public final class Network {

    /** How soon the callers of a process notice that it is gone. */
    private static final long RESET_NANOS = 5 * VirtualTime.MILLI;
    /** Within a process. */
    private static final long LOCAL_NANOS = 20_000;

    private static final long CONNECT_TIMEOUT_NANOS = 3 * VirtualTime.SECOND;
    private static final long REORDER_WAIT_NANOS = 2 * VirtualTime.SECOND;

    /** Manipulates messages on purpose. */
    public interface Interference {

        /** The operator to apply to the message; empty: none. */
        Optional<Operator> on(Message message);

        /** The sender of the message is to be killed soon; the message waits for that. */
        void awaitsDeath(Message message);

        /** A copy of the message arrives when the sender or the receiver has another epoch. */
        void awaitsEpoch(Message message);

        /** A process is dead: messages that waited for it arrive. */
        default void died(Incarnation process) {}

        /** A process has another epoch: messages that waited for it arrive. */
        default void epochChanged() {}
    }

    /** One direction between two processes. */
    private record Link(RpcAddress from, RpcAddress to) {}

    /** A process that can be reached. */
    public record Reachable(Incarnation process, InProcessRpc rpc) {}

    private final VirtualTime time;
    private final Incarnation world;
    private final Trace trace;
    private final RandomGenerator random;
    private final NetworkConditions conditions;
    private final MessageKinds kinds;
    private final Coverage coverage;
    private final long callDeadlineNanos;
    private final Map<RpcAddress, Reachable> reachable = new LinkedHashMap<>();
    private final SortedMap<Long, Call> open = new TreeMap<>();
    private final Map<Link, Message> heldBack = new LinkedHashMap<>();
    private Interference interference;
    private final Consumer<String> broken;
    private long messages;
    private long calls;

    public Network(
            VirtualTime time,
            Incarnation world,
            Trace trace,
            RandomGenerator random,
            NetworkConditions conditions,
            MessageKinds kinds,
            Coverage coverage,
            long callDeadlineMillis,
            Interference interference,
            Consumer<String> broken) {
        this.time = time;
        this.world = world;
        this.trace = trace;
        this.random = random;
        this.conditions = conditions;
        this.kinds = kinds;
        this.coverage = coverage;
        this.callDeadlineNanos = callDeadlineMillis * VirtualTime.MILLI;
        this.interference = interference;
        this.broken = broken;
    }

    Coverage coverage() {
        return coverage;
    }

    NetworkConditions conditions() {
        return conditions;
    }

    public void interference(Interference other) {
        interference = other;
    }

    /** The transport of a process that starts. The process is reachable at the address from now on. */
    public InProcessRpc listen(Incarnation process, RpcAddress address, boolean written) {
        InProcessRpc rpc = new InProcessRpc(address, call -> carry(process, address, call), written);
        reachable.put(address, new Reachable(process, rpc));
        return rpc;
    }

    /** The process is gone: nobody listens at its address, and its connections break. */
    public void gone(Incarnation process) {
        reachable.values().removeIf(there -> there.process() == process);
        for (Call call : List.copyOf(open.values())) {
            if (call.caller == process) {
                open.remove(call.number);
            } else if (call.reached.filter(there -> there == process).isPresent()) {
                fail(call, Kind.UNREACHABLE, "the connection broke", RESET_NANOS);
            }
        }
    }

    /** One call of a process, until the process knows its outcome. */
    private static final class Call {
        final long number;
        final Incarnation caller;
        final RpcAddress callerAddress;
        final InProcessCall<?> carried;
        private Optional<Incarnation> reached = Optional.empty();

        @SuppressWarnings("NullAway.Init")
        private VirtualTime.Event deadline;

        Call(long number, Incarnation caller, RpcAddress callerAddress, InProcessCall<?> carried) {
            this.number = number;
            this.caller = caller;
            this.callerAddress = callerAddress;
            this.carried = carried;
        }
    }

    /** A request or an answer. */
    public static final class Message {
        final long number;
        public final int kind;
        public final String name;
        private final boolean heartbeat;
        public final Incarnation sender;
        final RpcAddress from;
        public final RpcAddress to;
        private final Call call;
        private final Optional<InProcessAnswer> answer;

        private Message(
                long number,
                int kind,
                String name,
                boolean heartbeat,
                Incarnation sender,
                RpcAddress from,
                RpcAddress to,
                Call call,
                Optional<InProcessAnswer> answer) {
            this.number = number;
            this.kind = kind;
            this.name = name;
            this.heartbeat = heartbeat;
            this.sender = sender;
            this.from = from;
            this.to = to;
            this.call = call;
            this.answer = answer;
        }

        public boolean isHeartbeat() {
            return heartbeat;
        }

        boolean isAnswer() {
            return answer.isPresent();
        }

        /** The target of the message's call. */
        String target() {
            return call.carried.target().name().value();
        }

        private Link link() {
            return new Link(from, to);
        }

        @Override
        public String toString() {
            return "message " + number + " " + name + " of " + sender + " to " + to + " for " + target() + ": "
                    + answer.map(InProcessAnswer::text).orElseGet(call.carried::text);
        }
    }

    /** What happens to a message; formatted only when somebody reads it. */
    private record Said(String what, Message message) {

        @Override
        public String toString() {
            return what + " " + message;
        }
    }

    /** A call without an answer; formatted only when somebody reads it. */
    private record Failed(Call call, Kind kind, String text) {

        @Override
        public String toString() {
            return "call " + call.carried.method() + " of " + call.caller + " to "
                    + call.carried.target().address() + " fails: " + kind + " " + text;
        }
    }

    private void carry(Incarnation caller, RpcAddress from, InProcessCall<?> carried) {
        Call call = new Call(++calls, caller, from, carried);
        open.put(call.number, call);
        call.deadline = caller.in(callDeadlineNanos, What.DEADLINE, () -> {
            open.remove(call.number);
            carried.fail(Kind.DEADLINE, "no answer within " + callDeadlineNanos / VirtualTime.MILLI + " ms");
        });
        int kind = kinds.request(carried.method());
        Message request = new Message(
                ++messages,
                kind,
                carried.method(),
                kinds.isHeartbeat(kind),
                caller,
                from,
                carried.target().address(),
                call,
                Optional.empty());
        send(request);
    }

    private void send(Message message) {
        coverage.became(Fate.SENT, message.kind);
        if (message.to.equals(message.from)) {
            arriveIn(message, LOCAL_NANOS + random.nextLong(LOCAL_NANOS));
            return;
        }
        Optional<Operator> operator = interference.on(message);
        operator.ifPresent(applied -> {
            coverage.applied(message.kind, applied);
            trace.logLazily(new Said(applied.name(), message));
        });
        if (operator.isEmpty()) {
            if (conditions.loses()) {
                trace.logLazily(new Said("lost", message));
                lose(message, Fate.LOST);
            } else {
                arriveIn(message, conditions.latencyNanos());
            }
        } else {
            apply(operator.get(), message);
        }
        if (!heldBack.isEmpty()) {
            overtaken(message);
        }
    }

    private void overtaken(Message by) {
        Message other = heldBack.get(by.link());
        if (other != null && other != by) {
            heldBack.remove(by.link());
            arriveIn(other, conditions.latencyNanos() + 2 * VirtualTime.MILLI + NetworkConditions.LATENCY_SPREAD_NANOS);
        }
    }

    private void apply(Operator operator, Message message) {
        switch (operator) {
            case LOSE -> lose(message, Fate.LOST);
            case DUPLICATE -> copies(message, 2);
            case DUPLICATE_100 -> copies(message, 100);
            case REORDER -> {
                Message before = heldBack.put(message.link(), message);
                if (before != null) {
                    arriveIn(before, conditions.latencyNanos());
                }
                time.in(REORDER_WAIT_NANOS, What.MESSAGE, world, () -> {
                    if (heldBack.remove(message.link(), message)) {
                        arriveIn(message, conditions.latencyNanos());
                    }
                });
            }
            case DELAY -> arriveIn(message, callDeadlineNanos + random.nextLong(4 * callDeadlineNanos));
            case AFTER_DEATH -> interference.awaitsDeath(message);
            case OLD_EPOCH -> {
                arriveIn(message, conditions.latencyNanos());
                interference.awaitsEpoch(message);
            }
        }
    }

    private void copies(Message message, int count) {
        for (int copy = 0; copy < count; copy++) {
            arriveIn(message, conditions.latencyNanos() + (copy == 0 ? 0 : random.nextLong(20 * VirtualTime.MILLI)));
        }
    }

    /** Loses a request: sometimes its connection breaks with it, otherwise its caller waits. */
    private void lose(Message message, Fate fate) {
        coverage.became(fate, message.kind);
        if (!message.isAnswer() && random.nextInt(3) == 0) {
            fail(message.call, Kind.UNREACHABLE, "the connection could not be made", CONNECT_TIMEOUT_NANOS);
        }
    }

    /** Delivers the message after that time to the process that then listens at its address. */
    public void arriveIn(Message message, long nanos) {
        time.in(nanos, message.isAnswer() ? What.ANSWER : What.MESSAGE, world, () -> arrive(message));
    }

    private void arrive(Message message) {
        if (conditions.isCut(message.from, message.to)) {
            trace.logLazily(new Said("cut off", message));
            lose(message, Fate.CUT_OFF);
        } else if (message.isAnswer()) {
            answered(message);
        } else {
            requested(message);
        }
    }

    private void requested(Message message) {
        Reachable there = reachable.get(message.to);
        if (there == null) {
            coverage.became(Fate.UNREACHABLE, message.kind);
            fail(message.call, Kind.UNREACHABLE, "connection refused", conditions.latencyNanos());
            return;
        }
        if (there.process().isPaused()) {
            // The operating system accepts it, and the process reads it when it continues.
            there.process().in(0, What.MESSAGE, () -> requested(message));
            return;
        }
        Call call = message.call;
        call.reached = Optional.of(there.process());
        coverage.became(Fate.ARRIVED, message.kind);
        trace.mix(message.kind);
        trace.mix(call.carried.contentHash());
        trace.logLazily(message);
        if (!message.isHeartbeat()) {
            there.process().touched();
        }
        boolean stale = isStale(there, call.carried);
        call.carried.arrive(there.rpc(), answer -> {
            if (stale
                    && answer.failure()
                            .filter(failure -> failure.kind() == Kind.FENCED || failure.kind() == Kind.NOT_FOUND)
                            .isEmpty()) {
                broken.accept("E: " + message + " is for a former holder of the role and was taken");
            }
            if (answer.failure()
                    .filter(failure -> failure.kind() == Kind.FENCED)
                    .isPresent()) {
                coverage.became(Fate.FENCED, message.kind);
            }
            if (!there.process().isAlive()) {
                return;
            }
            send(new Message(
                    ++messages,
                    message.kind + 1,
                    kinds.name(message.kind + 1),
                    message.heartbeat,
                    there.process(),
                    message.to,
                    call.callerAddress,
                    call,
                    Optional.of(answer)));
        });
    }

    /** Whether a call is for a former holder of the role. */
    private static boolean isStale(Reachable there, InProcessCall<?> carried) {
        return !carried.method().equals(MessageKinds.RESOLVE) && !there.rpc().serves(carried.target());
    }

    private void answered(Message message) {
        Call call = message.call;
        if (!call.caller.isAlive() || call.carried.isDone()) {
            coverage.became(Fate.TOO_LATE, message.kind);
            return;
        }
        if (call.caller.isPaused()) {
            call.caller.in(0, What.ANSWER, () -> answered(message));
            return;
        }
        coverage.became(Fate.ARRIVED, message.kind);
        InProcessAnswer answer = message.answer.orElseThrow();
        trace.mix(message.kind);
        trace.mix(answer.contentHash());
        trace.logLazily(message);
        if (!message.isHeartbeat()) {
            call.caller.touched();
        }
        closed(call);
        answer.deliver();
    }

    private void fail(Call call, Kind kind, String text, long nanos) {
        call.caller.in(nanos, What.ANSWER, () -> {
            if (!call.carried.isDone()) {
                closed(call);
                trace.logLazily(new Failed(call, kind, text));
                call.carried.fail(kind, text);
            }
        });
    }

    private void closed(Call call) {
        open.remove(call.number);
        call.deadline.cancel();
    }

    /** How many calls have no outcome yet. */
    public int open() {
        return open.size();
    }

    public List<Reachable> reachable() {
        return new ArrayList<>(reachable.values());
    }
}
