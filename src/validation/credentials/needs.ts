import { isExpression, isRecord } from '../../nodes/configuration/display.ts';
import { own, type Rec } from '../json/record.ts';
import type { NodeView } from '../subject/subject.ts';

/** The credentials that a node needs, and those it has. */
export interface CredentialNeeds {
  /** Required in the current configuration. */
  readonly required: readonly Need[];
  /** Every type that the node accepts in some configuration. */
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

/** `undefined` if the catalogue does not know the node. */
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
    // Old exports have only a name here.
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

/** n8n checks credentials only for nodes that would run. */
export function signsIn(node: NodeView): boolean {
  return !node.disabled && !node.sticky;
}

/** Required credentials that are missing. */
export function missing({ required, given }: CredentialNeeds, raw: Rec): readonly Need[] {
  const credentials = own(raw, 'credentials');
  const has = (type: string) => isRecord(credentials) && own(credentials, type) != null;
  return given.length === 0 && !isRecord(credentials) ? required : required.filter(({ type }) => !has(type));
}

/** Useless credentials of a node that lacks a required one. Without a missing one, extra credentials do no harm. */
export function wrongOnes(needs: CredentialNeeds, raw: Rec): readonly Given[] {
  const absent = missing(needs, raw);
  if (absent.length === 0) return [];
  const required = new Set(needs.required.map(({ type }) => type));
  return needs.given.filter(({ type }) => !required.has(type));
}
