import { messageOf } from '../../kernel/errors.ts';
import type { Origin } from '../catalogue.ts';
import type { CredentialType, NodeDescription } from '../description.ts';
import { checkedCredential, checkedNode, nameOf } from './checked.ts';
import { customCalls } from './custom-calls.ts';
import type { RawTypes } from './raw.ts';
import { reviewVariant } from './review-variants.ts';
import { toolVariant } from './tool-variants.ts';

export interface Prepared {
  readonly nodes: readonly NodeDescription[];
  readonly credentials: readonly CredentialType[];
  readonly broken: Origin['broken'];
}

/**
 * Checks n8n's descriptions and reports the unusable ones in `broken`. Descriptions from packages also get the variants
 * that a running n8n generates itself.
 */
export function prepare(types: RawTypes, from: Origin['from']): Prepared {
  const broken: { name: string; reason: string }[] = [];
  const attempt = <T>(raw: unknown, make: () => T): T[] => {
    try {
      return [make()];
    } catch (error) {
      broken.push({ name: nameOf(raw), reason: messageOf(error) });
      return [];
    }
  };
  const checked = types.nodes.flatMap((raw) =>
    attempt(raw, () => ({ node: checkedNode(raw), version: (raw as { version?: unknown }).version })),
  );
  const credentials = types.credentials.flatMap((raw) => attempt(raw, () => checkedCredential(raw)));
  if (from === 'instance') return { nodes: checked.map(({ node }) => node), credentials, broken };

  const derived = (derive: (node: NodeDescription) => NodeDescription | undefined) =>
    checked.flatMap(({ node, version }) =>
      attempt(node, () => present(derive(node)))
        .flat()
        .map((variant) => ({ node: variant, version })),
    );
  const offering = customCalls(types.credentials);
  const all = [...checked, ...derived(toolVariant), ...derived(reviewVariant)];
  return { nodes: all.map(({ node, version }) => offering(node, version)), credentials, broken };
}

/** Checks the variant too: a node can override parts of it with anything. */
const present = (variant: NodeDescription | undefined): NodeDescription[] => (variant ? [checkedNode(variant)] : []);
