import type { DatabaseSync } from 'node:sqlite';
import type { Catalogue, NodeSummary } from '../catalogue.ts';
import type { CredentialType, NodeDescription } from '../description.ts';

/** Who uses a credential type. */
export interface CredentialUse {
  /** For any service: HTTP Request and similar nodes take it. */
  readonly generic: boolean;
  /** Nodes that take it in any version, without generated tool variants. */
  readonly nodes: readonly string[];
}

/** Stores at build time which node takes which credential: finding out later would mean reading every description. */
export function fillCredentialUse(
  database: DatabaseSync,
  nodes: readonly { readonly summary: NodeSummary; readonly descriptions: readonly NodeDescription[] }[],
  credentials: readonly CredentialType[],
): void {
  const users = new Map<string, Set<string>>();
  for (const { summary, descriptions } of nodes) {
    if (summary.toolOf !== undefined) continue;
    for (const { name } of descriptions.flatMap(({ credentials: needs = [] }) => needs)) {
      users.set(name, (users.get(name) ?? new Set()).add(summary.name));
    }
  }
  database.exec(
    'CREATE TABLE credential_use (name TEXT PRIMARY KEY, generic INTEGER NOT NULL, nodes TEXT NOT NULL) WITHOUT ROWID',
  );
  const row = database.prepare('INSERT OR REPLACE INTO credential_use (name, generic, nodes) VALUES (?, ?, ?)');
  for (const { name, genericAuth } of credentials) {
    row.run(name, genericAuth ? 1 : 0, JSON.stringify([...(users.get(name) ?? [])]));
  }
}

const read = new WeakMap<Catalogue, ReadonlyMap<string, CredentialUse>>();

export function credentialUse(catalogue: Catalogue): ReadonlyMap<string, CredentialUse> {
  let use = read.get(catalogue);
  if (!use) {
    const rows = catalogue.database.prepare('SELECT name, generic, nodes FROM credential_use').all() as {
      name: string;
      generic: number;
      nodes: string;
    }[];
    use = new Map(
      rows.map(({ name, generic, nodes }) => [name, { generic: generic === 1, nodes: JSON.parse(nodes) as string[] }]),
    );
    read.set(catalogue, use);
  }
  return use;
}
