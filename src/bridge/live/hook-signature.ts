import { createHmac, timingSafeEqual } from 'node:crypto';

/** How far the clocks of two machines may be apart. */
const WINDOW_MS = 5 * 60_000;
/** More than an n8n in the hands of people gives in the window. */
const REMEMBERED = 10_000;

/** HMAC-SHA256 over the time, a dot and the body, as our own webhooks are signed. */
export function signHook(secret: string, timestamp: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

export interface SignedHook {
  readonly timestamp: string | null;
  readonly signature: string | null;
  readonly body: string;
}

/** Says why a hook is not to be believed. Each is believed once. */
export function createHookCheck(now: () => number = Date.now) {
  const seen = new Map<string, number>();

  return (secret: string, { timestamp, signature, body }: SignedHook): string | undefined => {
    if (timestamp === null || signature === null) return 'it is not signed';
    if (!/^\d{1,12}$/.test(timestamp)) return 'its timestamp is no number of seconds';
    const expected = Buffer.from(signHook(secret, timestamp, body));
    const given = Buffer.from(signature);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'its signature is wrong';
    const at = Number(timestamp) * 1000;
    if (Math.abs(now() - at) > WINDOW_MS) return 'it is too old, or the clocks are more than five minutes apart';
    if (seen.has(signature)) return 'it was sent before';
    for (const [old, until] of seen) {
      if (until > now() && seen.size < REMEMBERED) break;
      seen.delete(old);
    }
    seen.set(signature, now() + 2 * WINDOW_MS);
    return undefined;
  };
}
