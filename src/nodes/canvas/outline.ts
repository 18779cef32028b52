import { GAP_Y, GRID } from './node-size.ts';

/** The vertical space a group of nodes occupies in each column. */
export class Outline {
  #columns: Map<number, [number, number][]>;
  /** Added to all values on reading, so that moving a group is cheap. */
  #shift = 0;

  constructor(column?: number, top = 0, bottom = 0) {
    this.#columns = new Map(column === undefined ? [] : [[column, [[top, bottom]]]]);
  }

  move(by: number): void {
    this.#shift += by;
  }

  /** Merges another outline into this one. Copies the smaller one, so that long chains stay cheap. */
  add(other: Outline): void {
    if (other.#columns.size > this.#columns.size) {
      [this.#columns, other.#columns] = [other.#columns, this.#columns];
      [this.#shift, other.#shift] = [other.#shift, this.#shift];
    }
    const by = other.#shift - this.#shift;
    for (const [column, spans] of other.#columns) {
      const moved = spans.map(([top, bottom]): [number, number] => [top + by, bottom + by]);
      const known = this.#columns.get(column);
      if (known) known.push(...moved);
      else this.#columns.set(column, moved);
    }
  }

  /** How far the other must move to be below all of this. */
  roomBelow(other: Outline): number {
    let by = Number.NEGATIVE_INFINITY;
    for (const [above, below] of this.#shared(other)) {
      const bottom = Math.max(...above.map((span) => span[1])) + this.#shift;
      const top = Math.min(...below.map((span) => span[0])) + other.#shift;
      by = Math.max(by, bottom + GAP_Y - top);
    }
    return up(by);
  }

  /** The shift nearest to `wanted` at which the other overlaps nothing. */
  nearestRoom(other: Outline, wanted: number): number {
    const taken: [number, number][] = [];
    for (const [ours, theirs] of this.#shared(other)) {
      for (const [top, bottom] of ours) {
        for (const [first, last] of theirs) {
          const by = this.#shift - other.#shift;
          taken.push([top + by - GAP_Y - last, bottom + by + GAP_Y - first]);
        }
      }
    }
    taken.sort((a, b) => a[0] - b[0]);
    let [from, to] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const [start, end] of taken) {
      // Merge overlapping spans until one contains the wanted position.
      if (start >= to) {
        if (wanted < to) break;
        [from, to] = [start, end];
      } else to = Math.max(to, end);
    }
    if (wanted <= from || wanted >= to) return wanted;
    return to - wanted <= wanted - from ? up(to) : -up(-from);
  }

  *#shared(other: Outline): Generator<[[number, number][], [number, number][]]> {
    const [few, many, swapped] =
      this.#columns.size <= other.#columns.size
        ? [this.#columns, other.#columns, false]
        : [other.#columns, this.#columns, true];
    for (const [column, spans] of few) {
      const others = many.get(column);
      if (others) yield swapped ? [others, spans] : [spans, others];
    }
  }
}

const up = (value: number): number => Math.ceil(value / GRID) * GRID;
