import { z } from 'zod';
import { createSeal } from '../../kernel/seal.ts';
import type { OAuthRecords } from '../../store/store.ts';

const TOKENS = 'ConsoleTokens';
const ENDED = 'ConsoleEnded';
/** When there are more, those that would end next go first. So many that nobody can make room for a stolen cookie. */
const MOST = 100_000;

const tokens = z.object({
  credential: z.string(),
  /** Set if it can be renewed. */
  issued: z
    .object({
      resource: z.string(),
      tokens: z.object({
        access: z.string(),
        refresh: z.string().optional(),
        expires: z.number().optional(),
        obtained: z.number(),
        scope: z.string().optional(),
      }),
    })
    .optional(),
});

export type StoredTokens = z.output<typeof tokens>;

/** What the store knows of sessions: their tokens, if a cookie cannot hold them, and which were signed out. */
export interface StoredSessions {
  keep(id: string, given: StoredTokens, expires: number): Promise<void>;
  find(id: string): Promise<StoredTokens | undefined>;
  /** The cookie does not count any more, wherever it is. */
  end(id: string, expires: number): Promise<void>;
  isEnded(id: string): Promise<boolean>;
}

export function createStoredSessions(records: OAuthRecords, secret: Buffer): StoredSessions {
  const seal = createSeal(secret);

  async function put(kind: string, id: string, payload: string, expires: number): Promise<void> {
    if ((await records.count(kind)) >= MOST) await records.deleteNext(kind);
    await records.put(kind, id, { payload, expires });
  }

  return {
    keep: (id, given, expires) => put(TOKENS, id, seal.seal(JSON.stringify(given), TOKENS), expires),
    async find(id) {
      const record = await records.find(TOKENS, id);
      return record && tokens.parse(JSON.parse(seal.open(record.payload, TOKENS)));
    },
    async end(id, expires) {
      await records.delete(TOKENS, id);
      await put(ENDED, id, '', expires);
    },
    isEnded: async (id) => (await records.find(ENDED, id)) !== undefined,
  };
}
