import { type AnyTool, Written } from '../kernel/tool.ts';
import type { NodesDeps } from './tool.ts';

/** A tool that answers with what is known of another n8n where its own cannot be asked, and says so. */
export function withNote(tool: AnyTool<NodesDeps>): AnyTool<NodesDeps> {
  return {
    ...tool,
    async run(input, deps, context, progress) {
      const { catalogues } = deps;
      if (!catalogues.nearest) return tool.run(input, deps, context, progress);
      let note: string | undefined;
      const get = (instance?: string) => {
        const nearest = catalogues.nearest?.(instance);
        note = nearest?.note;
        return nearest?.catalogue ?? catalogues.get(instance);
      };
      const out = await tool.run(input, { ...deps, catalogues: { state: catalogues.state, get } }, context, progress);
      return note === undefined ? out : noted(out as object, tool.name === 'get_node_types' ? [note] : note);
    },
  };
}

/** Everything that get_node_types says is a list. */
function noted(out: object, note: string | string[]): object {
  if (!(out instanceof Written)) return { ...out, note };
  const member = `,"note":${JSON.stringify(note)}}`;
  const quoted = JSON.stringify(member).slice(1);
  return new Written(out.json.slice(0, -1) + member, out.quoted.slice(0, -2) + quoted);
}
