import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a request state belongs to. It means nothing anywhere else. */
export interface StateOwner {
  backend: string;
  principal: string;
  method: string;
  name: string;
}

const MARK = 'r.';

/** Seals a backend's request state for its way through the client: opaque, and of no use to another backend, tool or user. */
export function createStateSeal(secret: Buffer) {
  const mac = (owner: StateOwner, payload: string) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([owner.backend, owner.principal, owner.method, owner.name, payload]))
      .digest();
  return {
    seal(owner: StateOwner, state: string): string {
      const payload = Buffer.from(state, 'utf8').toString('base64url');
      return `${MARK}${payload}.${mac(owner, payload).toString('base64url')}`;
    },
    /** The state as the backend gave it, or undefined when it was altered or belongs elsewhere. */
    open(owner: StateOwner, sealed: string): string | undefined {
      const [payload, given] = sealed.startsWith(MARK) ? sealed.slice(MARK.length).split('.') : [];
      if (payload === undefined || given === undefined) return undefined;
      const expected = mac(owner, payload);
      const actual = Buffer.from(given, 'base64url');
      if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined;
      return Buffer.from(payload, 'base64url').toString('utf8');
    },
  };
}

export type StateSeal = ReturnType<typeof createStateSeal>;
