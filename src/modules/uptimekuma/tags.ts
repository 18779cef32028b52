import { z } from 'zod';
import { tagShape } from './answers.ts';
import type { Kuma } from './connection.ts';

const tagsAnswer = z.looseObject({ tags: z.array(tagShape) });

export async function readTags(kuma: Kuma, signal: AbortSignal): Promise<z.output<typeof tagShape>[]> {
  const { tags } = await kuma.ask(tagsAnswer, 'getTags', [], signal);
  return tags.sort((a, b) => a.name.localeCompare(b.name));
}
