"""The processes of the benchmark: upstreams, gateways and load clients. Each is started pinned and stopped by its own id."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request

import machine
import onboarding

HERE = pathlib.Path(__file__).resolve().parent
READY_SECONDS = 60


class Trouble(Exception):
    """Something the reader of the terminal can act on; the message says what."""


class Ports:
    """One port per thing that listens. Two per upstream, because a pool of Sluice needs two different targets."""

    def __init__(self):
        names = ["json", "json2", "burst", "burst2", "paced", "paced2"]
        names += [f"{gateway}_{kind}" for gateway in ("nginx", "floor") for kind in ("json", "burst", "paced")]
        names += ["sluice", "sluice_admin"]
        self.by_name = dict(zip(names, machine.free_ports(len(names))))

    def __getitem__(self, name):
        return self.by_name[name]


class Process:
    """A child with its output in a file."""

    def __init__(self, name, command, core, work, env=None, stdin=None, stdout=None):
        self.name = name
        self.log = work / f"{name}.log"
        self._log_file = open(self.log, "wb")
        self.child = subprocess.Popen(
            command, stdout=stdout or self._log_file, stderr=self._log_file, stdin=stdin or subprocess.DEVNULL,
            env={**os.environ, **(env or {})}, preexec_fn=machine.pinner(core), start_new_session=True)

    def alive(self):
        return self.child.poll() is None

    def pids(self):
        return machine.with_children(self.child.pid)

    def tail(self):
        return self.log.read_text(errors="replace")[-1500:]

    def wait_for_line(self, start, seconds=READY_SECONDS):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            for line in self.log.read_text(errors="replace").splitlines():
                if line.startswith(start):
                    return line
            if not self.alive():
                break
            time.sleep(0.05)
        trouble = Trouble(f"{self.name} did not say '{start}…' within {seconds} s; its output:\n{self.tail()}")
        self.stop()
        raise trouble

    def stop(self):
        if self.alive():
            self.child.terminate()
            try:
                self.child.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(self.child.pid, signal.SIGKILL)
                self.child.wait()
        self._log_file.close()


def _nginx(name, servers, core, work, first_port):
    home = work / name
    home.mkdir(parents=True, exist_ok=True)
    config = home / "nginx.conf"
    user = "user root;" if os.geteuid() == 0 else ""
    temp = "\n".join(f"  {kind}_temp_path {home}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    config.write_text(
        f"{user}\nworker_processes 1;\ndaemon off;\npid {home}/pid;\nerror_log stderr warn;\n"
        f"events {{ worker_connections 4096; }}\nhttp {{\n{temp}\n"
        "  access_log off; tcp_nodelay on; keepalive_timeout 1h; keepalive_requests 100000000;\n"
        f"  client_body_buffer_size 64k;\n{servers}\n}}\n")
    process = Process(name, ["nginx", "-p", str(home), "-c", str(config)], core, work)
    if not machine.wait_for_port(first_port, READY_SECONDS, process.alive):
        process.stop()
        raise Trouble(f"{name} did not start; its output:\n{process.tail()}")
    return process


def nginx_upstream(ports, core, work):
    """Answers every POST with the canned JSON or, on the burst ports, with a whole canned stream at once."""
    answer = (HERE / "answer.json").read_text().strip()
    stream = work / "canned"
    stream.mkdir(parents=True, exist_ok=True)
    (stream / "stream.sse").write_text(onboarding.canned_stream())
    servers = "".join(
        f"  server {{ listen 127.0.0.1:{ports[name]} backlog=2048; location / {{ default_type application/json; return 200 '{answer}'; }} }}\n"
        for name in ("json", "json2"))
    # nginx refuses to answer a POST with a file; the error page is the known way round it.
    servers += "".join(
        f"  server {{ listen 127.0.0.1:{ports[name]} backlog=2048; root {stream}; types {{ text/event-stream sse; }}\n"
        "    location / { error_page 405 =200 /stream.sse; try_files /stream.sse =404; } }\n"
        for name in ("burst", "burst2"))
    return _nginx("nginx-upstream", servers, core, work, ports["json"])


def nginx_proxy(ports, core, work):
    servers = "".join(
        f"  upstream {kind} {{ server 127.0.0.1:{ports[kind]}; keepalive 512; keepalive_requests 100000000; keepalive_timeout 1h; }}\n"
        f"  server {{ listen 127.0.0.1:{ports['nginx_' + kind]} backlog=2048; location / {{ proxy_pass http://{kind};\n"
        "    proxy_http_version 1.1; proxy_set_header Connection ''; proxy_buffering off; } }\n"
        for kind in ("json", "burst", "paced"))
    return _nginx("nginx-proxy", servers, core, work, ports["nginx_json"])


class Java:
    """How every JVM of the benchmark is started."""

    def __init__(self, java, root, collector):
        self.java = java
        self.jar = root / "ops/target/bench/java/bench.jar"
        self.libraries = root / "ops/target/bench/java/lib"
        gc = {"g1": "-XX:+UseG1GC", "serial": "-XX:+UseSerialGC"}[collector]
        # Pinned to one core a JVM would see one processor, take another collector and one compiler thread.
        self.gateway_flags = ["-XX:ActiveProcessorCount=2", gc, "-Xms512m", "-Xmx512m"]
        self.load_flags = ["-XX:ActiveProcessorCount=2", "-XX:+UseSerialGC", "-Xms128m", "-Xmx256m", "-XX:TieredStopAtLevel=4"]

    def version(self):
        text = subprocess.run([self.java, "-version"], capture_output=True, text=True).stderr
        return text.splitlines()[0] if text else "unknown"

    def bench(self, flags, main, *arguments):
        return [self.java, *flags, "-cp", f"{self.jar}:{self.libraries}/*", f"io.sluice.bench.{main}", *map(str, arguments)]


def paced_upstream(java, ports, core, work, chunks, interval_ms):
    process = Process("paced-upstream", java.bench(java.load_flags, "PacedUpstream", chunks, interval_ms, ports["paced"], ports["paced2"]),
                      core, work)
    process.wait_for_line("Paced upstream is ready")
    return process


def floor(java, ports, core, work, native_jars):
    """vertx-http-proxy alone; on the transport that Sluice brings the jars for, so that the two differ only in what they do."""
    pairs = [f"{ports['floor_' + kind]}={ports[kind]}" for kind in ("json", "burst", "paced")]
    command = java.bench(java.gateway_flags, "FloorProxy", *pairs, *([] if native_jars else ["nio"]))
    if native_jars:
        at = command.index("-cp") + 1
        command[at] = ":".join([command[at], *native_jars])
    process = Process("floor", command, core, work)
    process.transport = process.wait_for_line("Floor is ready").rpartition(" ")[2]
    return process


def native_jars(sluice_home):
    return sorted(str(jar) for jar in (sluice_home / "lib").glob("netty-transport-*epoll*.jar")) if sluice_home else []


def sluice(java, ports, core, work, home, extra_env, add):
    """Sluice as `up --empty`, onboarded by GraphQL as a platform engineer would. Returns the process and the keys of both tenants: one
    without bounds, one with caps and limits at every level.

    `add` takes the process into care before anything can fail."""
    token = "bench-" + os.urandom(16).hex()
    data = pathlib.Path(work) / "sluice-data"
    shutil.rmtree(data, ignore_errors=True)  # a second start begins empty too
    env = {"SLUICE_ADMIN_TOKEN": token, "SLUICE_PORT": str(ports["sluice"]), "SLUICE_ADMIN_PORT": str(ports["sluice_admin"]), **extra_env}
    process = Process("sluice", [java.java, *java.gateway_flags, "-jar", str(home / "sluice.jar"), "up", "--empty", "--data-dir", str(data)],
                      core, work, env=env)
    add(process)
    process.wait_for_line("Sluice is ready")
    try:
        url = f"http://127.0.0.1:{ports['sluice_admin']}/graphql"
        keys = {"sluice": onboarding.onboard(url, token, ports), "bounded": onboarding.onboard(url, token, ports, "bounded", True)}
    except (onboarding.Refused, OSError) as refused:
        raise Trouble(f"Sluice could not be onboarded: {refused}\n{process.tail()}")
    return process, keys


def prove_everything_is_on(ports, key, body):
    """One request before the load: answered under a scenario, with its decision record kept and metrics counted."""
    base = f"http://127.0.0.1:{ports['sluice']}/v1"
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}", "X-Business-Scenario": "bench-whole"}
    try:
        with urllib.request.urlopen(urllib.request.Request(f"{base}/chat/completions", body, headers), timeout=10) as answer:
            answer.read()
            trace = answer.headers["x-request-id"]
            absent = [name for name in ("x-sluice-model", "x-sluice-step", "x-sluice-attempts", "x-sluice-epoch") if not answer.headers[name]]
        if absent:
            raise Trouble(f"Sluice answered without {', '.join(absent)}: not everything is on")
        with urllib.request.urlopen(urllib.request.Request(f"{base}/decisions/{trace}", headers=headers), timeout=10) as record:
            json.load(record)
        with urllib.request.urlopen(f"http://127.0.0.1:{ports['sluice_admin']}/metrics", timeout=10) as metrics:
            if b"# TYPE" not in metrics.read():
                raise Trouble("Sluice's /metrics is empty: not everything is on")
    except urllib.error.HTTPError as refused:
        raise Trouble(f"Sluice refused the first request: {refused.url} {refused.code} {refused.read()[:500]!r}")


class StreamLoad:
    """The streaming client: one process for the whole benchmark, told by a line what to do, answering with a line of JSON."""

    def __init__(self, java, core, work):
        self.process = Process("stream-load", java.bench(java.load_flags, "StreamLoad"), core, work, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, port, streams, seconds, request_file, pids, chunks):
        pipe = self.process.child
        pipe.stdin.write(f"{port} {streams} {seconds} {request_file} {','.join(map(str, pids)) or '-'} {chunks}\n".encode())
        pipe.stdin.flush()
        line = pipe.stdout.readline()
        if not line:
            raise Trouble(f"the streaming client ended:\n{self.process.tail()}")
        return json.loads(line)


def wrk(port, connections, seconds, core, env, threads=1):
    """One closed-loop run. Returns wrk's summary and the CPU seconds it took itself."""
    before = os.times()
    done = subprocess.run(
        ["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "-s", str(HERE / "whole.lua"),
         f"http://127.0.0.1:{port}/v1/chat/completions"],
        capture_output=True, text=True, env={**os.environ, **env}, preexec_fn=machine.pinner(core))
    after = os.times()
    lines = [line for line in done.stdout.splitlines() if line.startswith("JSON ")]
    if done.returncode != 0 or not lines:
        raise Trouble(f"wrk failed: {done.stdout}{done.stderr}")
    own = after.children_user + after.children_system - before.children_user - before.children_system
    return json.loads(lines[0][5:]), own
