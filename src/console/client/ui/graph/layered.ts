export interface Placed {
  readonly x: number;
  readonly y: number;
}

interface Edge {
  readonly from: string;
  readonly to: string;
}

const TIMES = 4;

/**
 * Places nodes in columns from left to right, so that edges lead to the right as far as there are no cycles. Nodes of a
 * column are ordered so that few edges cross.
 */
export function layered(
  ids: readonly string[],
  edges: readonly Edge[],
  { column, row }: { column: number; row: number },
): Map<string, Placed> {
  const known = new Set(ids);
  const real = edges.filter(({ from, to }) => from !== to && known.has(from) && known.has(to));
  const forward = withoutCycles(ids, real);
  const depth = depthsOf(ids, forward);
  const columns: string[][] = [];
  for (const id of ids) (columns[depth.get(id) ?? 0] ??= []).push(id);
  order(columns, forward);
  const tallest = Math.max(...columns.map((one) => one?.length ?? 0));
  const placed = new Map<string, Placed>();
  for (const [x, ids] of columns.entries())
    for (const [y, id] of (ids ?? []).entries())
      placed.set(id, { x: x * column, y: (y + (tallest - (ids?.length ?? 0)) / 2) * row });
  return placed;
}

/** The edges without those that lead back to where one came from. */
function withoutCycles(ids: readonly string[], edges: readonly Edge[]): Edge[] {
  const after = byStart(edges);
  const state = new Map<string, 'open' | 'done'>();
  const kept: Edge[] = [];
  for (const start of ids) {
    if (state.has(start)) continue;
    // Not recursive: a chain may be as long as there are nodes.
    const stack: { id: string; next: number }[] = [{ id: start, next: 0 }];
    state.set(start, 'open');
    while (stack.length > 0) {
      const top = stack.at(-1) as { id: string; next: number };
      const edge = after.get(top.id)?.[top.next++];
      if (!edge) {
        state.set(top.id, 'done');
        stack.pop();
      } else if (state.get(edge.to) !== 'open') {
        kept.push(edge);
        if (!state.has(edge.to)) {
          state.set(edge.to, 'open');
          stack.push({ id: edge.to, next: 0 });
        }
      }
    }
  }
  return kept;
}

/** How many edges the longest way to each node has. */
function depthsOf(ids: readonly string[], edges: readonly Edge[]): Map<string, number> {
  const after = byStart(edges);
  const before = new Map<string, number>();
  for (const { to } of edges) before.set(to, (before.get(to) ?? 0) + 1);
  const depth = new Map<string, number>();
  const ready = ids.filter((id) => !before.has(id));
  for (const id of ready) depth.set(id, 0);
  for (let id = ready.shift(); id !== undefined; id = ready.shift()) {
    for (const { to } of after.get(id) ?? []) {
      depth.set(to, Math.max(depth.get(to) ?? 0, (depth.get(id) ?? 0) + 1));
      const left = (before.get(to) ?? 0) - 1;
      before.set(to, left);
      if (left === 0) ready.push(to);
    }
  }
  return depth;
}

/** Moves each node to the middle of its neighbours in the column before, then after, a few times. */
function order(columns: string[][], edges: readonly Edge[]): void {
  const sources = new Map<string, string[]>();
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) {
    sources.set(to, [...(sources.get(to) ?? []), from]);
    targets.set(from, [...(targets.get(from) ?? []), to]);
  }
  const place = new Map<string, number>();
  const note = () => {
    for (const column of columns) for (const [index, id] of (column ?? []).entries()) place.set(id, index);
  };
  note();
  for (let time = 0; time < TIMES; time++) {
    const near = time % 2 === 0 ? sources : targets;
    for (const column of columns) {
      const middle = new Map(
        (column ?? []).map((id) => {
          const around = near.get(id) ?? [];
          const sum = around.reduce((total, one) => total + (place.get(one) ?? 0), 0);
          return [id, around.length > 0 ? sum / around.length : (place.get(id) ?? 0)];
        }),
      );
      column?.sort((a, b) => (middle.get(a) ?? 0) - (middle.get(b) ?? 0));
    }
    note();
  }
}

function byStart(edges: readonly Edge[]): Map<string, Edge[]> {
  const after = new Map<string, Edge[]>();
  for (const edge of edges) {
    const known = after.get(edge.from);
    if (known) known.push(edge);
    else after.set(edge.from, [edge]);
  }
  return after;
}
