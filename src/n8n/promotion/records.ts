import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { AppError } from '../../kernel/errors.ts';
import type { Tables } from '../../store/store.ts';
import type { Link, LinkKind } from './link.ts';
import type { KeptPlan } from './kept-plan.ts';
import type { Step } from './step.ts';

/**
 * `running` in a process that died is the same as `half done`. `half done` was stopped and could not be rolled back,
 * `half undone` could not be undone completely.
 */
export type PromotionState = 'running' | 'done' | 'rolled back' | 'half done' | 'undone' | 'half undone';

/** What people read about a promotion. */
export interface About {
  readonly created: number;
  readonly updated: number;
  readonly published: number;
  /** Names of the first workflows. */
  readonly workflows: readonly string[];
  /** Why it stopped. */
  readonly stopped?: string;
}

export interface Promotion {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly state: PromotionState;
  readonly started: Date;
  readonly about: About;
  /** Whether a living process works on it. */
  readonly busy: boolean;
}

export interface JournalStep {
  readonly number: number;
  /** `doing`: it was announced, but nobody knows whether it happened. */
  readonly state: 'doing' | 'done' | 'undone';
  readonly step: Step;
}

/** What survives a restart: plans, the journal of each promotion, and the mapping of each pair of instances. */
export interface PromotionRecords {
  keepPlan(plan: KeptPlan): Promise<string>;
  plan(id: string): Promise<KeptPlan | undefined>;
  /** Identifies what happened last on a target. It changes with every promotion and every undo. */
  last(to: string): Promise<string>;
  /**
   * Starts a promotion. Throws AppError `conflict` if another one works on the same target, or if one did since `last`
   * was read: what this promotion is about to create may exist now.
   */
  begin(from: string, to: string, about: About, last: string): Promise<string>;
  /** Takes up a promotion again, to undo it. Throws AppError `conflict` like `begin`. */
  resume(promotion: Promotion): Promise<void>;
  end(id: string, state: PromotionState, about?: About): Promise<void>;
  /** Newest first. */
  list(filter: { to?: string | undefined; id?: string | undefined }, limit: number): Promise<Promotion[]>;
  putStep(id: string, step: JournalStep): Promise<void>;
  steps(id: string): Promise<JournalStep[]>;
  links(from: string, to: string): Promise<Link[]>;
  putLinks(from: string, to: string, links: readonly Link[]): Promise<void>;
  deleteLink(from: string, to: string, kind: LinkKind, sourceId: string): Promise<void>;
}

const MOST_PLANS = 200;
const PLAN_MS = 24 * 3_600_000;
const MOST_KEPT = 100;
/** A step takes less. After this time without one, a promotion of another machine counts as dead. */
const SILENT_MS = 180_000;

interface Row {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly state: string;
  readonly busy: string | null;
  readonly holder: string;
  readonly started_at: number | string;
  readonly touched_at: number | string;
  readonly about: string;
}

const newId = () => randomBytes(6).toString('hex');

