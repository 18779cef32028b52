import type { GraphEdge, GraphNode } from '../../console/client/ui/graph/drawing.ts';
import type { Outline, PlannedStep, RunStep } from './shapes.ts';
import { toneOf } from './words.ts';

const COLUMN = 236;
const ROW = 108;

/** A drawing: steps from left to right, then on the next line back. */
export interface Flow {
  readonly nodes: GraphNode[];
  readonly edges: GraphEdge[];
  readonly lines: number;
}

type Look = Pick<GraphNode, 'tone' | 'badge' | 'dim'>;

function flowOf<T extends { readonly step: string; readonly kind: string }>(
  steps: readonly T[],
  columns: number,
  { does, look, ifWords }: { does: (step: T) => string; look: (step: T) => Look; ifWords: (step: T) => boolean },
): Flow {
  const nodes = steps.map((one, index): GraphNode => {
    const line = Math.floor(index / columns);
    const along = index % columns;
    const place = line % 2 === 0 ? along : columns - 1 - along;
    return { id: one.step, label: one.step, detail: does(one), at: { x: place * COLUMN, y: line * ROW }, ...look(one) };
  });
  const edges = steps.slice(1).map((one, index): GraphEdge => {
    const before = steps[index] as T;
    const leadsRight = Math.floor(index / columns) % 2 === 0 && (index + 1) % columns !== 0;
    const isNested = one.step.startsWith(`${before.step}.`);
    return {
      from: before.step,
      to: one.step,
      direct: !leadsRight,
      ...(isNested && { dashed: true, label: 'calls' }),
      ...(!isNested && ifWords(one) && { label: 'if' }),
    };
  });
  return { nodes, edges, lines: Math.max(1, Math.ceil(steps.length / columns)) };
}

const marks = (parts: readonly (string | false | undefined)[]): string | undefined =>
  parts.filter((part) => typeof part === 'string').join(' · ') || undefined;

const kinds: ReadonlyMap<string, string> = new Map([
  ['tool', ''],
  ['workflow', 'workflow '],
  ['webhook', ''],
  ['approval', 'asks: '],
  ['wait', 'waits '],
  ['event', 'waits for '],
  ['blueprint', 'calls '],
]);

const said = (kind: string, does: string): string => `${kinds.get(kind) ?? ''}${does}`;

/** A definition as it is written. */
export const flowOfOutline = (steps: readonly Outline[], columns: number): Flow =>
  flowOf(steps, columns, {
    does: ({ kind, does }) => said(kind, does),
    ifWords: ({ when }) => when !== undefined,
    look: ({ for_each, undo, confirm }) => ({
      tone: confirm ? 'info' : undefined,
      badge: marks([for_each !== undefined && 'for each', undo !== undefined && '↩ undo', confirm && 'person']),
    }),
  });

/** What would happen with these inputs. */
export const flowOfPlan = (steps: readonly PlannedStep[], columns: number): Flow =>
  flowOf(steps, columns, {
    does: ({ kind, does }) => said(kind, plannedWork(does)),
    ifWords: ({ when }) => when !== undefined,
    look: ({ skipped, items, for_each, undo, confirm }) => ({
      tone: skipped ? 'off' : confirm === 'deploy' ? 'warn' : confirm === 'person' ? 'info' : undefined,
      dim: skipped === true,
      badge: skipped
        ? 'skipped'
        : marks([
            items === undefined ? for_each !== undefined && 'for each' : `× ${items}`,
            undo !== undefined && '↩',
            confirm === 'deploy' && 'confirm',
            confirm === 'person' && 'person',
          ]),
    }),
  });

/** A run, with how each step went. */
export const flowOfRun = (steps: readonly RunStep[], columns: number): Flow =>
  flowOf(steps, columns, {
    does: ({ kind, does }) => said(kind, does),
    ifWords: ({ when }) => when !== undefined,
    look: (one) => {
      const { state, undone } = stateOf(one);
      const words = undone === undefined ? state : undone === 'done' ? 'undone' : `undo ${undone}`;
      return {
        tone: undone === 'done' ? 'off' : toneOf(undone ?? state),
        dim: state === 'pending' || state === 'skipped',
        badge: marks([words, itemsIn(one)]),
      };
    },
  });

/** How a step stands, and how undoing it went. */
export function stateOf({ bars }: Pick<RunStep, 'bars'>): { readonly state: string; readonly undone?: string } {
  const whole = bars.find(({ phase, item }) => phase === 'do' && item === undefined);
  const undos = bars.filter(({ phase }) => phase === 'undo');
  const undone = undos.find(({ state }) => state !== 'done')?.state ?? undos[0]?.state;
  return { state: whole?.state ?? 'pending', ...(undone !== undefined && { undone }) };
}

function itemsIn({ items }: RunStep): string | undefined {
  if (!items) return undefined;
  const counts = Object.values(items);
  const all = counts.reduce((sum, one) => sum + one, 0);
  return `${Object.hasOwn(items, 'done') ? items.done : 0}/${all}`;
}

/** The tool, the workflow or the question of a planned step. */
export function plannedWork(does: unknown): string {
  if (typeof does === 'string') return does;
  if (typeof does !== 'object' || does === null) return '';
  const work = does as Readonly<Record<string, unknown>>;
  for (const name of ['tool', 'workflow', 'webhook', 'question', 'event', 'blueprint'])
    if (typeof work[name] === 'string') return work[name];
  return typeof work.ms === 'number' ? `${work.ms / 1000} s` : '';
}
