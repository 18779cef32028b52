import { bytesOf, type Piece, type Prepared } from './prepared.ts';
import { type Template, templateOf, type Told, told } from './told.ts';

export interface Page {
  readonly nodes: Told[];
  /** How many pieces of each node were shown. Absent after the last page. */
  readonly offsets?: readonly number[];
}

/** Bytes for the result envelope and the cursor. */
const FRAME = 500;
/** Bytes around the parameters of each node. */
const AROUND = bytesOf({
  parameters: [],
  configurations: {},
  default_configurations: {},
  examples: [],
  parameters_left: 1000,
});
/** Start another node on this page only if this many bytes are left beside its opening. */
const ROOM = 700;

/**
 * One page, up to the size limit. `offsets` counts what was shown of each node: 1 for the opening, 1 for each piece. Nodes
 * take turns, so that a large one does not push the others off the page.
 */
export function page(nodes: readonly Prepared[], offsets: readonly number[], limit: number): Page {
  // Offsets come from a cursor, so clamp them to valid values.
  const shown = nodes.map((node, at) => Math.min(Math.max(0, Math.trunc(offsets[at] || 0)), node.pieces.length + 1));
  let left = limit - FRAME;
  const open: { at: number; from: number; to: number }[] = [];
  for (const [at, node] of nodes.entries()) {
    const from = shown[at] as number;
    if (from > node.pieces.length) continue;
    const first = from === 0 ? node.opening.bytes : node.later.bytes + (node.pieces[from - 1] as Piece).bytes;
    const bytes = AROUND + first;
    const room = Math.min(ROOM, sum(node.pieces.slice(from, from + 3)));
    if (open.length > 0 && bytes + room > left) break;
    open.push({ at, from, to: from + 1 });
    left -= bytes;
  }
  for (let growing = [...open]; growing.length > 0; ) {
    growing = growing.filter((one) => {
      const piece = (nodes[one.at] as Prepared).pieces[one.to - 1];
      if (!piece || piece.bytes > left) return false;
      left -= piece.bytes;
      one.to += 1;
      return true;
    });
  }
  for (const { at, to } of open) shown[at] = to;
  const texts = open.map(({ at, from, to }) => told(assembled(nodes[at] as Prepared, from, to)));
  const more = nodes.some((node, at) => (shown[at] as number) <= node.pieces.length);
  return { nodes: texts, ...(more && { offsets: shown }) };
}

/** Caches the last page of each node: most requests repeat it. */
const last = new WeakMap<Prepared, { from: number; to: number; template: Template }>();

function assembled(node: Prepared, from: number, to: number): Template {
  const before = last.get(node);
  if (before?.from === from && before.to === to) return before.template;
  const template = templateOf(textOf(node, from, to), node.ids);
  last.set(node, { from, to, template });
  return template;
}

function textOf(node: Prepared, from: number, to: number): string {
  const isFirst = from === 0;
  const parts = [node.identity, (isFirst ? node.opening : node.later).members];
  if (!node.failed) {
    const older: string[] = [];
    const newer: string[] = [];
    const values: string[] = [];
    let said = node.withExamples && isFirst ? '"examples":[]' : '';
    for (let at = Math.max(0, from - 1); at < to - 1; at++) {
      const { parameter, members } = node.pieces[at] as Piece;
      if (members !== undefined) said = members;
      if (!parameter) continue;
      older.push(parameter[0]);
      newer.push(parameter[1]);
      if (parameter[2] !== '') values.push(parameter[2]);
    }
    parts.push(`"parameters":[${older.join()}]`);
    if (!node.once) parts.push(`"configurations":{${newer.join()}}`, `"default_configurations":{${values.join()}}`);
    parts.push(said);
    const left = node.pieces.slice(to - 1).filter(({ parameter }) => parameter).length;
    if (left > 0) parts.push(`"parameters_left":${left}`);
  }
  return `{${parts.filter(Boolean).join()}}`;
}

const sum = (pieces: readonly Piece[]): number => pieces.reduce((bytes, piece) => bytes + piece.bytes, 0);
