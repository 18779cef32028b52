import type { Callable } from '../../kernel/callable.ts';

/** What tells most at little cost, the best first. */
const WORDS = [/_get_(?:server_)?(?:info|overview|status|summary|context)$/, /_list_/, /_get_/];

/** The tool to try a service with: it needs no arguments. These tools only read. */
export function toTry(reads: readonly Pick<Callable, 'name' | 'entry'>[]): string | undefined {
  const free = reads.filter(({ entry }) => {
    const { required } = entry.wire.inputSchema;
    return entry.unlisted !== true && !(Array.isArray(required) && required.length > 0);
  });
  const names = free.map(({ name }) => name);
  for (const word of WORDS) {
    const fits = names.find((name) => word.test(name));
    if (fits !== undefined) return fits;
  }
  return names[0];
}