export function promotionRecords(tables: Tables, now: () => number = Date.now): PromotionRecords {
  const me = { host: hostname(), pid: process.pid, start: newId() };
  const holder = JSON.stringify(me);

  const isBusy = (row: Row): boolean => row.busy !== null && isAlive(row);

  function isAlive({ holder: of, touched_at: touched }: Row): boolean {
    if (of === holder) return true;
    const { host, pid } = JSON.parse(of) as typeof me;
    if (host === me.host) return pid !== me.pid && isRunning(pid);
    return now() - Number(touched) < SILENT_MS;
  }

  const promotionOf = (row: Row): Promotion => {
    const busy = isBusy(row);
    return {
      id: row.id,
      from: row.source,
      to: row.target,
      state: row.state === 'running' && !busy ? 'half done' : (row.state as PromotionState),
      started: new Date(Number(row.started_at)),
      about: JSON.parse(row.about) as About,
      busy,
    };
  };

  /** Frees the target if whoever held it is dead. */
  async function free(target: string): Promise<void> {
    const [row] = await tables.rows<Row>('SELECT * FROM n8n_promotions WHERE busy = ?', target);
    if (!row) return;
    if (isBusy(row)) {
      throw new AppError(
        'conflict',
        `Promotion ${row.id} is at work on ${target}. Wait until it has ended: n8n_list_promotions shows its state.`,
      );
    }
    const state = row.state === 'running' ? 'half done' : row.state;
    await tables.change(
      'UPDATE n8n_promotions SET busy = NULL, state = ? WHERE id = ? AND holder = ?',
      state,
      row.id,
      row.holder,
    );
  }

  const newest = async (target: string, besides = ''): Promise<string> => {
    const [row] = await tables.rows<Pick<Row, 'id' | 'state'>>(
      'SELECT id, state FROM n8n_promotions WHERE target = ? AND id <> ? ORDER BY started_at DESC, id LIMIT 1',
      target,
      besides,
    );
    return row ? `${row.id} ${row.state}` : 'none';
  };

  const taken = (target: string) => (cause: unknown) => {
    throw new AppError('conflict', `Another promotion has just begun to work on ${target}. Wait until it has ended.`, {
      cause,
    });
  };

  return {
    async keepPlan(plan) {
      const id = `plan-${newId()}`;
      await tables.change(
        'INSERT INTO n8n_promotion_plans (id, made_at, plan) VALUES (?, ?, ?)',
        id,
        now(),
        JSON.stringify(plan),
      );
      await tables.change(
        `DELETE FROM n8n_promotion_plans WHERE made_at < ?
           OR id NOT IN (SELECT id FROM n8n_promotion_plans ORDER BY made_at DESC LIMIT ${MOST_PLANS})`,
        now() - PLAN_MS,
      );
      return id;
    },
    async plan(id) {
      const [row] = await tables.rows<{ plan: string }>('SELECT plan FROM n8n_promotion_plans WHERE id = ?', id);
      return row && (JSON.parse(row.plan) as KeptPlan);
    },
    last: (to) => newest(to),
    async begin(from, to, about, last) {
      await free(to);
      const id = `promotion-${newId()}`;
      const at = now();
      await tables
        .change(
          `INSERT INTO n8n_promotions (id, source, target, state, busy, holder, started_at, touched_at, about)
           VALUES (?, ?, ?, 'running', ?, ?, ?, ?, ?)`,
          id,
          from,
          to,
          to,
          holder,
          at,
          at,
          JSON.stringify(about),
        )
        .catch(taken(to));
      if ((await newest(to, id)) !== last) {
        await tables.change('DELETE FROM n8n_promotions WHERE id = ?', id);
        throw new AppError(
          'conflict',
          `Another promotion to ${to} ended or was undone meanwhile, so nothing was promoted. Make a new plan.`,
        );
      }
      await tables.change(
        `DELETE FROM n8n_promotions WHERE target = ? AND busy IS NULL AND id NOT IN
           (SELECT id FROM n8n_promotions WHERE target = ? ORDER BY started_at DESC LIMIT ${MOST_KEPT})`,
        to,
        to,
      );
      return id;
    },
    async resume({ id, to }) {
      await free(to);
      await tables
        .change('UPDATE n8n_promotions SET busy = ?, holder = ?, touched_at = ? WHERE id = ?', to, holder, now(), id)
        .catch(taken(to));
    },
    async end(id, state, about) {
      await tables.change('UPDATE n8n_promotions SET busy = NULL, state = ? WHERE id = ?', state, id);
      if (about) await tables.change('UPDATE n8n_promotions SET about = ? WHERE id = ?', JSON.stringify(about), id);
    },
    async list({ to, id }, limit) {
      const rows = await tables.rows<Row>(
        `SELECT * FROM n8n_promotions WHERE (CAST(? AS text) IS NULL OR target = ?) AND (CAST(? AS text) IS NULL OR id = ?)
         ORDER BY started_at DESC, id LIMIT ?`,
        to ?? null,
        to ?? null,
        id ?? null,
        id ?? null,
        limit,
      );
      return rows.map(promotionOf);
    },
    async putStep(id, { number, state, step }) {
      await tables.change(
        `INSERT INTO n8n_promotion_steps (promotion, number, state, step) VALUES (?, ?, ?, ?)
         ON CONFLICT (promotion, number) DO UPDATE SET state = excluded.state, step = excluded.step`,
        id,
        number,
        state,
        JSON.stringify(step),
      );
      await tables.change('UPDATE n8n_promotions SET touched_at = ? WHERE id = ?', now(), id);
    },
    async steps(id) {
      const rows = await tables.rows<{ number: number; state: JournalStep['state']; step: string }>(
        'SELECT number, state, step FROM n8n_promotion_steps WHERE promotion = ? ORDER BY number',
        id,
      );
      return rows.map(({ number, state, step }) => ({ number, state, step: JSON.parse(step) as Step }));
    },
    async links(from, to) {
      const rows = await tables.rows<{ link: string }>(
        'SELECT link FROM n8n_promotion_links WHERE source = ? AND target = ? ORDER BY kind, source_id',
        from,
        to,
      );
      return rows.map(({ link }) => JSON.parse(link) as Link);
    },
    async putLinks(from, to, links) {
      for (const link of links) {
        await tables.change(
          `INSERT INTO n8n_promotion_links (source, target, kind, source_id, link) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (source, target, kind, source_id) DO UPDATE SET link = excluded.link`,
          from,
          to,
          link.kind,
          link.id,
          JSON.stringify(link),
        );
      }
    },
    async deleteLink(from, to, kind, sourceId) {
      await tables.change(
        'DELETE FROM n8n_promotion_links WHERE source = ? AND target = ? AND kind = ? AND source_id = ?',
        from,
        to,
        kind,
        sourceId,
      );
    },
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
