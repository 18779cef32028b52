import { own } from '../../kernel/own.ts';
import { holdsScope, type Principal } from '../../kernel/principal.ts';

/** Whom a namespace belongs to. */
export type Belonging =
  | { readonly to: 'everybody' }
  /** The owner of this Sluice and every key, but no other user. */
  | { readonly to: 'keys' }
  /** The owner of this Sluice only. */
  | { readonly to: 'owner' }
  | { readonly to: 'project'; readonly project: string }
  | { readonly to: 'principal'; readonly id: string };

/** Who asks, as far as namespaces go. */
export interface Caller {
  /** `key` names one of the owner's keys; `user` is somebody else, who signed in. */
  readonly kind: 'owner' | 'key' | 'user';
  /** `key` and its name, so that a new key of that name goes on where the old one stopped; `user` and the id of a user. */
  readonly id: string;
  /** May use every namespace. */
  readonly admin: boolean;
}

/** Members by project. */
export type Projects = Readonly<Record<string, readonly string[]>>;

export function callerOf(principal: Principal, isOwner: boolean): Caller {
  const { id, name = id } = principal;
  const admin = holdsScope(principal, 'admin');
  if (id.startsWith('key:')) return { kind: admin ? 'owner' : 'key', id: `key ${name}`, admin };
  if (id.startsWith('oauth:') && !isOwner) return { kind: 'user', id: `user ${id.slice('oauth:'.length)}`, admin };
  return { kind: 'owner', id: 'owner', admin };
}

/** Whether somebody belongs to those a namespace belongs to. */
export function isIn(caller: Caller, belonging: Belonging, projects: Projects): boolean {
  if (caller.admin) return true;
  switch (belonging.to) {
    case 'everybody':
      return true;
    case 'keys':
      return caller.kind !== 'user';
    case 'owner':
      return caller.kind === 'owner';
    case 'principal':
      return belonging.id === caller.id;
    case 'project': {
      const members = own(projects, belonging.project) ?? [];
      return caller.kind === 'owner' || members.includes(nameOf(caller));
    }
  }
}

/** As people write it: the name of a key, the id of a user. */
export const nameOf = ({ id }: Caller): string => id.replace(/^(?:key|user) /, '');

export const parsed = (stored: string): Belonging => JSON.parse(stored) as Belonging;

/** For people: `everybody`, `the project atlas`, `the key claude`. */
export function spoken(belonging: Belonging): string {
  switch (belonging.to) {
    case 'everybody':
      return 'everybody';
    case 'keys':
      return 'the owner and every key';
    case 'owner':
      return 'the owner';
    case 'project':
      return `the project ${belonging.project}`;
    case 'principal':
      return `the ${belonging.id}`;
  }
}
