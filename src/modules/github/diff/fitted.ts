import { fittingItems } from '../../../kernel/reply-size.ts';
import { shortened } from '../../shown.ts';
import type { FileDiff } from './files-in.ts';

/** Where in a diff a reply begins. */
export interface DiffPlace {
  readonly file: number;
  readonly line: number;
}

export interface ShownDiff {
  readonly path: string;
  readonly status: string;
  readonly previous_path?: string;
  /** Set if lines of this file came before, in the answer before. */
  readonly from_line?: number;
  readonly diff: string;
  /** Set if the rest is in the next answer. */
  readonly lines_left?: number;
}

/** A line of minified code would fill the reply. */
const MOST_OF_LINE = 500;
/** Not worth cutting a file in two for. */
const FEW_LINES = 10;

/** As much of a diff as fits into a reply, file by file, from a place on; and the place where the rest begins. */
export function fittedDiff(
  files: readonly FileDiff[],
  { file: first, line: start }: DiffPlace,
  besides: object,
): { readonly shown: ShownDiff[]; readonly next?: DiffPlace } {
  const shown: ShownDiff[] = [];
  const fits = (one: ShownDiff) => fittingItems([{}, ...shown, one], besides) === shown.length + 2;
  for (let index = first; index < files.length; index += 1) {
    const file = files[index] as FileDiff;
    const from = index === first ? Math.min(start, file.lines.length) : 0;
    const whole = part(file, from, file.lines.length);
    if (fits(whole)) {
      shown.push(whole);
      continue;
    }
    const most = mostThat((count) => fits(part(file, from, from + count)), file.lines.length - from);
    // At least a line of the first file, so that the next answer goes on.
    const count = shown.length === 0 ? Math.max(1, most) : most < FEW_LINES ? 0 : most;
    if (count > 0) shown.push(part(file, from, from + count));
    return { shown, next: { file: index, line: from + count } };
  }
  return { shown };
}

function part({ path, status, previous, lines }: FileDiff, from: number, to: number): ShownDiff {
  return {
    path,
    status,
    ...(previous !== undefined && { previous_path: previous }),
    ...(from > 0 && { from_line: from + 1 }),
    diff: lines
      .slice(from, to)
      .map((line) => shortened(line, MOST_OF_LINE))
      .join('\n'),
    ...(to < lines.length && { lines_left: lines.length - to }),
  };
}

/** The largest number up to `top` that fits, if all smaller ones fit, too. */
function mostThat(fits: (count: number) => boolean, top: number): number {
  let low = 0;
  let high = top;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
