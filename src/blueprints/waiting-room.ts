import type { Waiting, WaitingRoom } from '../host/waiting.ts';
import { denial } from '../kernel/call.ts';
import { AppError } from '../kernel/errors.ts';
import { ownCalls } from '../kernel/own-calls.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Seal } from '../kernel/seal.ts';
import type { Tables } from '../store/store.ts';
import { routeCall, type RoutesDeps } from './routes/call.ts';
import { HEAD, headOf, type Row } from './runs/run-head.ts';
import type { Run, RunHead } from './runs/run.ts';
import { aboutRun } from './runs/sealing.ts';
import { seesAsked } from './service/control.ts';

const MOST = 200;

/** A run, and the arguments of the call that waits for an approval. */
type Stuck = RunHead & Pick<Run, 'asked'>;

interface WaitingDeps extends Pick<RoutesDeps, 'gateway' | 'stopping'> {
  readonly tables: Tables;
  /** Opens what is sealed about a run. */
  seal(): Promise<Pick<Seal, 'open'>>;
  isAuthOn(): boolean;
}

/** Runs that need a person. It is asked often, so it reads one index and never loads the code that runs them. */
export function blueprintsWaiting({ gateway, stopping, tables, seal, isAuthOn }: WaitingDeps): WaitingRoom {
  const call = routeCall({ gateway, stopping });

  function refusalOf(principal: Principal, tool: string): string | undefined {
    const known = gateway.registry.find(tool);
    return known ? denial(principal, known)?.message : 'Blueprints are off.';
  }

  /** The newest of those that somebody can do something about, oldest first. */
  async function stuck(own: string | undefined): Promise<Stuck[]> {
    const rows = await tables.rows<Row>(
      `SELECT ${HEAD}, sealed_asked FROM blueprint_runs
       WHERE ((state = 'waiting' AND (waits LIKE '%"for":"approval"%' OR waits LIKE '%"for":"rights"%')) OR (state = 'unknown' AND parent IS NULL))
         ${own === undefined ? '' : 'AND (deployer = ? OR actor = ?)'} ORDER BY updated_at DESC LIMIT ?`,
      ...(own === undefined ? [] : [own, own]),
      MOST,
    );
    const opened = rows.some(({ sealed_asked: asked }) => asked !== null) ? await seal() : undefined;
    return rows
      .map((row) => ({
        ...headOf(row),
        ...(opened &&
          row.sealed_asked !== null && {
            asked: opened.open(String(row.sealed_asked), aboutRun(String(row.id), 'asked')),
          }),
      }))
      .toReversed();
  }

  function shown(run: Stuck, principal: Principal, mayNot: string | undefined): Waiting | undefined {
    const { id, name, waits, state, error, wakeAt, updatedAt } = run;
    const about = {
      id: [id, waits?.step ?? '', ...(waits?.for === 'approval' && waits.ask !== undefined ? [waits.ask] : [])].join(
        ':',
      ),
      kind: 'approval' as const,
      since: new Date(updatedAt).toISOString(),
      page: `blueprints/runs/${encodeURIComponent(id)}`,
    };
    if (state === 'unknown')
      return {
        ...about,
        title: `Did a step of ${name} take effect?`,
        detail: error ?? 'It ended while a step ran.',
        decides: false,
        why: 'Find out whether the step took effect. Then open the run and say so.',
      };
    if (waits?.for === 'rights')
      return {
        ...about,
        title: `${name} lacks the rights to go on`,
        detail: `Step ${waits.step}: ${waits.reason}`,
        decides: false,
        why: 'Somebody who has the rights opens the run and resumes it.',
      };
    if (waits?.for !== 'approval') return undefined;
    const isOwn = [run.deployer, run.actor].includes(principal.id);
    const why = mayNot ?? (isOwn && isAuthOn() ? 'Your key deployed this run. Another key has to decide.' : undefined);
    return {
      ...about,
      title: waits.question,
      detail: `Blueprint ${name}, step ${waits.step}`,
      ...(run.asked !== undefined && seesAsked(run, principal) && { data: JSON.parse(run.asked) as unknown }),
      ...(wakeAt !== undefined && { expires: new Date(wakeAt).toISOString() }),
      decides: why === undefined,
      ...(why !== undefined && { why }),
    };
  }

  return {
    async list(principal) {
      const mayNotApprove = refusalOf(principal, 'blueprint_approve');
      const mayLook = refusalOf(principal, 'blueprint_status') === undefined;
      if (!mayLook && mayNotApprove !== undefined) return [];
      const isLimited = ownCalls(principal) !== undefined;
      // Whoever may approve decides about the runs of others.
      const runs = await stuck(isLimited && mayNotApprove !== undefined ? principal.id : undefined);
      return runs.flatMap((run) => {
        const isApproval = run.state === 'waiting' && run.waits?.for === 'approval';
        const isOwn = [run.deployer, run.actor].includes(principal.id);
        const maySee = isApproval && mayNotApprove === undefined ? true : mayLook && (!isLimited || isOwn);
        return (maySee && shown(run, principal, mayNotApprove)) || [];
      });
    },
    async decide(id, { approve, note }, principal) {
      const [run = '', step = '', ask] = id.split(':');
      if (run === '' || step === '') throw new AppError('not_found', 'Nothing of this name waits for a decision.');
      const comment = note === undefined || note === '' ? {} : { comment: note };
      const { state } = await call({ principal }, 'blueprint_approve', {
        run,
        step,
        ...(ask !== undefined && { ask }),
        approve,
        ...comment,
      });
      return `You ${approve ? 'approved' : 'refused'} ${step} of ${run}. It is ${String(state)} now.`;
    },
  };
}
