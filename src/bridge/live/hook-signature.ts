import { createHmac, timingSafeEqual } from 'node:crypto';

/** How far the clocks of the two machines may differ. */
const WINDOW_MS = 5 * 60_000;
/** More hooks than people working in n8n cause within the window. */
const REMEMBERED = 10_000;

/** HMAC-SHA256 over timestamp, dot and body, like the signature of our own webhooks. */
export function signHook(secret: string, timestamp: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

export interface SignedHook {
  readonly timestamp: string | null;
  readonly signature: string | null;
  readonly body: string;
}

/** Returns why a hook is rejected; undefined if it is valid. Each hook is accepted once. */
export function createHookCheck(now: () => number = Date.now) {
  const seen = new Map<string, number>();

  return (secret: string, { timestamp, signature, body }: SignedHook): string | undefined => {
    if (timestamp === null || signature === null) return 'it is not signed';
    if (!/^\d{1,12}$/.test(timestamp)) return 'its timestamp is not a number of seconds';
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
