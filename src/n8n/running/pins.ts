import { AppError, messageOf } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import type { N8nItem } from '../items.ts';
import { insistent } from '../workflows/lost.ts';

/** By name of a node, the items it outputs instead of running. */
export type Pins = Readonly<Record<string, readonly N8nItem[]>>;

/**
 * n8n takes pinned data from the saved workflow only, so ours are saved there while the run starts. This changes nothing
 * else and makes no version; the published version has no pins.
 */
export async function withPins<T>(client: N8nClient, { id }: Workflow, pins: Pins, work: () => Promise<T>): Promise<T> {
  if (Object.keys(pins).length === 0) return work();
  const path = `/workflows/${encodeURIComponent(id)}`;
  // Without the caller's signal: a cancelled call must not leave the pins behind.
  return client.turns.take(id, async () => {
    const { pinData } = await client.workflows.get(id);
    const own = pinData ?? {};
    await client.session.ask('PATCH', path, { body: { pinData: { ...own, ...pins } } });
    try {
      return await work();
    } finally {
      const unpin = () => client.session.ask('PATCH', path, { body: { pinData: own } });
      await insistent(unpin).catch((error: unknown) => {
        throw new AppError(
          'unavailable',
          `Could not remove the pins of this test. They are still in the draft of ${id}: ${Object.keys(pins).join(', ')}. n8n_edit_workflow { pin_data } removes them. ${messageOf(error)}`,
          { cause: error },
        );
      });
    }
  });
}
