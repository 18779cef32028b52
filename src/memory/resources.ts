import { AppError } from '../kernel/errors.ts';
import type { OwnResources } from '../kernel/source.ts';
import { spoken } from './namespaces/belonging.ts';
import type { Namespace, Namespaces } from './namespaces/namespaces.ts';
import type { MemoryService } from './service.ts';

const SCHEME = 'memory://namespaces/';
const TYPE = 'application/json';
const MOST = 200;

export interface WatchedNamespaces extends OwnResources {
  /** Looks for namespaces that changed, came or went, and tells who watches. */
  look(): Promise<void>;
}

/** Each namespace as a resource: its newest memories. Clients can subscribe to it. */
export function namespaceResources(
  open: () => Promise<{ memory: MemoryService; namespaces: Namespaces }>,
): WatchedNamespaces {
  const updated = new Set<(uri: string) => void>();
  const listed = new Set<() => void>();
  let revisions: ReadonlyMap<string, number> | undefined;

  async function find(uri: string, mine: readonly Namespace[]): Promise<Namespace | undefined> {
    const name = nameIn(uri);
    return mine.find((namespace) => namespace.name === name);
  }

  return {
    scope: 'memory:read',
    async list(principal) {
      const { namespaces } = await open();
      return (await namespaces.list(principal)).map(({ name, belongsTo }) => ({
        uri: uriOf(name),
        name: `memory ${name}`,
        title: `Memory: ${name}`,
        description: `The newest memories of ${name}. Belongs to ${spoken(belongsTo)}.`,
        mimeType: TYPE,
      }));
    },
    templates: [
      {
        uriTemplate: `${SCHEME}{namespace}`,
        name: 'memory namespace',
        title: 'A namespace of the memory',
        description: 'Its newest memories, as JSON',
        mimeType: TYPE,
      },
    ],
    owns: (uri) => uri.startsWith(SCHEME),
    async read(uri, { principal }) {
      const { memory, namespaces } = await open();
      const namespace = await find(uri, await namespaces.list(principal));
      if (!namespace)
        throw new AppError(
          'not_found',
          `There is no resource ${uri}. resources/list shows the namespaces you may read.`,
        );
      const { name } = namespace;
      const [{ memories, more }, [content]] = await Promise.all([
        memory.page({ namespace: name }, MOST, undefined, principal),
        memory.contents([name]),
      ]);
      const { shownMemory } = await import('./tool.ts');
      const value = {
        namespace: name,
        belongs_to: spoken(namespace.belongsTo),
        memories: content?.memories ?? 0,
        newest: memories.map((one) => ({ ...shownMemory(one), text: one.text })),
        ...(more && { more: `These are the newest ${MOST}. memory_list_memories and memory_export give the others.` }),
      };
      return { contents: [{ uri, mimeType: TYPE, text: JSON.stringify(value) }] };
    },
    async mayWatch(uri, principal) {
      const { namespaces } = await open();
      return (await find(uri, await namespaces.list(principal))) !== undefined;
    },
    onUpdate(changed) {
      updated.add(changed);
      return () => void updated.delete(changed);
    },
    onListChange(changed) {
      listed.add(changed);
      return () => void listed.delete(changed);
    },
    async complete(_template, _variable, value, { principal }) {
      const { namespaces } = await open();
      return (await namespaces.list(principal)).map(({ name }) => name).filter((name) => name.startsWith(value));
    },
    async look() {
      if (updated.size === 0 && listed.size === 0) return;
      const { namespaces } = await open();
      const before = revisions;
      const now = new Map((await namespaces.all()).map(({ name, revision }) => [name, revision]));
      revisions = now;
      const changed = [...now].filter(([name, revision]) => before?.get(name) !== revision).map(([name]) => name);
      for (const name of changed) for (const tell of updated) tell(uriOf(name));
      const came = [...now.keys()].some((name) => !before?.has(name));
      const went = [...(before?.keys() ?? [])].some((name) => !now.has(name));
      if (came || went) for (const tell of listed) tell();
    },
  };
}

const uriOf = (name: string): string => `${SCHEME}${encodeURIComponent(name)}`;

function nameIn(uri: string): string | undefined {
  try {
    return decodeURIComponent(uri.slice(SCHEME.length));
  } catch {
    return undefined;
  }
}
