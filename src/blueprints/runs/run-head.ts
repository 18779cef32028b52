import { type Goal, type Run, type RunHead, type RunState, type Waits, WHOLE } from './run.ts';

export type Row = Readonly<Record<string, string | number | null>>;

/** The columns of a run that are not sealed. */
export const HEAD =
  'id, name, kind, origin, hash, deployer, actor, state, goal, part, engine, replica, waits, wake_at, error, parent, parent_step, parent_item, schedule, trace, created_at, started_at, ended_at, updated_at';
export const OPEN = "state IN ('pending', 'running', 'waiting', 'undoing')";

export function headOf(row: Row): RunHead {
  const {
    engine,
    replica,
    waits,
    wake_at: wakeAt,
    error,
    parent,
    parent_step: step,
    parent_item: item,
    schedule,
  } = row;
  const { started_at: startedAt, ended_at: endedAt } = row;
  return {
    id: String(row.id),
    name: String(row.name),
    kind: row.kind as Run['kind'],
    origin: row.origin as Run['origin'],
    hash: String(row.hash),
    deployer: String(row.deployer),
    actor: String(row.actor),
    state: row.state as RunState,
    goal: row.goal as Goal,
    part: Number(row.part),
    ...(typeof engine === 'string' && { engine }),
    ...(typeof replica === 'string' && { replica }),
    ...(typeof waits === 'string' && { waits: JSON.parse(waits) as Waits }),
    ...(wakeAt !== null && { wakeAt: Number(wakeAt) }),
    ...(typeof error === 'string' && { error }),
    ...(typeof parent === 'string' && { parent: { run: parent, step: String(step), item: Number(item ?? WHOLE) } }),
    ...(typeof schedule === 'string' && { schedule }),
    trace: String(row.trace),
    createdAt: Number(row.created_at),
    ...(startedAt !== null && { startedAt: Number(startedAt) }),
    ...(endedAt !== null && { endedAt: Number(endedAt) }),
    updatedAt: Number(row.updated_at),
  };
}
