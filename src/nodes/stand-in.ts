import { AppError } from '../kernel/errors.ts';
import { type AnyTool, Written } from '../kernel/tool.ts';
import type { Catalogue, Catalogues, Waiting } from './catalogue.ts';
import type { NodesDeps } from './tool.ts';

interface Nearest {
  readonly catalogue: Catalogue;
  readonly note?: string;
}

/** Tools that can answer from Sluice's own texts. The others need n8n's descriptions. */
const answersAlone: ReadonlySet<string> = new Set(['get_node_types', 'search_nodes', 'get_node_details']);

/**
 * Makes a tool wait while the catalogue is being built. If the instance's catalogue is unavailable, the tool answers from
 * the pinned version's or from Sluice's own texts, and adds a note.
 */
export function withNote(tool: AnyTool<NodesDeps>): AnyTool<NodesDeps> {
  return {
    ...tool,
    async run(input, deps, context, progress) {
      const { instance } = input as { instance?: string };
      const waiting = { signal: context.signal, progress };
      const { catalogue, note } = await nearest(deps.catalogues, instance, waiting).catch((error: unknown) =>
        answersAlone.has(tool.name) ? alone(deps.catalogues, instance, error) : Promise.reject(error),
      );
      const catalogues = { ...deps.catalogues, get: () => catalogue };
      const { meaning, ...rest } = deps;
      // Vectors exist for full catalogues only.
      const compared = !catalogue.curatedOnly && meaning ? { meaning } : {};
      const out = await tool.run(input, { ...rest, ...compared, catalogues }, context, progress);
      return note === undefined ? out : noted(out as object, tool.name === 'get_node_types' ? [note] : note);
    },
  };
}

async function nearest(catalogues: Catalogues, instance: string | undefined, waiting: Waiting): Promise<Nearest> {
  return catalogues.nearest?.(instance, waiting) ?? { catalogue: await catalogues.ready(instance, waiting) };
}

/** Not during a build: then a retry soon gets the full answer. */
async function alone(catalogues: Catalogues, instance: string | undefined, error: unknown): Promise<Nearest> {
  if (!(error instanceof AppError) || error.code !== 'unavailable' || catalogues.state(instance).state === 'building')
    throw error;
  const { curatedCatalogue } = await import('./curated/catalogue.ts');
  const catalogue = curatedCatalogue();
  const note = `These are only the nodes that Sluice describes itself; n8n has hundreds more. ${error.message} The full catalogue needs an n8n (set N8N_URL and N8N_API_KEY, or run \`sluice n8n up\`) or access to npm's registry.`;
  return { catalogue, note };
}

/** A list for get_node_types, whose output schema allows only lists. */
function noted(out: object, note: string | string[]): object {
  if (!(out instanceof Written)) return { ...out, note };
  const member = `,"note":${JSON.stringify(note)}}`;
  const quoted = JSON.stringify(member).slice(1);
  return new Written(out.json.slice(0, -1) + member, out.quoted.slice(0, -2) + quoted);
}
