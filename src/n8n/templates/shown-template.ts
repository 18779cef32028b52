import { fittingItems } from '../../kernel/reply-size.ts';
import type { Catalogue } from '../../nodes/catalogue.ts';
import { readVersion } from '../workflows/reading.ts';
import { credentialsIn } from './credentials-in.ts';
import { fitOf } from './fits.ts';
import type { Template } from './template.ts';
import { line, prose } from './text.ts';
import { stickyNotes } from './workflow-in.ts';

const DESCRIPTION = 800;
const AUTHOR = 80;
const MOST_CATEGORIES = 5;
const NOTE = 240;
const MOST_NOTES = 6;
const MOST_NODES = 40;
const NODES_BYTES = 1000;

interface How {
  readonly detail?: 'summary' | 'structure' | 'full' | undefined;
  readonly from?: number | undefined;
  readonly max_bytes?: number | undefined;
}

/** What n8n_get_template answers. */
export function shownTemplate(template: Template, catalogue: Catalogue | undefined, how: How) {
  const { detail = 'summary', from, max_bytes } = how;
  const fit = catalogue && fitOf(template, catalogue);
  const head = { ...headOf(template), ...(fit && { fits: fit.fits }) };
  if (detail !== 'summary') {
    const { name, workflow } = template;
    const { nodes, connections, settings, pinData } = workflow;
    const parts = {
      name,
      nodes: [...nodes],
      connections,
      ...(settings && { settings: { ...settings } }),
      ...(pinData && { pinData: { ...pinData } }),
    };
    const {
      full,
      nodes: structure,
      more,
    } = readVersion(parts, head, { detail, from, ...(max_bytes !== undefined && { max_bytes }) });
    return { ...head, ...(full && { workflow: full }), ...(structure && { structure }), ...(more && { more }) };
  }
  const lacking = new Set(fit?.missing);
  const uses = usesOf(template).map((one) => {
    const lacks = lacking.has(one.type) ? 'the node' : lacking.has(`${one.type} v${one.version}`) ? 'this version' : '';
    return { ...one, ...(lacks && { lacks }) };
  });
  const credentials = credentialsIn(template.workflow.nodes, catalogue);
  const texts = stickyNotes(template.workflow.nodes);
  const notes = texts.slice(0, MOST_NOTES).map((text) => prose(text, NOTE));
  const before = { ...head, ...(credentials.length > 0 && { credentials }) };
  // Some room stays for the nodes.
  const short = notes.slice(0, fittingItems(notes, { ...before, uses: 'x'.repeat(NODES_BYTES) }));
  const rest = { ...before, ...(short.length > 0 && { notes: short }) };
  // What is missing comes first, so that it is never cut.
  const sorted = uses.sort((one, other) => Number('lacks' in other) - Number('lacks' in one));
  const kept = sorted.slice(0, Math.min(MOST_NODES, fittingItems(sorted, rest)));
  const left = sorted.length - kept.length;
  return {
    ...rest,
    uses: kept,
    ...(left > 0 && { more: `${left} more types of nodes: "detail": "structure" shows every node.` }),
  };
}

function headOf(template: Template) {
  const { id, name, library, description, author, categories, views, created, paid, readAt, note, workflow } = template;
  return {
    id,
    name,
    library,
    ...(description && { description: line(description, DESCRIPTION) }),
    ...(author !== undefined && { author: line(author, AUTHOR) }),
    ...(categories && { categories: categories.slice(0, MOST_CATEGORIES) }),
    ...(views !== undefined && { views }),
    ...(created !== undefined && { created }),
    ...(paid && { paid }),
    nodes_count: workflow.nodes.length,
    ...(readAt !== undefined && { read_at: readAt }),
    ...(note !== undefined && { note }),
  };
}

/** Types and versions with how often each is used. */
function usesOf({ versions = [], workflow }: Template) {
  return versions.map(([type, version]) => ({
    type: line(type, 120),
    version,
    count: workflow.nodes.filter((node) => node.type === type && (node.typeVersion ?? 1) === version).length,
  }));
}
