import { messageOf } from '../../kernel/errors.ts';
import type { Catalogue } from '../catalogue.ts';
import { specFor } from '../curated/registry.ts';
import type { CuratedSpec } from '../curated/spec.ts';
import type { Fragment } from '../fragment.ts';
import { fragmentFor } from '../fragment-for.ts';
import type { Known } from '../lookup-index.ts';
import { curatedOpening, curatedParameters, curatedSchemas, schemas } from './curated.ts';
import { type Derived, derived, type Narrowing } from './derived.ts';
import type { Both, NodeSpec } from './node-spec.ts';
import { withKeys } from './parameter.ts';
import { type Prepared, prepared } from './prepared.ts';
import { itemSchemas } from './item-schemas.ts';

export interface Wanted extends Narrowing {
  readonly include_examples: boolean;
  readonly include_schemas: boolean;
}

/**
 * A node in pieces. What we wrote of a subtype ourselves comes first; n8n's own parameters take its place where a
 * resource, an operation or a version is asked for, and follow it where everything is.
 */
export function prepare(
  catalogue: Catalogue,
  found: Known,
  wanted: Wanted,
  told: readonly string[],
): Prepared | { error: string } {
  const own = derived(catalogue, found, wanted);
  if ('error' in own) return own;
  const { node } = found;
  const narrowed = wanted.resource !== undefined || wanted.operation !== undefined || wanted.version !== node.latest;
  const ours = found.curated && !narrowed ? specFor(found.type, found.subtype) : undefined;
  const warnings = [...told, ...own.choice.warnings];
  let fragment: Fragment | undefined;
  try {
    fragment = ours
      ? ours.fragment(catalogue)
      : fragmentFor(catalogue, node.name, { ...own.choice.parameters }, wanted.version);
  } catch (error) {
    warnings.push(messageOf(error));
  }
  return prepared({
    identity: { node_type: found.type, subtype: found.subtype, version: String(wanted.version) },
    n8n: { type: node.name, typeVersion: wanted.version, ...(fragment && { fragment: copied(fragment) }) },
    opening: {
      ...(ours ? { ...overview(own, ours), ...curatedOpening(ours) } : own.opening),
      ...(wanted.include_schemas && (ours ? curatedSchemas(ours) : schemas(...itemSchemas(own.opening)))),
      ...(warnings.length > 0 && { warning: warnings.join(' ') }),
    },
    parameters: parameters(own, ours && curatedParameters(ours), wanted),
    // n8n has none: its fragment is the example.
    ...(wanted.include_examples && { examples: (ours?.examples ?? []).map((example) => ({ ...example })) }),
    curated: ours !== undefined && wanted.detail === 'essentials',
  });
}

/** What else the node behind it could do: not where only the whole fragment makes it what it is. */
function overview(
  { opening: { resources, operations, credentials = [] } }: Derived,
  { type }: CuratedSpec,
): Partial<NodeSpec> {
  if (type === 'HUMAN_IN_THE_LOOP') return { credentials };
  return { ...(resources ? { resources } : operations && { operations }), credentials };
}

function parameters(own: Derived, ours: readonly Both[] | undefined, { detail }: Wanted): readonly Both[] {
  if (!ours) return own.parameters;
  return detail === 'full' ? withKeys([...ours, ...own.parameters]) : ours;
}

const copied = ({ nodes, connections }: Fragment) => ({
  nodes: nodes.map((one) => ({ ...one })),
  connections: { ...connections },
});
