import { z } from 'zod';
import { isDistance, type Distance } from './distance.ts';
import { literal } from './sql.ts';

/** What a collection knows about its vectors. It is the comment of the column, so that a dump keeps it. */
export interface Remembered {
  /** The model that made the vectors: `use-lite@0.2.0/512`. */
  readonly model?: string;
  readonly distance?: Distance;
}

const MARK = 'sluice ';

const shape = z.object({
  model: z.string().optional().catch(undefined),
  distance: z.custom<Distance>(isDistance).optional().catch(undefined),
});

/** Nothing, if the comment is somebody else's. */
export function rememberedIn(comment: string | null | undefined): Remembered {
  if (!comment?.startsWith(MARK)) return {};
  try {
    const { model, distance } = shape.parse(JSON.parse(comment.slice(MARK.length)));
    return { ...(model !== undefined && { model }), ...(distance !== undefined && { distance }) };
  } catch {
    return {};
  }
}

/** The comment as SQL. */
export const commentOf = (remembered: Remembered): string => literal(`${MARK}${JSON.stringify(remembered)}`);
