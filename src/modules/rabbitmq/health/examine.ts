import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { listNodes, readOverview } from '../api/broker.ts';
import { listQueues } from '../api/queues.ts';
import type { RabbitMq } from '../connection.ts';
import { explain } from '../explain.ts';
import { HttpError } from '../../http.ts';
import { type Failed, type Finding, judgeChecks, judgeListeners, judgeNodes, judgeQueues } from './judge.ts';

const CHECKS = { alarms: 'alarms', quorum: 'node-is-quorum-critical', vhosts: 'virtual-hosts' } as const;
const MOST_QUEUES = 100;

export interface Examined {
  readonly findings: Finding[];
  readonly checked: string[];
  /** What could not be looked at, and why. */
  readonly skipped: string[];
}

/** Asks the broker for everything that a verdict needs, at once. */
export async function examine(rabbit: RabbitMq, signal: AbortSignal): Promise<Examined> {
  const checked: string[] = [];
  const skipped: string[] = [];

  /** What the user may not see is left out, and said. */
  async function part<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work();
      checked.push(name);
      return result;
    } catch (error) {
      const reason = error instanceof AppError ? error : explain(error, 'RabbitMQ');
      if (!reason || reason.code === 'unavailable' || reason.code === 'timeout') throw error;
      skipped.push(`${name}: ${reason.message}`);
      return undefined;
    }
  }

  const longest = async (sort: 'messages' | 'messages_unacknowledged') =>
    await listQueues(rabbit, { sort, skip: 0, limit: MOST_QUEUES, signal });
  const [overview, nodes, failed, queues] = await Promise.all([
    part('listeners', () => readOverview(rabbit, signal)),
    part('nodes', () => listNodes(rabbit, signal)),
    Promise.all(Object.keys(CHECKS).map((check) => part(check, () => ask(rabbit, check as Failed['check'], signal)))),
    part('queues', () => Promise.all([longest('messages'), longest('messages_unacknowledged')])),
  ]);
  const seen = new Map(
    (queues ?? [])
      .flatMap(({ items }) => items)
      .filter(({ vhost, name }) => rabbit.vhosts.has(vhost) && rabbit.queues.has(name))
      .map((queue) => [JSON.stringify([queue.vhost, queue.name]), queue]),
  );
  const failures = failed.filter((one): one is Failed => one !== undefined && 'reason' in one);
  return {
    checked: checked.sort(),
    skipped,
    findings: [
      ...judgeChecks(failures, nodes),
      ...judgeNodes(nodes ?? []),
      ...(overview ? judgeListeners(overview) : []),
      ...judgeQueues([...seen.values()], rabbit.vhost),
    ],
  };
}

/** A check that fails answers 503 with the reason. */
async function ask(rabbit: RabbitMq, check: Failed['check'], signal: AbortSignal): Promise<Failed | object> {
  try {
    return await rabbit.get(z.object({ status: z.string() }), ['health', 'checks', CHECKS[check]], { signal });
  } catch (error) {
    if (!(error instanceof HttpError) || error.status !== 503 || !error.body.includes('"failed"')) throw error;
    return { check, reason: reasonIn(error.body) };
  }
}

const failure = z.object({ reason: z.unknown() });

function reasonIn(body: string): string {
  try {
    const { reason } = failure.parse(JSON.parse(body));
    return (typeof reason === 'string' ? reason : JSON.stringify(reason)).slice(0, 300);
  } catch {
    return body.slice(0, 300);
  }
}
