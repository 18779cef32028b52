import { z } from 'zod';
import { workflowIn } from '../workflow-in.ts';
import { PUBLIC } from '../settings.ts';
import type { Template, TemplateSummary } from '../template.ts';
import { DESCRIPTION, line, NAME, prose, timeIn, typesIn } from '../text.ts';

// The parts of the service's answers that Sluice relies on. An entry that is not as expected is left out: one of them
// must not make a whole list fail.

const MOST_CATEGORIES = 10;
const LONGEST_CATEGORY = 60;

/** The entries of a list that have this shape. */
const listOf = <T extends z.ZodType>(shape: T) =>
  z.array(z.unknown()).transform((all) =>
    all.flatMap((one) => {
      const read = shape.safeParse(one);
      return read.success ? [read.data] : [];
    }),
  );

/** A value of this shape; undefined for everything else. */
const maybe = <T extends z.ZodType>(shape: T) => shape.optional().catch(undefined);

const entryShape = z.looseObject({
  id: z.union([z.int().positive(), z.string().regex(/^\d{1,12}$/)]).transform(String),
  name: z.string(),
  description: maybe(z.string().nullable()),
  createdAt: maybe(z.string()),
  totalViews: maybe(z.number()),
  price: maybe(z.number().nullable()),
  purchaseUrl: maybe(z.string().nullable()),
  user: maybe(z.looseObject({ name: maybe(z.string().nullable()), username: maybe(z.string().nullable()) }).nullable()),
  /** `name` is the type: `n8n-nodes-base.slack`. */
  nodes: listOf(z.looseObject({ name: z.string() })).catch([]),
  categories: listOf(z.looseObject({ name: z.string() })).catch([]),
});

const pageShape = z.looseObject({
  totalWorkflows: z.number(),
  workflows: listOf(entryShape),
});

const importableShape = z.looseObject({ workflow: z.unknown() });
const detailShape = z.looseObject({ workflow: entryShape.extend({ workflow: z.unknown().optional() }) });
const categoriesShape = z.looseObject({ categories: listOf(z.looseObject({ name: z.string() })) });

export interface Page {
  readonly total: number;
  readonly templates: readonly TemplateSummary[];
}

/** The answer of `templates/search`; undefined if it is none. */
export function pageIn(body: unknown): Page | undefined {
  const read = pageShape.safeParse(body);
  if (!read.success) return undefined;
  return { total: read.data.totalWorkflows, templates: read.data.workflows.map(summaryOf) };
}

/** The answer of `templates/workflows/:id`. Most have the workflow, too. */
export function detailIn(
  body: unknown,
): { readonly summary: TemplateSummary; readonly workflow?: Template['workflow'] } | undefined {
  const read = detailShape.safeParse(body);
  if (!read.success) return undefined;
  const workflow = workflowIn(read.data.workflow.workflow);
  return { summary: summaryOf(read.data.workflow), ...(workflow && { workflow }) };
}

/** The answer of `workflows/templates/:id`. */
export function importableIn(body: unknown): Template['workflow'] | undefined {
  const read = importableShape.safeParse(body);
  return read.success ? workflowIn(read.data.workflow) : undefined;
}

export function categoriesIn(body: unknown): string[] | undefined {
  const read = categoriesShape.safeParse(body);
  return read.success ? read.data.categories.map(({ name }) => line(name, LONGEST_CATEGORY)) : undefined;
}

function summaryOf(entry: z.output<typeof entryShape>): TemplateSummary {
  const { id, name, description, createdAt, totalViews, price, purchaseUrl, user, nodes, categories } = entry;
  const author = user?.name || user?.username;
  const created = timeIn(createdAt);
  const isPaid = (price ?? 0) > 0 || Boolean(purchaseUrl);
  return {
    id,
    name: line(name, NAME),
    ...(description && { description: prose(description, DESCRIPTION) }),
    nodes: typesIn(nodes.map((node) => node.name)),
    ...(categories.length > 0 && {
      categories: categories.slice(0, MOST_CATEGORIES).map((one) => line(one.name, LONGEST_CATEGORY)),
    }),
    ...(author && { author: line(author, NAME) }),
    ...(totalViews !== undefined && { views: totalViews }),
    ...(created !== undefined && { created }),
    ...(isPaid && { paid: true as const }),
    library: PUBLIC,
  };
}
