import { basename } from 'node:path';
import { own } from '../../../kernel/own.ts';
import type { Template, TemplateSummary } from '../template.ts';
import { DESCRIPTION, line, NAME, prose, timeIn } from '../text.ts';
import { stickyNotes, usedBy, workflowIn } from '../workflow-in.ts';

const MOST_TAGS = 10;
const LONGEST_TAG = 60;
/** `{ workflow: { workflow: … } }` of the public library is the deepest. */
const DEEPEST = 3;

export type Read =
  | { readonly template: Template }
  /** JSON, but not a workflow: a checkout has other files, too. */
  | { readonly other: true }
  | { readonly problem: string };

/** The template in a file: an export of n8n, or one in a wrapper. */
export function templateIn(text: string, library: string, id: string): Read {
  let json: unknown;
  try {
    // Editors on Windows put a mark at the beginning.
    json = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return { problem: 'is not JSON' };
  }
  if (Array.isArray(json) && json.length > 1 && json.every((one) => isLayer(one) && Array.isArray(one.nodes)))
    return { problem: 'has several workflows: write each to a file of its own (n8n export:workflow --separate)' };
  const layers = layersOf(json);
  const raw = layers.at(-1);
  if (!raw || !Array.isArray(raw.nodes)) return { other: true };
  const workflow = workflowIn(raw);
  if (!workflow)
    return {
      problem: 'has nodes without a name or a type, more than 2,000 nodes, or parameters that are nested too deep',
    };
  return { template: { ...summaryOf(layers, workflow, library, id), workflow } };
}

type Layer = Readonly<Record<string, unknown>>;

/** The wrappers, and the workflow itself as the last one. */
function layersOf(json: unknown): Layer[] {
  const layers: Layer[] = [];
  // `n8n export:workflow --separate` writes an object, without it a list.
  let inner = Array.isArray(json) && json.length === 1 ? (json[0] as unknown) : json;
  while (layers.length < DEEPEST && isLayer(inner)) {
    layers.push(inner);
    if (Array.isArray(inner.nodes) && !isLayer(inner.workflow)) break;
    inner = inner.workflow;
  }
  return layers;
}

const isLayer = (value: unknown): value is Layer =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function summaryOf(
  layers: readonly Layer[],
  workflow: Template['workflow'],
  library: string,
  id: string,
): TemplateSummary {
  const text = (key: string): string | undefined =>
    layers.map((layer) => own(layer, key)).find((value) => typeof value === 'string' && value.trim() !== '') as
      | string
      | undefined;
  const metas = layers.map(({ meta }) => meta).filter(isLayer);
  const described =
    text('description') ??
    (metas.map((meta) => meta.description).find((value) => typeof value === 'string' && value.trim() !== '') as
      | string
      | undefined) ??
    stickyNotes(workflow.nodes)[0];
  const created = timeIn(text('createdAt'));
  const tags = tagsIn(layers.at(-1)?.tags);
  return {
    id,
    name: line(text('name') ?? basename(id), NAME),
    ...(described !== undefined && { description: prose(described, DESCRIPTION) }),
    ...usedBy(workflow.nodes),
    ...(tags.length > 0 && { categories: tags }),
    ...(created !== undefined && { created }),
    library,
  };
}

/** n8n's tags serve as categories. */
function tagsIn(tags: unknown): string[] {
  if (!Array.isArray(tags)) return [];
  return tags.slice(0, MOST_TAGS).flatMap((tag: unknown) => {
    const name = isLayer(tag) ? tag.name : tag;
    return typeof name === 'string' && name !== '' ? [line(name, LONGEST_TAG)] : [];
  });
}
