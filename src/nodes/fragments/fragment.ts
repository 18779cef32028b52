import { randomUUID } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';
import type { Catalogue } from '../catalogue.ts';
import { type Connections, connectionsOf } from '../links.ts';

/** A piece of a workflow in n8n's format: `nodes` and `connections`. */
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

/** What the caller defines of a fragment's node. `fragmentNode` adds ids and the version. */
export interface Given {
  readonly name: string;
  /** Default: the latest that n8n offers. */
  readonly version?: number;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly position?: readonly [number, number];
  readonly notes?: string;
  readonly alwaysOutputData?: boolean;
}

/** Creates a node. Ids are new each time, so that several fragments can be used in one workflow. */
export function fragmentNode(
  catalogue: Catalogue,
  type: string,
  { name, version, parameters = {}, position = [0, 0], ...more }: Given,
): FragmentNode {
  const known = catalogue.node(type);
  if (!known) {
    throw new AppError('not_found', `This n8n has no node ${type}. search_nodes finds alternatives.`);
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
    // Without it, n8n derives the URL from the workflow's id, which changes with every copy.
    ...(webhooks.length > 0 && { webhookId: randomUUID() }),
    ...more,
  };
}

export interface Wire {
  readonly from: string;
  readonly to: string;
  /** Default: `main`. */
  readonly type?: string;
  readonly output?: number;
  readonly input?: number;
}

export function connected(...wires: readonly Wire[]): Connections {
  return connectionsOf(
    wires.map(({ from, to, type: kind = 'main', output = 0, input = 0 }) => ({ from, to, kind, output, input })),
  );
}
