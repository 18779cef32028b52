import { type Both, type NodeSpec, nodeSpec, type Parameter } from './node-spec.ts';

/**
 * The complete details of a node, in pieces that fill pages. The pieces are JSON text (object members) that a page just
 * concatenates. `prepared` checks the whole against the schema, which makes every page valid too.
 */
export interface Prepared {
  /** Type, subtype and version: on every page. */
  readonly identity: string;
  /** Only on the first page. */
  readonly opening: Piece;
  /** n8n's name for it, on later pages. The opening has it together with the fragment. */
  readonly later: Piece;
  /** Ids in the opening, replaced by new ones for each reply. */
  readonly ids: readonly string[];
  /** Parameters and examples, most needed first. */
  readonly pieces: readonly Piece[];
  /** Whether the caller wants examples, even if there are none. */
  readonly withExamples: boolean;
  /** A curated text: short enough for one reply. */
  readonly curated?: boolean;
  /** List each parameter only once, in `parameters`. Curated subtypes keep both forms, because older clients expect them. */
  readonly once?: boolean;
  /** Has only an error. */
  readonly failed?: boolean;
}

export interface Piece {
  readonly bytes: number;
  /** JSON members of the node object. */
  readonly members?: string;
  /** One parameter: older form, newer form, and default. */
  readonly parameter?: readonly [older: string, newer: string, value: string];
}

export interface Parts {
  readonly identity: Omit<NodeSpec, 'n8n'>;
  readonly n8n?: NonNullable<NodeSpec['n8n']>;
  readonly opening: Partial<NodeSpec>;
  readonly parameters?: readonly Both[];
  /** Undefined if not wanted. */
  readonly examples?: NonNullable<NodeSpec['examples']>;
  readonly curated?: boolean;
  readonly once?: boolean;
}

/** Bytes this adds to a reply, which contains it twice: as data and as quoted text. */
export function bytesOf(value: unknown): number {
  const json = JSON.stringify(value) ?? '';
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
}

/** Splits the details of a node into pieces. */
export function prepared({ identity, n8n, opening, parameters = [], examples, curated, once }: Parts): Prepared {
  const failed = opening.error !== undefined;
  nodeSpec.parse({
    ...identity,
    ...opening,
    ...(n8n && { n8n }),
    ...(!failed && {
      parameters: parameters.map((both) => (once ? inOne(both) : both.parameter)),
      ...(!once && {
        configurations: Object.fromEntries(parameters.map(({ key, configuration }) => [key, configuration])),
        default_configurations: {},
      }),
    }),
    ...(examples && { examples }),
  });
  const { fragment, ...named } = n8n ?? {};
  const shown = examples && examples.length > 0 ? [membersPiece({ examples }, {})] : [];
  return {
    identity: members(identity),
    opening: membersPiece(n8n ? { n8n, ...opening } : opening, identity),
    later: membersPiece(n8n ? { n8n: named } : {}, identity),
    ids: (fragment?.nodes ?? []).flatMap(({ id, webhookId }) =>
      [id, webhookId].filter((one) => typeof one === 'string'),
    ),
    pieces: once ? [...shown, ...parameters.map(piece)] : [...parameters.map(parameterPiece), ...shown],
    withExamples: examples !== undefined,
    ...(curated === true && { curated }),
    ...(once === true && { once }),
    ...(failed && { failed }),
  };
}

const members = (of: object): string => JSON.stringify(of).slice(1, -1);

const membersPiece = (of: object, besides: object): Piece => ({
  bytes: bytesOf({ ...besides, ...of }),
  members: members(of),
});

/** Both forms merged into one. */
function inOne({ parameter: { name, validation_pattern }, configuration }: Both): Parameter {
  const { default: value, options, description, type, required, ...more } = configuration;
  return {
    name,
    type,
    required,
    ...(value !== undefined && { default_value: value }),
    description,
    ...(options && { enum_values: options }),
    ...(validation_pattern !== undefined && { validation_pattern }),
    ...more,
  };
}

function piece(both: Both): Piece {
  const parameter = inOne(both);
  return { bytes: bytesOf(parameter), parameter: [JSON.stringify(parameter), '', ''] };
}

function parameterPiece({ key, parameter, configuration, withDefault }: Both): Piece {
  const { default: value } = configuration;
  const named = `${JSON.stringify(key)}:`;
  const hasDefault = withDefault && value !== undefined;
  return {
    bytes: bytesOf([parameter, key, configuration, ...(hasDefault ? [key, value] : [])]),
    parameter: [
      JSON.stringify(parameter),
      named + JSON.stringify(configuration),
      hasDefault ? named + JSON.stringify(value) : '',
    ],
  };
}
