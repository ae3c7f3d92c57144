package io.berth.core.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.DispatcherGateway.BundleChunk;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.rpc.RpcException.Kind;
import io.berth.core.api.time.SystemClock;
import io.berth.core.api.time.SystemTimers;
import io.berth.core.security.ClusterSecurity;
import io.berth.core.security.LiveCredentials;
import io.berth.core.security.fake.TestAuthority;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls between processes with certificates: who may call what, and who is out. */
class SecuredCallTest {

    private static final String CONTROL_PLANE = "spiffe://main/control-plane/a";
    private static final String JOB_MASTERS = "spiffe://main/job-master/a";
    private static final JobId JOB = new JobId("job-1");

    @TempDir
    private Path folder;

    private final PrintStream stderr = System.err;
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final SystemTimers timers = new SystemTimers("test-credentials");
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final Map<String, LiveCredentials> credentials = new HashMap<>();
    private final AtomicInteger reached = new AtomicInteger();
    private TestAuthority authority;
    private RunningRpc receiver;

    @BeforeEach
    void begin() throws Exception {
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        authority = new TestAuthority(Instant.now());
        receiver = start("receiver", authority.issue(CONTROL_PLANE, JOB_MASTERS));
    }

    @AfterEach
    void end() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        timers.close();
        System.setErr(stderr);
    }

    private RunningRpc start(String name, TestAuthority.Issued issued) throws Exception {
        return start(authority, name, issued);
    }

    private RunningRpc start(TestAuthority by, String name, TestAuthority.Issued issued) throws Exception {
        LiveCredentials live = LiveCredentials.open(by.write(folder.resolve(name), issued), timers, new SystemClock());
        open.push(live);
        credentials.put(name, live);
        RunningRpc rpc =
                RpcServices.start(RpcConfig.defaults(name).withCallDeadlineMillis(20_000), ClusterSecurity.by(live));
        open.push(rpc);
        return rpc;
    }

    private RunningRpc worker(String id) throws Exception {
        return start(id, authority.issue("spiffe://main/worker/" + id));
    }

    @SuppressWarnings("unused")
    private final class Dispatcher {
        CompletionStage<BundleChunk> readBundle(String sha256, long offset, int length) {
            reached.incrementAndGet();
            return CompletableFuture.completedFuture(new BundleChunk(new byte[17]));
        }
    }

    @SuppressWarnings("unused")
    private final class JobMaster {
        CompletionStage<Acknowledge> failSlot(
                WorkerId worker, WorkerSessionId session, AllocationId allocation, String cause) {
            reached.incrementAndGet();
            return CompletableFuture.completedFuture(Acknowledge.ACKNOWLEDGE);
        }

        CompletionStage<Acknowledge> cancel(String cause) {
            reached.incrementAndGet();
            return CompletableFuture.completedFuture(Acknowledge.ACKNOWLEDGE);
        }
    }

    private EndpointRef dispatcher() {
        return receiver.serve(
                        EndpointName.DISPATCHER,
                        Samples.token(1),
                        DispatcherGateway.class,
                        PartialGateway.of(DispatcherGateway.class, new Dispatcher()))
                .endpoint();
    }

    private EndpointRef jobMaster() {
        return receiver.serve(
                        EndpointName.jobMaster(JOB),
                        Samples.token(1),
                        JobMasterGateway.class,
                        PartialGateway.of(JobMasterGateway.class, new JobMaster()))
                .endpoint();
    }

    private static CompletableFuture<BundleChunk> read(RunningRpc sender, EndpointRef endpoint) {
        return sender.dispatcher(endpoint).readBundle("ab", 1, 2).toCompletableFuture();
    }

    private static CompletableFuture<Acknowledge> failSlot(RunningRpc sender, EndpointRef endpoint, String worker) {
        return sender.jobMaster(endpoint)
                .failSlot(new WorkerId(worker), Samples.SESSION, new AllocationId(1, 2), "test")
                .toCompletableFuture();
    }

    private void logContains(String... texts) {
        Awaitility.await()
                .atMost(20, TimeUnit.SECONDS)
                .untilAsserted(
                        () -> assertThat(log.toString(StandardCharsets.UTF_8)).contains(texts));
    }

    private static RpcException failure(CompletableFuture<?> call) throws Exception {
        return CallContract.failure(call);
    }

    @Test
    void aRoleThatMayCallIsServed() throws Exception {
        EndpointRef endpoint = dispatcher();
        RunningRpc sender = worker("w-1");
        assertThat(sender.resolve(receiver.address(), EndpointName.DISPATCHER)
                        .toCompletableFuture()
                        .get(20, TimeUnit.SECONDS))
                .isEqualTo(endpoint);
        assertThat(read(sender, endpoint).get(20, TimeUnit.SECONDS).content()).hasSize(17);
    }

    @Test
    void aRoleThatMayNotCallIsDeniedAndLogged() throws Exception {
        RpcException denied = failure(
                worker("w-1").jobMaster(jobMaster()).cancel("by a worker").toCompletableFuture());
        assertThat(denied.kind()).isEqualTo(Kind.DENIED);
        assertThat(denied).hasMessageContaining("is for processes of role control-plane, and the caller is worker w-1");
        assertThat(reached).hasValue(0);
        logContains("worker w-1 of cluster main", "127.0.0.1:");
    }

    @Test
    void aWorkerSpeaksOnlyForItself() throws Exception {
        EndpointRef endpoint = jobMaster();
        RunningRpc sender = worker("w-1");
        assertThat(failSlot(sender, endpoint, "w-1").get(20, TimeUnit.SECONDS)).isNotNull();
        RpcException denied = failure(failSlot(sender, endpoint, "w-2"));
        assertThat(denied.kind()).isEqualTo(Kind.DENIED);
        assertThat(denied).hasMessageContaining("names worker w-2, and the caller is worker w-1");
        assertThat(reached).hasValue(1);
    }

    @Test
    void aWorkerRegistersOnlyItsOwnEndpoint() throws Exception {
        EndpointRef endpoint = jobMaster();
        RunningRpc sender = worker("w-1");
        EndpointRef ofAnother =
                new EndpointRef(sender.address(), EndpointName.worker(new WorkerId("w-2")), Samples.token(1));
        RpcException denied = failure(sender.jobMaster(endpoint)
                .registerWorker(new WorkerAtJob(
                        new WorkerId("w-1"),
                        Samples.SESSION,
                        ofAnother,
                        "127.0.0.1:1",
                        ResourceProfile.of(1_000, 1L << 20),
                        1))
                .toCompletableFuture());
        assertThat(denied.kind()).isEqualTo(Kind.DENIED);
        assertThat(denied).hasMessageContaining("names worker w-2");
    }

    @Test
    void aProcessThatDoesNotServeAnEndpointIsNotCalled() throws Exception {
        RunningRpc impostor = worker("w-2");
        AtomicInteger asked = new AtomicInteger();
        EndpointRef endpoint = impostor.serve(
                        EndpointName.DISPATCHER,
                        Samples.token(1),
                        DispatcherGateway.class,
                        PartialGateway.of(DispatcherGateway.class, new Object(), message -> {
                            asked.incrementAndGet();
                            return new IllegalStateException(message);
                        }))
                .endpoint();
        RpcException denied = failure(read(worker("w-1"), endpoint));
        assertThat(denied.kind()).isEqualTo(Kind.DENIED);
        assertThat(denied).hasMessageContaining("endpoint dispatcher is not served by worker w-2");
        assertThat(asked).hasValue(0);
    }

    @Test
    void certificatesOfOthersDoNotConnect() throws Exception {
        EndpointRef endpoint = dispatcher();
        TestAuthority foreign = new TestAuthority(Instant.now());
        foreign.alsoTrusts(authority);
        RunningRpc stranger = start(foreign, "stranger", foreign.issue("spiffe://main/worker/w-1"));
        assertThat(failure(read(stranger, endpoint)).kind()).isEqualTo(Kind.UNREACHABLE);
        logContains("its TLS handshake failed: no authority of this cluster signed certificate");
        RunningRpc other = start("other", authority.issue("spiffe://other/worker/w-1"));
        assertThat(failure(read(other, endpoint)).kind()).isEqualTo(Kind.UNREACHABLE);
        RunningRpc plain = RpcServices.start(RpcConfig.defaults("plain"), ClusterSecurity.NONE);
        open.push(plain);
        assertThat(failure(read(plain, endpoint)).kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(reached).hasValue(0);
        logContains("does not speak TLS, first bytes 505249");
    }

    @Test
    void aClientWithoutCertificateOrWithOldTlsIsOut() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustsAll()}, null);
        for (String protocol : List.of("TLSv1.3", "TLSv1.2")) {
            try (SSLSocket socket = (SSLSocket) context.getSocketFactory()
                    .createSocket(
                            InetAddress.getByName(receiver.address().host()),
                            receiver.address().port())) {
                socket.setSoTimeout(20_000);
                socket.setEnabledProtocols(new String[] {protocol});
                assertThatThrownBy(() -> {
                            socket.startHandshake();
                            // With TLS 1.3 a client learns of it when it reads.
                            socket.getInputStream().read();
                        })
                        .isInstanceOf(SSLException.class);
                logContains("127.0.0.1:" + socket.getLocalPort(), "its TLS handshake failed");
            }
        }
    }

    @Test
    void aMemberOfTheClusterCannotFallBackToOldTls() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(new KeyManager[] {credentials.get("receiver").keys()}, new TrustManager[] {new TrustsAll()}, null);
        handshake(context, "TLSv1.3");
        assertThatThrownBy(() -> handshake(context, "TLSv1.2"))
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("protocol_version");
    }

    private void handshake(SSLContext context, String protocol) throws Exception {
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory()
                .createSocket(
                        InetAddress.getByName(receiver.address().host()),
                        receiver.address().port())) {
            socket.setSoTimeout(20_000);
            socket.setEnabledProtocols(new String[] {protocol});
            socket.startHandshake();
        }
    }

    private static final class TrustsAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @Test
    void aSilentClientIsClosed() throws Exception {
        try (Socket socket = new Socket(
                InetAddress.getByName(receiver.address().host()),
                receiver.address().port())) {
            socket.setSoTimeout(20_000);
            // The beginning of a record whose rest never comes.
            socket.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1});
            assertThat(socket.getInputStream().read()).isLessThan(0);
            logContains("127.0.0.1:" + socket.getLocalPort(), "did not begin the protocol within");
        }
    }

    @Test
    void aRevokedPeerWithANewCertificateIsLetInAgain() throws Exception {
        EndpointRef endpoint = dispatcher();
        TestAuthority.Issued issued = authority.issue("spiffe://main/worker/w-1");
        RunningRpc sender = start("w-1", issued);
        read(sender, endpoint).get(20, TimeUnit.SECONDS);
        TestAuthority.Issued next = authority.issue("spiffe://main/worker/w-1");
        authority.write(folder.resolve("w-1"), next);
        Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> shows("w-1", next));
        authority.revoke(folder.resolve("receiver"), List.of(issued));
        logContains("its peer is not trusted any more");
        Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> works(sender, endpoint));
    }

    @Test
    void aRevokedPeerIsOutAlsoOnOpenConnections() throws Exception {
        EndpointRef endpoint = dispatcher();
        TestAuthority.Issued issued = authority.issue("spiffe://main/worker/w-1");
        RunningRpc revoked = start("w-1", issued);
        RunningRpc other = worker("w-2");
        read(revoked, endpoint).get(20, TimeUnit.SECONDS);
        read(other, endpoint).get(20, TimeUnit.SECONDS);
        authority.revoke(folder.resolve("receiver"), List.of(issued));
        Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> !works(revoked, endpoint));
        logContains("its peer is not trusted any more", "is revoked");
        read(other, endpoint).get(20, TimeUnit.SECONDS);
    }

    private static boolean works(RunningRpc sender, EndpointRef endpoint) throws Exception {
        try {
            read(sender, endpoint).get(20, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException failed) {
            return false;
        }
    }

    @Test
    void certificatesAreReplacedWhileCallsGoOn() throws Exception {
        EndpointRef endpoint = dispatcher();
        RunningRpc sender = worker("w-1");
        read(sender, endpoint).get(20, TimeUnit.SECONDS);
        TestAuthority.Issued ofReceiver = authority.issue(CONTROL_PLANE, JOB_MASTERS);
        TestAuthority.Issued ofSender = authority.issue("spiffe://main/worker/w-1");
        authority.write(folder.resolve("receiver"), ofReceiver);
        authority.write(folder.resolve("w-1"), ofSender);
        Awaitility.await().atMost(20, TimeUnit.SECONDS).until(() -> {
            read(sender, endpoint).get(20, TimeUnit.SECONDS);
            return shows("receiver", ofReceiver) && shows("w-1", ofSender);
        });
        assertThat(shownTo(receiver)).isEqualTo(ofReceiver.certificate());
        // A new connection, with the new certificates.
        read(worker("w-3"), endpoint).get(20, TimeUnit.SECONDS);
    }

    private boolean shows(String name, TestAuthority.Issued issued) {
        return credentials.get(name).current().chain().get(0).equals(issued.certificate());
    }

    /** The certificate that a new client gets to see. */
    private static X509Certificate shownTo(RunningRpc server) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustsAll()}, null);
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory()
                .createSocket(
                        InetAddress.getByName(server.address().host()),
                        server.address().port())) {
            socket.setSoTimeout(20_000);
            socket.startHandshake();
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    @Test
    void otherAddressesThanLoopbackNeedCertificates() {
        RpcConfig anywhere = new RpcConfig("0.0.0.0", "127.0.0.1", 0, "anywhere", 1_000, 1_000, 65_536, 1_000, 16, 1);
        assertThatThrownBy(() -> RpcServices.start(anywhere, ClusterSecurity.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("host is '0.0.0.0': allowed is a loopback address")
                .hasMessageContaining("io.berth.core.security");
    }
}
