import { AppError } from '../../kernel/errors.ts';
import { didYouMean, inQuotes, nearestNames } from '../../kernel/nearest-names.ts';
import type { N8nClient } from '../client/client.ts';
import type { Tag } from '../client/shapes.ts';

export async function allTags(client: N8nClient, signal?: AbortSignal): Promise<Tag[]> {
  return Array.fromAsync(client.tags.all(signal));
}

/** The tags with these names. Creates missing tags if `create` is set; otherwise throws before any change. */
export async function tagIds(
  client: N8nClient,
  names: readonly string[],
  create: boolean,
  signal: AbortSignal,
): Promise<Tag[]> {
  if (names.length === 0) return [];
  const known = await allTags(client, signal);
  const byName = new Map(known.map((tag) => [tag.name, tag]));
  const missing = [...new Set(names)].filter((name) => !byName.has(name));
  if (missing.length > 0 && !create) throw unknownTags(missing, known);
  for (const name of missing) byName.set(name, await client.tags.create(name, signal));
  return [...new Set(names)].map((name) => byName.get(name) as Tag);
}

/** The tags among `names` that exist here, and a line about the others. */
export async function tagsThatExist(
  client: N8nClient,
  names: readonly string[],
  signal: AbortSignal,
  advice: string,
): Promise<{ tags: Tag[]; line?: string }> {
  const wanted = new Set(names);
  const tags = (await allTags(client, signal)).filter(({ name }) => wanted.has(name));
  for (const { name } of tags) wanted.delete(name);
  if (wanted.size === 0) return { tags };
  const words = [...wanted].slice(0, 20).map((name) => `"${name.slice(0, 50)}"`);
  return { tags, line: `Left out tags that this n8n does not have: ${words.join(', ')}; ${advice}.` };
}

/** Finds a tag by name or id. */
export function tagIn(tags: readonly Tag[], wanted: string): Tag {
  const found = tags.find(({ name }) => name === wanted) ?? tags.find(({ id }) => id === wanted);
  if (!found) throw unknownTags([wanted], tags);
  return found;
}

export async function assignTags(client: N8nClient, workflow: string, tags: readonly Tag[]): Promise<Tag[]> {
  return client.workflows.setTags(
    workflow,
    tags.map(({ id }) => id),
  );
}

function unknownTags(missing: readonly string[], known: readonly Tag[]): AppError {
  const near = missing.flatMap((name) =>
    nearestNames(
      name,
      known.map((tag) => tag.name),
      1,
    ),
  );
  const words = missing.map((name) => `"${name.slice(0, 50)}"`).join(', ');
  const advice = didYouMean(inQuotes(near), 'n8n_list_tags shows them.');
  return new AppError('not_found', `No tag ${words}. ${advice} n8n_create_tag creates one.`);
}
