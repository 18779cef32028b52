import { isExpression, isRecord } from '../../nodes/configuration/display.ts';
import { own, type Rec } from '../json/record.ts';
import type { NodeView } from '../subject/subject.ts';

/** What a node signs in with, and what it has been given. */
export interface CredentialNeeds {
  /** Those without which it cannot run as it is configured. */
  readonly required: readonly Need[];
  /** Every type that it takes in some configuration. */
  readonly taken: ReadonlySet<string>;
  readonly given: readonly Given[];
}

export interface Need {
  readonly type: string;
  readonly displayName: string;
}

export interface Given {
  readonly type: string;
  readonly id: string | undefined;
  readonly name: string | undefined;
}

/** `undefined` for what the catalogue does not know. */
export function needsOf(node: NodeView): CredentialNeeds | undefined {
  const { description } = node;
  const configuration = node.configuration();
  if (!description || !configuration) return undefined;
  const required: Need[] = [];
  const taken = new Set<string>();
  for (const need of description.credentials ?? []) {
    taken.add(need.name);
    if (need.required === true && configuration.shows(need)) {
      required.push({ type: need.name, displayName: need.displayName ?? need.name });
    }
  }
  const takesAny = description.properties.some(({ type }) => type === 'credentialsSelect');
  if (takesAny) {
    for (const property of configuration.properties()) {
      if (property.type !== 'credentialsSelect') continue;
      const type = own(node.parameters, property.name);
      if (typeof type !== 'string' || type === '' || isExpression(type)) continue;
      taken.add(type);
      required.push({ type, displayName: type });
    }
  }
  return { required, taken, given: givenOf(node.raw) };
}

export function givenOf(raw: Rec): Given[] {
  const credentials = own(raw, 'credentials');
  if (!isRecord(credentials)) return [];
  return Object.keys(credentials).flatMap((type): Given[] => {
    const value = credentials[type];
    // As old exports have it.
    if (typeof value === 'string') return [{ type, id: undefined, name: value }];
    if (!isRecord(value) || value['__aiGatewayManaged'] === true) return [];
    const { id, name } = value;
    return [
      {
        type,
        id: typeof id === 'string' && id !== '' ? id : typeof id === 'number' ? String(id) : undefined,
        name: typeof name === 'string' && name !== '' ? name : undefined,
      },
    ];
  });
}

/** Credentials are only looked at where the node would run. */
export function signsIn(node: NodeView): boolean {
  return !node.disabled && !node.sticky;
}

/** Those that are required, and of which nothing was given. */
export function missing({ required, given }: CredentialNeeds, raw: Rec): readonly Need[] {
  const credentials = own(raw, 'credentials');
  const has = (type: string) => isRecord(credentials) && own(credentials, type) != null;
  return given.length === 0 && !isRecord(credentials) ? required : required.filter(({ type }) => !has(type));
}

/** Given, and of no use, while what is needed is not there. What is merely left over does no harm. */
export function wrongOnes(needs: CredentialNeeds, raw: Rec): readonly Given[] {
  const absent = missing(needs, raw);
  if (absent.length === 0) return [];
  const required = new Set(needs.required.map(({ type }) => type));
  return needs.given.filter(({ type }) => !required.has(type));
}
