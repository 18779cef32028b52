import { createHmac, timingSafeEqual } from 'node:crypto';

/** The call that a request state belongs to. The state is valid only for it. */
export interface StateOwner {
  backend: string;
  principal: string;
  method: string;
  name: string;
}

const MARK = 'r.';

/** Seals a backend's request state for its way through the client: opaque, and useless for another backend, tool or user. */
export function createStateSeal(secret: Buffer) {
  const mac = (owner: StateOwner, payload: string) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([owner.backend, owner.principal, owner.method, owner.name, payload]))
      .digest('base64url');
  return {
    seal(owner: StateOwner, state: string): string {
      // As JSON, because UTF-8 cannot encode half a surrogate pair.
      const payload = Buffer.from(JSON.stringify(state), 'utf8').toString('base64url');
      return `${MARK}${payload}.${mac(owner, payload)}`;
    },
    /** The backend's own state; undefined if it was altered or belongs to another call. */
    open(owner: StateOwner, sealed: string): string | undefined {
      const payload = sealed.startsWith(MARK) ? sealed.slice(MARK.length, sealed.lastIndexOf('.')) : undefined;
      if (payload === undefined) return undefined;
      const expected = Buffer.from(`${MARK}${payload}.${mac(owner, payload)}`);
      const actual = Buffer.from(sealed);
      if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined;
      return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as string;
    },
  };
}

export type StateSeal = ReturnType<typeof createStateSeal>;
