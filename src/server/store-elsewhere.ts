import type { Peers, Replica, Shared } from '../kernel/shared.ts';
import { FORWARDED, forwardedHeader } from '../wire/forwarded-header.ts';
import type { PeerRequests } from '../wire/peer-requests.ts';
import { READY, type Readiness } from './health-routes.ts';

const EVERY_MS = 500;
const ANSWER_MS = 1000;
const MOST_BYTES = 10_000;

export interface StoreElsewhere extends Disposable {
  /** Whether this replica is cut off from the store while another one has it. */
  holds(): boolean;
}

/** Asks the other replicas while this one is cut off from the store: whoever has it should get the requests. */
export function watchStoreElsewhere(
  peers: Peers,
  { cutOffSince }: Pick<Shared, 'cutOffSince'>,
  hasStore: (replica: Replica) => Promise<boolean>,
  everyMs: number = EVERY_MS,
): StoreElsewhere {
  /** How often in a row another one had it. */
  let found = 0;
  let asking = false;

  async function look(): Promise<void> {
    if (asking) return;
    asking = true;
    const others = peers.all().filter(({ id, draining }) => id !== peers.self && !draining);
    const answers = await Promise.all(others.map(hasStore));
    asking = false;
    found = answers.includes(true) ? found + 1 : 0;
    // The store may just have come back for all of them.
    if (found === 1) peers.lookAgain();
  }

  const timer = setInterval(() => {
    if (cutOffSince() === undefined) found = 0;
    else void look();
  }, everyMs).unref();
  return {
    holds: () => found > 1 && cutOffSince() !== undefined,
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** Whether that replica takes requests and sees the store. */
export function asksWhetherReady(peers: Peers, requests: PeerRequests) {
  return ({ id, url }: Replica): Promise<boolean> =>
    new Promise((resolve) => {
      if (url === undefined) return resolve(false);
      const asked = { method: 'GET', url: READY };
      // Signed: the gate of the other one knows no Host of ours.
      const headers = { [FORWARDED]: forwardedHeader(peers, asked, id, '') };
      const sent = requests.begin(new URL(url), { method: asked.method, path: READY, headers });
      const late = setTimeout(() => sent.destroy(), ANSWER_MS);
      sent.once('close', () => {
        clearTimeout(late);
        resolve(false);
      });
      sent.once('error', () => resolve(false));
      sent.once('response', (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (more: string) => {
          text += more;
          if (text.length > MOST_BYTES) sent.destroy();
        });
        answer.once('end', () => resolve(answer.statusCode === 200 && seesStore(text)));
      });
      sent.end();
    });
}

function seesStore(text: string): boolean {
  try {
    return (JSON.parse(text) as Readiness).store !== 'cut off';
  } catch {
    return false;
  }
}
