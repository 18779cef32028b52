import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MS = 200;
const ANSWER_MS = 5000;

/** Resolves once n8n accepts requests. It answers `healthz` a while before its REST interface is up. */
export async function untilReady(url: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    if (await isReady(url, signal)) return;
    await delay(LOOK_MS, undefined, { signal });
  }
}

async function isReady(url: string, signal?: AbortSignal): Promise<boolean> {
  try {
    const health = await fetch(`${url}/healthz/readiness`, { signal: within(signal) });
    await health.body?.cancel();
    if (!health.ok) return false;
    const settings = await fetch(`${url}/rest/settings`, { signal: within(signal) });
    const type = settings.headers.get('content-type') ?? '';
    await settings.body?.cancel();
    return settings.ok && type.includes('json');
  } catch {
    signal?.throwIfAborted();
    return false;
  }
}

function within(signal: AbortSignal | undefined): AbortSignal {
  const limit = AbortSignal.timeout(ANSWER_MS);
  return signal ? AbortSignal.any([signal, limit]) : limit;
}
