import { createKey } from '../../src/auth/keys.ts';
import type { KeyGrant } from '../../src/store/store.ts';
import { type Json, send, type TestGateway } from '../integration/harness.ts';

/** Reads REST routes of a gateway as somebody. */
export function readsOf(gateway: TestGateway, headers: Record<string, string> = {}) {
  const ask = (path: string, method = 'GET') => send(`${gateway.url}/api/v1/${path}`, { method, headers });
  return {
    /** The answer. Throws if it is not 200. */
    async read<T = Json>(path: string, method?: string): Promise<T> {
      const { status, text, headers: sent } = await ask(path, method);
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
      if (sent['cache-control'] !== 'no-store') throw new Error(`${path} may be cached`);
      return JSON.parse(text) as T;
    },
    /** The status and the message of a refusal. */
    async refusal(path: string, method?: string): Promise<{ status: number; message: string }> {
      const { status, text } = await ask(path, method);
      const { error } = JSON.parse(text) as { error?: { message: string } };
      return { status, message: error?.message ?? text };
    },
  };
}

/** The same with a new key. */
export async function readsAs(gateway: TestGateway, name: string, grant: Partial<KeyGrant> = {}) {
  const scopes = ['tools:read', 'tools:execute'];
  const { key } = await createKey(gateway.runtime.store.keys, {
    name,
    scopes,
    createdAt: new Date().toISOString(),
    createdBy: 'test',
    ...grant,
  });
  const headers = { authorization: `Bearer ${key}` };
  return { ...readsOf(gateway, headers), headers };
}
