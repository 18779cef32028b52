import { randomBytes } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';
import { holdsScope, type Principal } from '../../kernel/principal.ts';
import type { Seal } from '../../kernel/seal.ts';
import type { Json } from '../../kernel/source.ts';
import type { Tables } from '../../store/store.ts';
import { principalFrom, principalText } from '../runs/principal-text.ts';

/** A schedule without the values that are sealed: inputs may be large, and there may be many. */
export interface ScheduleHead {
  readonly id: string;
  readonly name: string;
  readonly cron: string;
  /** Of the definition that was confirmed. */
  readonly hash: string;
  /** The id of the principal who scheduled it. */
  readonly actor: string;
  readonly problem?: string;
  readonly nextAt?: number;
  readonly lastRun?: string;
  readonly createdAt: number;
}

export interface Schedule extends ScheduleHead {
  readonly inputs: Json;
  readonly as: Principal;
}

const HEAD = 'id, name, cron, hash, actor, problem, next_at, last_run, created_at';

type Row = Readonly<Record<string, string | number | null>>;

const MOST = 500;

/** Blueprints that are deployed again and again, by cron. */
export function createSchedules(tables: Tables, seal: Seal, now: () => number = Date.now) {
  const about = (id: string, what: string) => `blueprint schedule ${id} ${what}`;

  function headOf(row: Row): ScheduleHead {
    return {
      id: String(row.id),
      name: String(row.name),
      cron: String(row.cron),
      hash: String(row.hash),
      actor: String(row.actor),
      ...(row.problem !== null && { problem: String(row.problem) }),
      ...(row.next_at !== null && { nextAt: Number(row.next_at) }),
      ...(row.last_run !== null && { lastRun: String(row.last_run) }),
      createdAt: Number(row.created_at),
    };
  }

  function read(row: Row): Schedule {
    const head = headOf(row);
    return {
      ...head,
      inputs: JSON.parse(seal.open(String(row.sealed_inputs), about(head.id, 'inputs'))) as Json,
      as: principalFrom(seal.open(String(row.sealed_actor), about(head.id, 'actor'))),
    };
  }

  return {
    async add(given: Pick<Schedule, 'name' | 'cron' | 'hash' | 'inputs' | 'as'>): Promise<Schedule> {
      const [count] = await tables.rows<{ n: number }>('SELECT count(*) AS n FROM blueprint_schedules');
      if ((count?.n ?? 0) >= MOST)
        throw new AppError('conflict', `There are ${MOST} schedules already. blueprint_cancel removes one.`);
      const id = `schedule-${randomBytes(5).toString('hex')}`;
      await tables.change(
        `INSERT INTO blueprint_schedules (id, name, cron, hash, sealed_inputs, sealed_actor, actor, next_at, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        id,
        given.name,
        given.cron,
        given.hash,
        seal.seal(JSON.stringify(given.inputs), about(id, 'inputs')),
        seal.seal(principalText(given.as), about(id, 'actor')),
        given.as.id,
        await nextAfter(given.cron, now()),
        now(),
      );
      return (await this.get(id)) as Schedule;
    },
    async get(id: string): Promise<Schedule | undefined> {
      const [row] = await tables.rows<Row>('SELECT * FROM blueprint_schedules WHERE id = ?', id);
      return row && read(row);
    },
    async head(id: string): Promise<ScheduleHead | undefined> {
      const [row] = await tables.rows<Row>(`SELECT ${HEAD} FROM blueprint_schedules WHERE id = ?`, id);
      return row && headOf(row);
    },
    async all(): Promise<ScheduleHead[]> {
      return (await tables.rows<Row>(`SELECT ${HEAD} FROM blueprint_schedules ORDER BY created_at, id`)).map(headOf);
    },
    async due(): Promise<ScheduleHead[]> {
      return (await tables.rows<Row>(`SELECT ${HEAD} FROM blueprint_schedules WHERE next_at <= ?`, now())).map(headOf);
    },
    /** Sets what came of it, and when it is due again. Nothing if another process did. */
    async moveOn({ id, cron, nextAt }: ScheduleHead, came: { run: string } | { problem: string }): Promise<void> {
      await tables.change(
        'UPDATE blueprint_schedules SET next_at = ?, last_run = COALESCE(?, last_run), problem = ? WHERE id = ? AND next_at = ?',
        // What was missed while nobody served is done once, not once for each time.
        await nextAfter(cron, now()),
        'run' in came ? came.run : null,
        'problem' in came ? came.problem : null,
        id,
        nextAt ?? null,
      );
    },
    async delete({ id, name, actor }: ScheduleHead, by: Principal): Promise<void> {
      if (actor !== by.id && !holdsScope(by, 'admin'))
        throw new AppError('forbidden', `${id} deploys ${name} for ${actor}. Only they or an admin may end it.`);
      await tables.change('DELETE FROM blueprint_schedules WHERE id = ?', id);
    },
  };
}

/** When a cron expression is due next. Throws if it is not one. */
export async function nextAfter(cron: string, after: number): Promise<number> {
  const { Cron } = await import('croner');
  let next: Date | null;
  try {
    next = new Cron(cron, { paused: true }).nextRun(new Date(after));
  } catch (cause) {
    throw new AppError(
      'invalid_input',
      `"${cron}" is not a cron expression. Five fields, for example "0 2 * * *" for every night at two.`,
      { cause },
    );
  }
  if (!next) throw new AppError('invalid_input', `"${cron}" is never due.`);
  return next.getTime();
}
