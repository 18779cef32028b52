import type { Json } from '../../kernel/source.ts';
import type { Tables } from '../../store/store.ts';
import { definitionHash } from './catalogue.ts';

/** A held tool as it was when it was accepted. */
export interface HeldSince {
  readonly since: string;
  /** Undefined if nobody knows it any more. */
  readonly accepted: Json | undefined;
}

/** Keeps the accepted definitions of tools that are held back, so that a person can compare. */
export function createHeldDefinitions(server: string, tables: Tables, now: () => number = Date.now) {
  const add = (tool: string, accepted: string | null) =>
    tables.change(
      `INSERT INTO held_definitions (server, tool, accepted, since) VALUES (?, ?, ?, ?)
       ON CONFLICT (server, tool) DO UPDATE SET accepted = COALESCE(excluded.accepted, held_definitions.accepted),
         since = excluded.since`,
      server,
      tool,
      accepted,
      now(),
    );

  return {
    /**
     * These tools are held back from now on. `known` are the definitions before the change, `hashOf` says which one was
     * accepted.
     */
    async keep(names: readonly string[], known: readonly Json[], hashOf: (tool: string) => string | undefined) {
      const before = new Map(known.map((tool) => [tool.name, tool]));
      for (const name of names) {
        const tool = before.get(name);
        const isAccepted = tool !== undefined && definitionHash(tool) === hashOf(name);
        await add(name, isAccepted ? JSON.stringify(tool) : null);
      }
    },
    async all(hashOf: (tool: string) => string | undefined): Promise<Map<string, HeldSince>> {
      const rows = await tables.rows<{ tool: string; accepted: string | null; since: number | string }>(
        'SELECT tool, accepted, since FROM held_definitions WHERE server = ?',
        server,
      );
      return new Map(
        rows.map(({ tool, accepted, since }) => {
          const before = accepted === null ? undefined : (JSON.parse(accepted) as Json);
          // It may be of an earlier change, which was taken back.
          const isCurrent = before !== undefined && definitionHash(before) === hashOf(tool);
          const held = { since: new Date(Number(since)).toISOString(), accepted: isCurrent ? before : undefined };
          return [tool, held] as const;
        }),
      );
    },
    async drop(tool?: string): Promise<void> {
      const [more, values] = tool === undefined ? ['', []] : [' AND tool = ?', [tool]];
      await tables.change(`DELETE FROM held_definitions WHERE server = ?${more}`, server, ...values);
    },
  };
}
