import type { z } from 'zod';
import { cursorFor, placeIn } from '../cursor.ts';
import { AppError } from '../../kernel/errors.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import type { Catalogue, Catalogues } from '../../nodes/catalogue.ts';
import type { Instances } from '../instances.ts';
import { fitOf } from './fits.ts';
import type { listedShape } from './listed-shape.ts';
import type { TemplateSummary } from './template.ts';
import { line, shortType } from './text.ts';

const SHORT = 160;
const MOST_NODES = 12;
const MOST_MISSING = 5;

export function listed(template: TemplateSummary, catalogue: Catalogue | undefined): z.output<typeof listedShape> {
  const { id, name, description, nodes, library, views, created, paid } = template;
  const fit = catalogue && fitOf(template, catalogue);
  const left = nodes.length - MOST_NODES;
  return {
    id,
    name,
    ...(description && { description: line(description, SHORT) }),
    nodes: nodes.slice(0, MOST_NODES).map((type) => line(shortType(type), 60)),
    ...(left > 0 && { more_nodes: left }),
    library,
    ...(views !== undefined && { views }),
    ...(created !== undefined && { created: created.slice(0, 10) }),
    ...(paid && { paid }),
    ...(fit && { fits: fit.fits }),
    ...(fit && !fit.fits && { missing_nodes: fit.missing.slice(0, MOST_MISSING).map((one) => line(one, 100)) }),
  };
}

interface Paging<T, Shown> {
  readonly all: readonly T[];
  readonly limit: number;
  readonly cursor: string | undefined;
  /** The rest of the same answer. */
  readonly head: object;
  shown(item: T): Shown;
}

/** The part of a list that fits into a reply, and the cursor to the next. */
export function pageOf<T, Shown>(
  tool: string,
  asked: object,
  { all, limit, cursor, head, shown }: Paging<T, Shown>,
): { readonly items: Shown[]; readonly next: { cursor?: string } } {
  const { skip } = placeIn(tool, asked, cursor);
  const rest = all.slice(skip, skip + limit).map(shown);
  const items = rest.slice(0, fittingItems(rest, { ...head, cursor: 'x'.repeat(100) }));
  const next = skip + items.length;
  return {
    items,
    next: next < all.length && items.length > 0 ? { cursor: cursorFor(tool, asked, { skip: next }) } : {},
  };
}

/** The catalogue if it is there: reading about templates does not wait until one is built. */
export function catalogueNow(catalogues: Catalogues, instance: string | undefined): Catalogue | undefined {
  try {
    return catalogues.get(instance);
  } catch (error) {
    // Whoever names an n8n that does not exist is told so.
    if (instance !== undefined && error instanceof AppError && error.code === 'not_found') throw error;
    return undefined;
  }
}

/** For whom `fits` was computed, if no n8n is connected. */
export const comparedWith = (instances: Instances, catalogue: Catalogue | undefined): string[] =>
  catalogue && instances.names().length === 0
    ? [`No n8n is connected: "fits" compares with n8n ${catalogue.origin.n8n}.`]
    : [];
