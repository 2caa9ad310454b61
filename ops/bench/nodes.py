"""Clusters of the benchmark: nodes of the packaged jar with a Redis of their own, as `ops/sluice cluster N` starts them."""

import os
import re
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

import entrants
import machine
import onboarding

# As the product runs: with parallelism 1 every answer of Hazelcast would start a thread.
NODE_FLAGS = ["-Djava.util.concurrent.ForkJoinPool.common.parallelism=2"]
SERVES_SECONDS = 60
SCRAPES = 20  # CPU is counted in ticks of 10 ms
SOCKET_FIGURES = {"bytes": ("bytes_sent", "bytes_received"), "packets": ("data_segs_out", "data_segs_in")}


class Redis:
    """A redis-server that writes every change to disk before it answers, as a cluster needs it."""

    def __init__(self, name, core, work, data):
        self.port = machine.free_ports(1)[0]
        self.password = os.urandom(16).hex()
        data.mkdir(parents=True, exist_ok=True)
        config = work / f"{name}.conf"
        config.write_text(f"bind 127.0.0.1\nport {self.port}\nrequirepass {self.password}\ndir {data}\nsave \"\"\nappendonly yes\n"
                          "appendfsync always\nmaxmemory-policy noeviction\n")
        self.process = entrants.Process(name, ["redis-server", str(config)], core, work)
        if not machine.wait_for_port(self.port, entrants.READY_SECONDS, self.process.alive):
            self.process.stop()
            raise entrants.Trouble(f"{name} did not start; its output:\n{self.process.tail()}")

    def figures(self):
        """Commands so far, and bytes that went in or out."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as link:
            link.sendall(f"AUTH {self.password}\r\nINFO stats\r\nQUIT\r\n".encode())
            text = b"".join(iter(lambda: link.recv(65536), b"")).decode(errors="replace")
        stats = dict(re.findall(r"^(\w+):(\d+)\r$", text, re.MULTILINE))
        return {"commands": int(stats["total_commands_processed"]), "bytes": int(stats["total_net_input_bytes"]) + int(stats["total_net_output_bytes"])}


class Cluster:
    """Some nodes and their Redis. `data` outlives it: who starts another there finds the tenants of the first."""

    def __init__(self, name, size, java, cores, work, home, data, add):
        self.name, self.size, self.data = name, size, data
        load_core, self.core = cores
        self.token = "bench-" + name
        self.redis = Redis(f"redis-{name}", load_core, work, data / "redis")
        add(self.redis.process)
        ports = machine.free_ports(4 * size)
        self.ports, self.admin_ports, self.member_ports, self.bus_ports = (ports[i * size:(i + 1) * size] for i in range(4))
        self.nodes = []
        began = time.monotonic()
        for i in range(size):
            env = {"SLUICE_ADMIN_TOKEN": self.token, "SLUICE_SECRET_KEY": "the-secret-of-all-nodes", "SLUICE_EVENT_LOOPS": "1",
                   "SLUICE_PORT": str(self.ports[i]), "SLUICE_ADMIN_PORT": str(self.admin_ports[i]), "SLUICE_CLUSTER": "true",
                   "SLUICE_NODE": f"node-{i}", "SLUICE_CLUSTER_NAME": f"bench-{os.getpid()}-{name}", "SLUICE_CLUSTER_PORT": str(self.member_ports[i]),
                   "SLUICE_CLUSTER_BUS_PORT": str(self.bus_ports[i]),
                   "SLUICE_CLUSTER_MEMBERS": ",".join(f"127.0.0.1:{port}" for port in self.member_ports),
                   "SLUICE_REDIS_URLS": f"redis://127.0.0.1:{self.redis.port}", "SLUICE_REDIS_PASSWORD": self.redis.password}
            command = [java.java, *java.gateway_flags, *NODE_FLAGS, "-jar", str(home / "sluice.jar"), "up", "--empty", "--data-dir", str(data / f"node-{i}")]
            self.nodes.append(entrants.Process(f"{name}-node-{i}", command, self.core, work, env=env))
            add(self.nodes[-1])
        for node in self.nodes:
            node.wait_for_line("Sluice is ready", 3 * entrants.READY_SECONDS)
        self.start_seconds = time.monotonic() - began

    def url(self):
        return f"http://127.0.0.1:{self.admin_ports[0]}/graphql"

    def pids(self):
        return [node.child.pid for node in self.nodes]

    def fill(self, fill, ports, *arguments):
        """Onboards by `fill` and gives its (key, scenario) pairs."""
        try:
            onboarding.onboard_platform(self.url(), self.token, ports)
            return fill(self.url(), self.token, *arguments)
        except (onboarding.Refused, OSError) as refused:
            raise entrants.Trouble(f"{self.name} could not be onboarded: {refused}\n{self.nodes[0].tail()}") from refused

    def wait_until_all_serve(self, key, scenario):
        """Other nodes hear of a new key a moment later."""
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}", "X-Business-Scenario": scenario}
        for port in self.ports:
            deadline, seen = time.monotonic() + SERVES_SECONDS, None
            while seen != 200:
                try:
                    request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/chat/completions", onboarding.chat_body(False), headers)
                    with urllib.request.urlopen(request, timeout=10) as answer:
                        seen = answer.status
                except (urllib.error.URLError, OSError) as refused:
                    seen = refused
                    time.sleep(0.2)
                if time.monotonic() > deadline:
                    raise entrants.Trouble(f"a node of {self.name} does not serve the new key: {seen}")

    def traffic(self):
        """Bytes and packets with data that members and the bus exchanged so far, both ways, and what Redis did. A connection has one end at
        the port of who was called, so each is counted once."""
        ports = {port: kind for kind, of in (("hazelcast", self.member_ports), ("bus", self.bus_ports)) for port in of}
        shown = subprocess.run(["ss", "-tinOH", "state", "established"], capture_output=True, text=True, check=True).stdout
        total = {f"{kind}.{figure}": 0 for kind in ("hazelcast", "bus") for figure in SOCKET_FIGURES}
        for line in shown.splitlines():
            local = re.match(r"\s*\d+\s+\d+\s+\S+:(\d+)\s", line)
            kind = ports.get(int(local.group(1))) if local else None
            if kind:
                told = dict(re.findall(r"(\w+):(\d+)\b", line))
                for figure, names in SOCKET_FIGURES.items():
                    total[f"{kind}.{figure}"] += sum(int(told.get(name, 0)) for name in names)
        return total | {f"redis.{figure}": value for figure, value in self.redis.figures().items()}

    def scrape(self):
        """KB of /metrics of the first node, and CPU milliseconds that one scrape costs it."""
        before = machine.cpu_ticks(self.pids()[:1])
        for _ in range(SCRAPES):
            with urllib.request.urlopen(f"http://127.0.0.1:{self.admin_ports[0]}/metrics", timeout=60) as answer:
                size = len(answer.read())
        return size / 1024, (machine.cpu_ticks(self.pids()[:1]) - before) * machine.TICK_SECONDS * 1e3 / SCRAPES

    def live_heap_mb(self, jcmd):
        """What the first node's heap holds after a collection."""
        pid = str(self.nodes[0].child.pid)
        subprocess.run([jcmd, pid, "GC.run"], check=True, capture_output=True)
        shown = subprocess.run([jcmd, pid, "GC.heap_info"], check=True, capture_output=True, text=True).stdout
        return sum(int(used) for used in re.findall(r"(?:generation|heap)\s+total \d+K, used (\d+)K", shown)) / 1024


def seed_copy(seed, data):
    """Another start finds what the first one stored, and nothing that a start in between added."""
    shutil.rmtree(data, ignore_errors=True)
    shutil.copytree(seed, data)
