import { AppError } from '../../kernel/errors.ts';
import { configured } from '../configuration/configuration.ts';
import type { NodeDescription } from '../description.ts';
import type { Placed } from '../details/walk.ts';
import type { OptionPage, OptionSource, OptionValues } from './option-values.ts';
import { assertCredential, assertTaken, parametersFor, withDefaults } from './setting.ts';

/** The parameter whose values are wanted, and its node. */
export interface Sought {
  readonly description: NodeDescription;
  readonly version: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly placed: Placed;
  readonly source: OptionSource;
  readonly path: string;
}

/** Which n8n to ask, and how. */
export interface Way {
  readonly instance: string | undefined;
  readonly credential: string | undefined;
  readonly query: string | undefined;
  readonly next: string | undefined;
  readonly signal: AbortSignal;
}

/** Has n8n look up the values. Reports missing input before sending any request. */
export async function lookUp(
  { description, version, parameters, placed, source, path }: Sought,
  options: OptionValues | undefined,
  { instance, credential, query, next, signal }: Way,
): Promise<OptionPage> {
  const { name: node, properties, credentials: needs = [] } = description;
  if (!options?.isConnected()) {
    throw new AppError(
      'unsupported',
      'Only an n8n can look up these values, and none is connected. Set N8N_URL, N8N_API_KEY and a login, or run `sluice n8n up`.',
    );
  }
  if (source.by === 'search' && source.filterRequired && query === undefined) {
    throw new AppError('invalid_input', `${placed.path} can only be searched. Set "query" to a part of the name.`);
  }
  const { shows } = configured(description, parameters, version);
  if (credential === undefined) assertCredential(node, needs.filter(shows), placed.property, source);
  const held = credential === undefined ? undefined : await options.credential(instance, credential, signal);
  const need = held && assertTaken(node, needs, held);
  const set = { ...parametersFor(need), ...parameters };
  return options.read(
    instance,
    {
      node,
      version,
      path: indexed(path, placed),
      source,
      parameters: withDefaults(properties, set, configured(description, set, version)),
      ...(held && { credential: held }),
      ...(query !== undefined && { query }),
      ...(next !== undefined && { page: next }),
    },
    signal,
  );
}

/** For a parameter inside a list, n8n needs the index of the entry. Default: the first. */
function indexed(asked: string, { path }: Placed): string {
  return /\[\d+\]/.test(asked) ? asked.replace(/^parameters\./, '') : path.replaceAll('[]', '[0]');
}
