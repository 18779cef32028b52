import type { CallPath } from '../kernel/call.ts';
import type { CallContext } from '../kernel/source.ts';
import type { Registry } from './registry.ts';

/** Records a call of a tool that does not exist or that the caller may not see. The caller cannot tell which. */
export function recordUnknownCall(
  { registry, callPath }: { registry: Pick<Registry, 'find' | 'all'>; callPath: CallPath },
  name: string,
  context: CallContext,
): void {
  const reason = registry.find(name) ? 'forbidden' : 'not_found';
  callPath.unknown(isTelling(registry, name) ? name : undefined, context, reason);
}

/** A name that begins like none of our tools could be any text, even a secret: keep it out of the events. */
function isTelling(registry: Pick<Registry, 'all'>, name: string): boolean {
  const [first] = name.split(/[_:]/, 1);
  return registry.all().some((tool) => tool.name.startsWith(`${first}_`) || tool.source === first);
}
