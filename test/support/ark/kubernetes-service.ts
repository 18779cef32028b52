/**
 * A Service of Kubernetes as a client in the cluster sees it: each new connection leads to a pod that is ready, at random;
 * without one it is refused. Connections stay with their pod. A pod that terminates gets no new ones, a moment later.
 */
import { Agent, type ClientRequestArgs } from 'node:http';
import { connect } from 'node:net';

export interface Pod {
  readonly port: number;
}

export interface Service extends Disposable {
  readonly agent: Agent;
  /** What the kubelet does, as soon as it deletes a pod: takes it out, however it answers. */
  terminate(pod: Pod): void;
  add(pod: Pod): void;
  endpoints(): number;
}

/** Nothing listens there. */
const CLOSED_PORT = 9;

export function createService({
  periodMs = 100,
  /** How long it takes until every node knows that an endpoint is gone. */
  spreadMs = 200,
} = {}): Service {
  const pods = new Map<number, { ready: boolean; failed: number }>();
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 2 });
  (agent as { createConnection: (options: ClientRequestArgs) => unknown }).createConnection = () => {
    const ready = [...pods].filter(([, pod]) => pod.ready).map(([port]) => port);
    const chosen = ready[Math.floor(Math.random() * ready.length)] ?? CLOSED_PORT;
    return connect(chosen, '127.0.0.1');
  };
  const probe = setInterval(() => {
    for (const [port, pod] of pods) void look(port, pod);
  }, periodMs);

  async function look(port: number, pod: { ready: boolean; failed: number }): Promise<void> {
    const answer = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined);
    if (answer?.ok) {
      pod.ready = true;
      pod.failed = 0;
    } else if (++pod.failed >= 3) pod.ready = false;
  }

  return {
    agent,
    add: ({ port }) => void pods.set(port, { ready: false, failed: 0 }),
    terminate({ port }) {
      const leaving = pods.get(port);
      setTimeout(() => {
        if (pods.get(port) === leaving) pods.delete(port);
      }, spreadMs);
    },
    endpoints: () => [...pods.values()].filter(({ ready }) => ready).length,
    [Symbol.dispose]() {
      clearInterval(probe);
      agent.destroy();
    },
  };
}
