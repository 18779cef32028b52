import type { Seal } from '../../kernel/seal.ts';
import type { Json } from '../../kernel/source.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Tables, TableValue } from '../../store/store.ts';
import type { Definition, Nested } from '../definition/shape.ts';
import { principalFrom, principalText } from './principal-text.ts';
import type { Run, RunHead, RunState } from './run.ts';
import { HEAD, headOf, OPEN, type Row } from './run-head.ts';
import { aboutRun, createSealing } from './sealing.ts';
import { rootOf, type UsageRows } from './usage-rows.ts';

export interface NewRun {
  readonly id: string;
  readonly name: string;
  readonly kind: Run['kind'];
  readonly origin: Run['origin'];
  readonly hash: string;
  readonly definition: Definition;
  readonly nested: Readonly<Record<string, Nested>>;
  readonly inputs: Json;
  readonly secrets?: Run['secrets'];
  readonly unconfirmed?: Run['unconfirmed'];
  readonly as: Principal;
  readonly deployer: string;
  readonly parent?: Run['parent'];
  readonly schedule?: string;
  readonly trace: string;
}

/** What runs are: who deployed what, with which inputs. */
export function runRows(tables: Tables, seal: Seal, now: () => number, usage: UsageRows) {
  const sealing = createSealing(seal);

  type Sealed = Pick<Run, 'definition' | 'nested' | 'secrets' | 'unconfirmed'>;

  /** A called run has its definition from the run that was deployed: thousands of copies would fill the disk. */
  async function definitionOf(id: string, name: string, sealed: unknown): Promise<Sealed | undefined> {
    const own = sealing.open(sealed, aboutRun(id, 'definition')) as Omit<Sealed, 'definition' | 'nested'> &
      Partial<Sealed>;
    const { definition, nested } = own;
    if (definition && nested) return { ...own, definition, nested };
    const root = rootOf(id);
    const [row] = await tables.rows<Row>('SELECT sealed_definition FROM blueprint_runs WHERE id = ?', root);
    if (!row) return undefined;
    const deployed = sealing.open(row.sealed_definition, aboutRun(root, 'definition')) as Sealed;
    const called = Object.hasOwn(deployed.nested, name) ? deployed.nested[name] : undefined;
    return called && { ...own, definition: called.definition, nested: deployed.nested };
  }

  type Ended = { readonly id: string; readonly state: string; readonly ended_at: number };

  async function remove({ id, state, ended_at }: Ended): Promise<void> {
    await tables.change('UPDATE blueprint_run_ids SET ended_as = ? WHERE run = ?', state, id);
    // Somebody may have resumed it meanwhile. Whoever goes on with a run needs to know what it did, so that goes last.
    const isGone = await tables.change(
      `DELETE FROM blueprint_runs WHERE id = ? AND ended_at = ? AND NOT (${OPEN})`,
      id,
      ended_at,
    );
    if (isGone === 0) await tables.change('UPDATE blueprint_run_ids SET ended_as = NULL WHERE run = ?', id);
  }

  return {
    /** Returns why the deployment that it belongs to may have no other run. */
    async create(run: NewRun): Promise<string | undefined> {
      const at = now();
      const { definition, nested, secrets, unconfirmed } = run;
      const sealed = sealing.seal(
        { ...(!run.parent && { definition, nested }), secrets, unconfirmed },
        aboutRun(run.id, 'definition'),
      );
      const inputs = sealing.seal(run.inputs, aboutRun(run.id, 'inputs'));
      const used = { runs: 1, bytes: sealed.length + inputs.length };
      const full = await usage.charge(run.id, used);
      if (full !== undefined) return full;
      const created = await tables.change(
        `INSERT INTO blueprint_runs (id, name, kind, origin, hash, sealed_definition, sealed_inputs, deployer, sealed_actor, actor,
           state, goal, part, parent, parent_step, parent_item, schedule, trace, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', 'finish', 1, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
        run.id,
        run.name,
        run.kind,
        run.origin,
        run.hash,
        sealed,
        inputs,
        run.deployer,
        seal.seal(principalText(run.as), aboutRun(run.id, 'actor')),
        run.as.id,
        run.parent?.run ?? null,
        run.parent?.step ?? null,
        run.parent?.item ?? null,
        run.schedule ?? null,
        run.trace,
        at,
        at,
      );
      if (created === 0) await usage.count(run.id, { runs: -1, bytes: -used.bytes });
      return undefined;
    },

    /** Who deployed under this id of his own, and what it was. The first to claim it has it for ever. */
    async claimId(principal: string, given: string, run: string, fingerprint: string) {
      await tables.change(
        'INSERT INTO blueprint_run_ids (principal, given, run, fingerprint, at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
        principal,
        given,
        run,
        fingerprint,
        now(),
      );
      const [row] = await tables.rows<{ run: string; fingerprint: string; ended_as: string | null }>(
        'SELECT run, fingerprint, ended_as FROM blueprint_run_ids WHERE principal = ? AND given = ?',
        principal,
        given,
      );
      return row as { run: string; fingerprint: string; ended_as: string | null };
    },

    /** The run that a principal gave this id. */
    async runOf(principal: string, given: string): Promise<string | undefined> {
      const [row] = await tables.rows<{ run: string }>(
        'SELECT run FROM blueprint_run_ids WHERE principal = ? AND given = ?',
        principal,
        given,
      );
      return row?.run;
    },

    async get(id: string): Promise<Run | undefined> {
      const [row] = await tables.rows<Row>(
        `SELECT ${HEAD}, sealed_definition, sealed_inputs, sealed_outputs, sealed_actor, sealed_asked FROM blueprint_runs WHERE id = ?`,
        id,
      );
      const defined = row && (await definitionOf(id, String(row.name), row.sealed_definition));
      if (!defined) return undefined;
      return {
        ...headOf(row),
        ...defined,
        inputs: sealing.open(row.sealed_inputs, aboutRun(id, 'inputs')) as Json,
        ...(row.sealed_outputs !== null && {
          outputs: sealing.open(row.sealed_outputs, aboutRun(id, 'outputs')) as Json,
        }),
        ...(row.sealed_asked !== null && { asked: seal.open(String(row.sealed_asked), aboutRun(id, 'asked')) }),
        as: principalFrom(seal.open(String(row.sealed_actor), aboutRun(id, 'actor'))),
      };
    },

    async head(id: string): Promise<RunHead | undefined> {
      const [row] = await tables.rows<Row>(`SELECT ${HEAD} FROM blueprint_runs WHERE id = ?`, id);
      return row && headOf(row);
    },

    /** Newest first. */
    async list(filter: {
      readonly name?: string | undefined;
      readonly state?: RunState | undefined;
      readonly before?: { readonly at: number; readonly id: string } | undefined;
      readonly limit: number;
      readonly mine?: string | undefined;
    }): Promise<RunHead[]> {
      const conditions: [string, ...TableValue[]][] = [
        ...(filter.name === undefined ? [] : [['name = ?', filter.name] as [string, string]]),
        ...(filter.state === undefined ? [] : [['state = ?', filter.state] as [string, string]]),
        ...(filter.mine === undefined
          ? []
          : [['(deployer = ? OR actor = ?)', filter.mine, filter.mine] as [string, string, string]]),
        ...(filter.before === undefined
          ? []
          : [
              [
                '(created_at < ? OR (created_at = ? AND id < ?))',
                filter.before.at,
                filter.before.at,
                filter.before.id,
              ] as [string, ...TableValue[]],
            ]),
      ];
      const where = conditions.length > 0 ? `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}` : '';
      const rows = await tables.rows<Row>(
        `SELECT ${HEAD} FROM blueprint_runs ${where} ORDER BY created_at DESC, id DESC LIMIT ?`,
        ...conditions.flatMap(([, ...values]) => values),
        filter.limit,
      );
      return rows.map(headOf);
    },

    async children(parent: string): Promise<RunHead[]> {
      const rows = await tables.rows<Row>(`SELECT ${HEAD} FROM blueprint_runs WHERE parent = ?`, parent);
      return rows.map(headOf);
    },

    /** Deletes runs that ended before this time, and what deleted runs called. The ids that callers gave them stay taken. */
    async prune(before: number, limit: number): Promise<number> {
      const old = await tables.rows<Ended>(
        `SELECT id, state, ended_at FROM blueprint_runs WHERE NOT (${OPEN})
           AND CASE WHEN parent IS NULL THEN ended_at < ? ELSE parent NOT IN (SELECT id FROM blueprint_runs) END
         ORDER BY ended_at LIMIT ?`,
        before,
        limit,
      );
      for (const run of old) await remove(run);
      // Also of runs that were deleted by a process that died.
      for (const table of ['blueprint_steps', 'blueprint_decisions'])
        await tables.change(`DELETE FROM ${table} WHERE run NOT IN (SELECT id FROM blueprint_runs)`);
      await tables.change('DELETE FROM blueprint_usage WHERE root NOT IN (SELECT id FROM blueprint_runs)');
      return old.length;
    },

    /** Deletes the oldest runs of a deployer that have ended, as far as all of theirs store more than `most` bytes. */
    async makeRoom(deployer: string, most: number): Promise<void> {
      const old = await tables.rows<Ended>(
        `SELECT id, state, ended_at FROM (
           SELECT id, state, ended_at, SUM(bytes) OVER (ORDER BY created_at DESC, id DESC) AS total
           FROM blueprint_runs JOIN blueprint_usage ON root = id WHERE deployer = ?) AS theirs
         WHERE total > ? AND NOT (${OPEN})`,
        deployer,
        most,
      );
      if (old.length === 0) return;
      for (const run of old) await remove(run);
      while ((await this.prune(0, old.length)) > 0);
    },
  };
}
