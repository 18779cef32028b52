import { randomUUID } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';
import type { Catalogue } from '../catalogue.ts';

/** A piece of a workflow: what n8n takes as `nodes` and `connections` when a workflow is made. */
export interface Fragment {
  readonly nodes: readonly FragmentNode[];
  readonly connections: Connections;
}

export interface FragmentNode {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly typeVersion: number;
  readonly position: readonly [number, number];
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly webhookId?: string;
  readonly notes?: string;
  readonly alwaysOutputData?: boolean;
}

/** By the name of the node it starts from, then by kind, then one list for each of its outputs. */
export type Connections = Readonly<Record<string, Readonly<Record<string, readonly (readonly Link[])[]>>>>;

export interface Link {
  readonly node: string;
  readonly type: string;
  readonly index: number;
}

/** What a node of a fragment says of itself; versions and ids follow from the catalogue. */
export interface Given {
  readonly name: string;
  /** The one that n8n offers unless told. */
  readonly version?: number;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly position?: readonly [number, number];
  readonly notes?: string;
  readonly alwaysOutputData?: boolean;
}

/** A node of the version that this n8n offers. Ids are new each time, so that fragments can stand side by side. */
export function fragmentNode(
  catalogue: Catalogue,
  type: string,
  { name, version, parameters = {}, position = [0, 0], ...more }: Given,
): FragmentNode {
  const known = catalogue.node(type);
  if (!known) {
    throw new AppError('not_found', `This n8n has no node ${type}. search_nodes finds what it has instead.`);
  }
  const typeVersion = version ?? known.latest;
  const webhooks = catalogue.description(type, typeVersion)?.webhooks ?? [];
  return {
    id: randomUUID(),
    name,
    type,
    typeVersion,
    position,
    parameters,
    // Without one n8n makes the address of the workflow's id, which changes with every copy.
    ...(webhooks.length > 0 && { webhookId: randomUUID() }),
    ...more,
  };
}

export interface Wire {
  readonly from: string;
  readonly to: string;
  /** `main` unless told. */
  readonly type?: string;
  readonly output?: number;
  readonly input?: number;
}

export function connected(...wires: readonly Wire[]): Connections {
  const bySource = Map.groupBy(wires, ({ from }) => from);
  return Object.fromEntries(
    [...bySource].map(([from, own]) => {
      const byType = Map.groupBy(own, ({ type = 'main' }) => type);
      return [from, Object.fromEntries([...byType].map(([type, same]) => [type, outputs(same)]))];
    }),
  );
}

function outputs(wires: readonly Wire[]): Link[][] {
  const last = Math.max(...wires.map(({ output = 0 }) => output));
  return Array.from({ length: last + 1 }, (_, at) =>
    wires
      .filter(({ output = 0 }) => output === at)
      .map(({ to, type = 'main', input = 0 }) => ({ node: to, type, index: input })),
  );
}
