import { createHash } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, sentences, shown } from '../../kernel/nearest-names.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { TablesApart } from '../../store/store.ts';
import { dialectOf } from '../sql/dialect.ts';
import { type Belonging, callerOf, type Caller, isIn, nameOf, parsed, type Projects, spoken } from './belonging.ts';

export interface Namespace {
  readonly name: string;
  readonly belongsTo: Belonging;
  readonly createdAt: number;
  readonly createdBy: string;
  /** Rises with each change of its memories. */
  readonly revision: number;
}

/** What somebody who names no namespace writes to. */
const DEFAULT = 'default';
/** The namespaces of users who sign in. */
const USERS = 'user/';
/** So many namespaces of one owner are enough: each one is listed and watched. */
const MOST = 1000;

/** Letters, digits and some signs: it is a part of URIs and of what people type. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._/@+-]{0,99}$/u;

export interface NamespacesOptions {
  readonly tables: TablesApart;
  projects(): Projects;
  /** Whether a user of OAuth is the owner of this Sluice. */
  isOwner(principal: Principal): boolean;
  now(): number;
  /** Called after somebody changed what is in these. */
  told(): void;
}

/** Which namespaces there are, and who may use them. */
export function createNamespaces({ tables, projects, isOwner, now, told }: NamespacesOptions) {
  const whoIs = (principal: Principal): Caller => callerOf(principal, isOwner(principal));

  async function all(): Promise<Namespace[]> {
    const rows = await tables.rows<{
      name: string;
      belongs_to: string;
      created_at: number;
      created_by: string;
      revision: number;
    }>('SELECT name, belongs_to, created_at, created_by, revision FROM memory_namespaces ORDER BY name');
    return rows.map(({ name, belongs_to, created_at, created_by, revision }) => ({
      name,
      belongsTo: parsed(belongs_to),
      createdAt: created_at,
      createdBy: created_by,
      revision,
    }));
  }

  async function find(name: string): Promise<Namespace | undefined> {
    return (await all()).find((namespace) => namespace.name === name);
  }

  async function create(name: string, belongsTo: Belonging, caller: Caller): Promise<void> {
    const count = (await all()).filter(({ createdBy }) => createdBy === caller.id).length;
    if (count >= MOST)
      throw new AppError(
        'conflict',
        `You have ${count} namespaces, which is the limit. Drop some with memory_drop_namespace.`,
      );
    await insert(name, belongsTo, caller.id);
  }

  async function insert(name: string, belongsTo: Belonging, by: string): Promise<void> {
    await tables.change(
      `INSERT INTO memory_namespaces (name, belongs_to, created_at, created_by) VALUES (?, ?, ?, ?)
       ON CONFLICT (name) DO NOTHING`,
      name,
      JSON.stringify(belongsTo),
      now(),
      by,
    );
  }

  function refuse({ name, belongsTo }: Namespace): AppError {
    return new AppError(
      'forbidden',
      `The namespace ${shown(name)} belongs to ${spoken(belongsTo)}. memory_list_namespaces shows those you may use.`,
    );
  }

  const mayUse = ({ belongsTo }: Namespace, caller: Caller) => isIn(caller, belongsTo, projects());

  /** Refuses names that a namespace cannot have, and those that will be somebody else's. */
  function checkName(name: string, caller: Caller): void {
    if (name === ownOf(caller)) return;
    if (!NAME.test(name))
      throw new AppError(
        'invalid_input',
        `${shown(name)} is not a name for a namespace. It begins with a letter or digit and has up to 100 letters, digits and ._/@+- signs.`,
      );
    if (name.startsWith(USERS) && !caller.admin)
      throw new AppError('forbidden', `Names that begin with ${USERS} are those of users who sign in. Choose another.`);
  }

  return {
    whoIs,
    all,
    find,
    /** The namespace to write to. It is made if there is none of that name, and belongs to who made it. */
    async forWriting(given: string | undefined, principal: Principal): Promise<string> {
      const caller = whoIs(principal);
      const name = given ?? ownOf(caller);
      let namespace = await find(name);
      if (!namespace) {
        if (given !== undefined) checkName(name, caller);
        await create(name, name === DEFAULT ? { to: 'keys' } : callersOwn(caller), caller);
        // Somebody else may have been faster.
        namespace = await find(name);
      }
      if (namespace && !mayUse(namespace, caller)) throw refuse(namespace);
      return name;
    },
    /** The namespaces to read: the named one, or all that are the caller's own or shared with the caller. */
    async forReading(given: string | undefined, principal: Principal): Promise<string[]> {
      const caller = whoIs(principal);
      const known = await all();
      if (given === undefined)
        // An administrator may read everything, but is not shown what belongs to others unless it is asked for.
        return known
          .filter(({ belongsTo }) => isIn({ ...caller, admin: false }, belongsTo, projects()))
          .map(({ name }) => name);
      const namespace = known.find(({ name }) => name === given);
      if (namespace && !mayUse(namespace, caller)) throw refuse(namespace);
      if (namespace) return [given];
      if (given === DEFAULT || given === ownOf(caller)) return [];
      const near = nearestNames(
        given,
        known.filter((one) => mayUse(one, caller)).map(({ name }) => name),
      );
      throw new AppError(
        'not_found',
        sentences(`No namespace ${shown(given)}.`, didYouMean(near), 'memory_list_namespaces shows the names.'),
      );
    },
    async list(principal: Principal): Promise<Namespace[]> {
      const caller = whoIs(principal);
      return (await all()).filter((namespace) => mayUse(namespace, caller));
    },
    /** Creates a namespace, or hands it over. */
    async give(name: string, belongsTo: Belonging | undefined, principal: Principal): Promise<Namespace> {
      const caller = whoIs(principal);
      const known = await find(name);
      if (!known) checkName(name, caller);
      if (known && !mayUse(known, caller)) throw refuse(known);
      if (belongsTo?.to === 'project' && !isIn(caller, belongsTo, projects()))
        throw new AppError(
          'forbidden',
          `You are not in the project ${shown(belongsTo.project)}. Projects and their members are in memory.projects of the configuration.`,
        );
      if (known?.name === DEFAULT && belongsTo)
        throw new AppError(
          'conflict',
          `The namespace ${DEFAULT} cannot be handed over: every key of this Sluice uses it.`,
        );
      if (!known) await create(name, belongsTo ?? callersOwn(caller), caller);
      else if (belongsTo)
        await tables.change(
          'UPDATE memory_namespaces SET belongs_to = ? WHERE name = ?',
          JSON.stringify(belongsTo),
          name,
        );
      told();
      return (await find(name)) as Namespace;
    },
    /** Takes over namespaces that this store does not know: they are the owner's until the owner shares them. */
    async adopt(names: readonly string[]): Promise<void> {
      const known = new Set((await all()).map(({ name }) => name));
      for (const name of names)
        if (!known.has(name)) await insert(name, { to: name === DEFAULT ? 'keys' : 'owner' }, 'owner');
    },
    async remove(name: string): Promise<void> {
      await tables.change('DELETE FROM memory_namespaces WHERE name = ?', name);
      told();
    },
    /** Returns whether it was removed: not if its memories have changed since this revision. */
    async removeUnchanged({ name, revision }: Namespace): Promise<boolean> {
      const sql = 'DELETE FROM memory_namespaces WHERE name = ? AND revision = ?';
      const isRemoved = (await tables.change(sql, name, revision)) > 0;
      if (isRemoved) told();
      return isRemoved;
    },
    /** Says that the memories in these namespaces changed. Returns how many of the namespaces there are. */
    async touched(names: readonly string[]): Promise<number> {
      const count = await tables.change(
        `UPDATE memory_namespaces SET revision = revision + 1 WHERE name ${dialectOf(tables).isText}`,
        JSON.stringify(names),
      );
      told();
      return count;
    },
  };
}

/** Where a call without a namespace writes. */
function ownOf(caller: Caller): string {
  if (caller.kind !== 'user') return DEFAULT;
  const name = `${USERS}${nameOf(caller)}`;
  // Two ids may begin alike.
  return name.length <= 100
    ? name
    : `${name.slice(0, 60)}~${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
}

const callersOwn = (caller: Caller): Belonging =>
  caller.kind === 'owner' ? { to: 'owner' } : { to: 'principal', id: caller.id };

export type Namespaces = ReturnType<typeof createNamespaces>;
