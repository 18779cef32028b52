import type { Catalogue } from '../../../nodes/catalogue.ts';
import { needsOf } from '../../../validation/credentials/needs.ts';
import { prepare } from '../../../validation/subject/prepare.ts';
import type { NodeView } from '../../../validation/subject/subject.ts';
import type { Connections } from '../../client/shapes.ts';
import type { NodeInput } from '../../workflows/node-input.ts';

/** A credential that a node needs or has. */
export interface Want {
  readonly node: string;
  readonly type: string;
  /** Its name where the template comes from. */
  readonly name?: string;
  /** Its id there: it means nothing here, unless the template was made here. */
  readonly id?: string;
  /** Whether the node uses it as it is configured. */
  readonly used: boolean;
  /** Whether the template decides where the secret is sent. */
  readonly anywhere: boolean;
}

/** Nodes that send a credential to an address of the template's choice. */
const callers = /\.(?:httpRequest|httpRequestTool|toolHttpRequest|graphql|graphqlTool|mcpClient|mcpClientTool)$/;
/** Credentials that do not say for which service they are. */
const generic = /^(?:http\w+Auth|oAuth[12]Api)$/;

/** The credentials that nodes need in their configuration, and those that the template names. */
export function wantsOf(nodes: readonly NodeInput[], connections: Connections, catalogue: Catalogue): Want[] {
  const plain = nodes as unknown as readonly Record<string, unknown>[];
  return prepare({ workflow: { nodes: plain, connections }, catalogue }).nodes.flatMap((view) => {
    const given = Object.entries((nodes[view.index] as NodeInput).credentials ?? {});
    const required = new Set(needsOf(view)?.required.map(({ type }) => type));
    const uses = usedBy(view);
    const isAnywhere = (type: string) => callers.test((nodes[view.index] as NodeInput).type) || generic.test(type);
    const named = given.map(([type, { id, name }]): Want => {
      required.delete(type);
      return {
        node: view.name,
        type,
        ...(name !== '' && { name }),
        ...(id && { id }),
        used: uses(type),
        anywhere: isAnywhere(type),
      };
    });
    return [
      ...named,
      ...[...required].map((type): Want => ({ node: view.name, type, used: true, anywhere: isAnywhere(type) })),
    ];
  });
}

/** Whether a node uses credentials of a type in its configuration. If its description is unknown, it may. */
function usedBy(view: NodeView): (type: string) => boolean {
  const needs = needsOf(view);
  const configuration = view.configuration();
  const { description } = view;
  if (!needs || !configuration || !description) return () => true;
  const required = new Set(needs.required.map(({ type }) => type));
  const shownTypes = new Set(
    (description.credentials ?? []).filter((one) => configuration.shows(one)).map(({ name }) => name),
  );
  return (type) => required.has(type) || shownTypes.has(type);
}
