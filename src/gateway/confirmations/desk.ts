import { CONFIRM_MS, type ConfirmationDesk, keptAs } from '../../kernel/confirmation.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Shared } from '../../kernel/shared.ts';
import type { Tables } from '../../store/store.ts';

/** A call that waits, as people may see it. */
export interface Listed {
  readonly id: string;
  readonly tool: string;
  readonly need: 'person' | 'anybody';
  /** The same for the same call of the same caller. */
  readonly binding: string;
  readonly principal: string;
  readonly caller: string;
  readonly says: string | null;
  readonly arguments: string;
  readonly asked: number;
  readonly expires: number;
}

export interface Desk extends ConfirmationDesk {
  /** What waits now, newest first. Asked often: it rarely asks the store. */
  list(): Promise<readonly Listed[]>;
  approve(call: Listed): Promise<void>;
  /** Voids the tokens of this call, also those from when it was asked before. */
  refuse(call: Listed, note: string | undefined): Promise<void>;
}

interface DeskDeps {
  readonly tables: Tables;
  readonly shared: Pick<Shared, 'peers' | 'take'>;
  redact(text: string): string;
  /** Where the console is, without a path; undefined if this process serves none. */
  url(): string | undefined;
}

/** Of one caller the newest stay. */
const MOST_OF_ONE = 50;
const MOST_LISTED = 500;
const LONGEST_SAYS = 4000;
const LONGEST_NAME = 200;
const FRESH_MS = 1000;

/** The calls that wait, in a table: any replica may be asked about a call that another one refused to make. */
export function createDesk({ tables, shared, redact, url }: DeskDeps): Desk {
  let latest: { until: number; rows: Promise<readonly Listed[]> } | undefined;
  /** Until when something may wait that was stored by this process, or by the one before it. */
  let busyUntil = Date.now() + CONFIRM_MS;

  const read = () =>
    tables.rows<Listed>(
      `SELECT id, tool, need, binding, principal, caller, says, arguments, asked, expires FROM confirmations
       WHERE decided IS NULL AND expires > ? ORDER BY asked DESC LIMIT ?`,
      Date.now(),
      MOST_LISTED,
    );

  /** Whoever decides first decides. */
  async function decide(condition: string, decided: 'approved' | 'refused', note: string | null, of: string) {
    const changed = await tables.change(
      `UPDATE confirmations SET decided = ?, note = ? WHERE decided IS NULL AND expires > ? AND ${condition}`,
      decided,
      note,
      Date.now(),
      of,
    );
    // Afterwards: somebody may have asked in between.
    latest = undefined;
    return changed;
  }

  return {
    place() {
      const base = url();
      if (base !== undefined) return `in Sluice's console, at ${base}/console/approvals`;
      return shared.peers ? "under Approvals in Sluice's console" : undefined;
    },
    async show({ id, callable, arguments: given, says, need, binding, expires }, { principal, mask }) {
      const safe = mask ? (text: string) => redact(mask(text)) : redact;
      const { shownArguments } = await import('./shown-arguments.ts');
      const { wire, recorded } = callable.entry;
      const now = Date.now();
      await tables.change('DELETE FROM confirmations WHERE expires <= ?', now);
      await tables.change(
        `INSERT INTO confirmations (id, tool, need, binding, principal, caller, says, arguments, asked, expires)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        id,
        callable.name,
        need === 'human' ? 'person' : 'anybody',
        binding,
        principal.id,
        safe(principal.name ?? principal.id).slice(0, LONGEST_NAME),
        says === undefined ? null : safe(says).slice(0, LONGEST_SAYS),
        shownArguments(given, { wire, recorded }, safe),
        now,
        expires,
      );
      await tables.change(
        `DELETE FROM confirmations WHERE principal = ? AND id NOT IN
           (SELECT id FROM confirmations WHERE principal = ? ORDER BY asked DESC LIMIT ?)`,
        principal.id,
        principal.id,
        MOST_OF_ONE,
      );
      busyUntil = Math.max(busyUntil, expires);
      latest = undefined;
    },
    async verdict(id) {
      const [row] = await tables.rows<{
        need: string;
        binding: string;
        decided: 'approved' | 'refused' | null;
        note: string | null;
      }>('SELECT need, binding, decided, note FROM confirmations WHERE id = ? AND expires > ?', id, Date.now());
      if (!row) return undefined;
      return {
        need: row.need === 'person' ? 'human' : true,
        binding: row.binding,
        decided: row.decided ?? undefined,
        ...(row.note !== null && { note: row.note }),
      };
    },
    async remove(id) {
      await tables.change('DELETE FROM confirmations WHERE id = ?', id);
      latest = undefined;
    },
    async list() {
      const now = Date.now();
      if (!shared.peers && now > busyUntil) return [];
      if (!latest || now > latest.until) latest = { until: now + FRESH_MS, rows: read() };
      const asked = latest;
      const rows = await asked.rows.catch((error: unknown) => {
        if (latest === asked) latest = undefined;
        throw error;
      });
      return rows.filter(({ expires }) => expires > Date.now());
    },
    async approve({ id }) {
      if ((await decide('id = ?', 'approved', null, id)) === 0) throw gone();
    },
    async refuse({ id, need, binding }, note) {
      const said = note === undefined ? null : redact(note);
      // An ordinary call may be made at this moment: whoever takes its ticket was first.
      if (need === 'anybody' && (await shared.take(keptAs(id))) === undefined) throw gone();
      const others = await tables.rows<{ id: string }>(
        "SELECT id FROM confirmations WHERE binding = ? AND need = 'anybody' AND decided IS NULL AND id <> ?",
        binding,
        id,
      );
      for (const other of others) await shared.take(keptAs(other.id));
      if ((await decide('binding = ?', 'refused', said, binding)) === 0) throw gone();
    },
  };
}

export const gone = (): AppError =>
  new AppError('not_found', 'This call does not wait any more: it was decided, was made, or its ten minutes are over.');
