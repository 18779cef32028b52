import { AppError } from '../kernel/errors.ts';
import { type AnyTool, Written } from '../kernel/tool.ts';
import type { Catalogue, Catalogues, Waiting } from './catalogue.ts';
import type { NodesDeps } from './tool.ts';

interface Nearest {
  readonly catalogue: Catalogue;
  readonly note?: string;
}

/** These can answer from what we wrote ourselves. The others would have to make it up. */
const answersAlone: ReadonlySet<string> = new Set(['get_node_types', 'search_nodes', 'get_node_details']);

/**
 * A tool that waits for the catalogue while it is being built, and answers with what is known of another n8n, or by
 * ourselves, where its own cannot be asked, and says so.
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
      // The meanings belong to whole catalogues.
      const compared = !catalogue.curatedOnly && meaning ? { meaning } : {};
      const out = await tool.run(input, { ...rest, ...compared, catalogues }, context, progress);
      return note === undefined ? out : noted(out as object, tool.name === 'get_node_types' ? [note] : note);
    },
  };
}

async function nearest(catalogues: Catalogues, instance: string | undefined, waiting: Waiting): Promise<Nearest> {
  return catalogues.nearest?.(instance, waiting) ?? { catalogue: await catalogues.ready(instance, waiting) };
}

/** While it is being built somebody who asks again gets everything. */
async function alone(catalogues: Catalogues, instance: string | undefined, error: unknown): Promise<Nearest> {
  if (!(error instanceof AppError) || error.code !== 'unavailable' || catalogues.state(instance).state === 'building')
    throw error;
  const { curatedCatalogue } = await import('./curated/catalogue.ts');
  const catalogue = curatedCatalogue();
  const note = `These are only the nodes that Sluice describes itself; n8n has hundreds more. ${error.message} It needs an n8n (set N8N_URL and N8N_API_KEY, or run \`sluice n8n up\`) or access to npm's registry.`;
  return { catalogue, note };
}

/** Everything that get_node_types says is a list. */
function noted(out: object, note: string | string[]): object {
  if (!(out instanceof Written)) return { ...out, note };
  const member = `,"note":${JSON.stringify(note)}}`;
  const quoted = JSON.stringify(member).slice(1);
  return new Written(out.json.slice(0, -1) + member, out.quoted.slice(0, -2) + quoted);
}
