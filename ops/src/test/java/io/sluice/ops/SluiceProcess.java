package io.sluice.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sluice as people run it: the packaged jar in a JVM of its own. Closing it kills it where it still runs. */
final class SluiceProcess implements AutoCloseable {
    private static final Duration WAIT_MAX = Duration.ofSeconds(90);
    private static final Pattern CURL =
            Pattern.compile("curl -i\\S* (\\S+) -H 'Authorization: Bearer (\\S+)' .* -d '(.*)'");
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    private final Process process;
    private final Path out;

    private SluiceProcess(Process process, Path out) {
        this.process = process;
        this.out = out;
    }

    /**
     * Starts {@code words}.
     *
     * @param directory for what it prints
     */
    static SluiceProcess start(Path directory, Map<String, String> environment, String... words) throws IOException {
        return start(List.of(), directory, environment, words);
    }

    /** Likewise, by a command that becomes the one that is given to it. */
    static SluiceProcess start(List<String> before, Path directory, Map<String, String> environment, String... words)
            throws IOException {
        List<String> command = new ArrayList<>(before);
        command.addAll(ProductJvm.COMMAND);
        command.addAll(List.of(words));
        Path out = Files.createTempFile(directory, "out", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("SLUICE_"));
        builder.environment().putAll(environment);
        return new SluiceProcess(builder.start(), out);
    }

    /** Starts {@code up} on free ports and waits until it is ready. */
    static SluiceProcess up(Path dataDir, String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of("up", "--data-dir", dataDir.toString()));
        words.addAll(List.of(more));
        SluiceProcess up = start(
                dataDir.getParent(),
                Map.of("SLUICE_PORT", "0", "SLUICE_ADMIN_PORT", "0"),
                words.toArray(String[]::new));
        up.awaitReady();
        return up;
    }

    void awaitReady() throws Exception {
        long untilNs = System.nanoTime() + WAIT_MAX.toNanos();
        while (!printed().contains("is ready")) {
            assertThat(process.isAlive()).as(printed()).isTrue();
            assertThat(System.nanoTime()).as("ready in time: %s", printed()).isLessThan(untilNs);
            Thread.sleep(20);
        }
    }

    boolean runs() {
        return process.isAlive();
    }

    String printed() throws IOException {
        return Files.readString(out, StandardCharsets.UTF_8);
    }

    /** SIGTERM. */
    void terminate() {
        process.destroy();
    }

    /** kill -9. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        assertThat(process.waitFor(WAIT_MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    /** Stops it as a long pause of its machine would, until {@link #resume}. */
    void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    int exitCode() throws InterruptedException {
        assertThat(process.waitFor(WAIT_MAX.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    /** What stands after {@code name} in the greeting. */
    String fact(String name) throws IOException {
        return printed()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(name.length()).strip())
                .findFirst()
                .orElseThrow();
    }

    /** The administrator's token of a first start. */
    String shownToken() throws IOException {
        return fact("Admin token").replaceFirst(" .*", "");
    }

    /** Base address of the management port. */
    String management() throws IOException {
        return fact("Management").replaceFirst("/(graphql|metrics).*", "");
    }

    /** The request that a pasted curl line would send: the first printed one is whole, the second a stream. */
    HttpRequest pasted(int line) throws IOException {
        List<String> curls =
                printed().lines().filter(each -> each.startsWith("curl ")).toList();
        Matcher curl = CURL.matcher(curls.get(line));
        assertThat(curl.matches()).as(curls.get(line)).isTrue();
        return chat(curl.group(1), curl.group(2), curl.group(3));
    }

    /** The demo tenant's key. */
    String demoKey() throws IOException {
        return pasted(0).headers().firstValue("authorization").orElseThrow().replace("Bearer ", "");
    }

    HttpRequest chat(String body) throws IOException {
        return chat(fact("Apps") + "/chat/completions", demoKey(), body);
    }

    /** A chat of {@code key}, or whatever else is posted with a token; further headers as name and value by turns. */
    static HttpRequest chat(String url, String key, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .timeout(WAIT_MAX)
                .header("authorization", "Bearer " + key)
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        return (headers.length == 0 ? request : request.headers(headers)).build();
    }

    HttpResponse<String> send(HttpRequest request) throws Exception {
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<java.util.stream.Stream<String>> open(HttpRequest request) throws Exception {
        return HTTP.send(request, HttpResponse.BodyHandlers.ofLines());
    }

    HttpResponse<String> get(String url) throws Exception {
        return send(HttpRequest.newBuilder(URI.create(url)).timeout(WAIT_MAX).build());
    }

    HttpResponse<String> graphql(String token, String query) throws Exception {
        return send(chat(management() + "/graphql", token, "{\"query\":\"" + query + "\"}"));
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
