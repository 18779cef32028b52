import type { OutputOf } from '../../kernel/tool.ts';
import type { show } from '../tools/show.ts';
import type { Calls } from './calls.ts';

type Shown = OutputOf<typeof show>;

/** A blueprint with its whole text. */
export async function definitionOf({ call }: Calls, name: string): Promise<Shown> {
  const { next_offset: next, ...first } = await call<Shown>('blueprint_show', { name });
  let { text } = first;
  for (let offset = next; offset !== undefined; ) {
    const page = await call<Shown>('blueprint_show', { name, offset });
    text += page.text;
    offset = page.next_offset;
  }
  return { ...first, text };
}
