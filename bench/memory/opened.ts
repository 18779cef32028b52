import { mkdir } from 'node:fs/promises';
import type { TextModel } from '../../src/embedder/text-model.ts';
import { openStore } from '../../src/store/open.ts';
import type { StoreSettings } from '../../src/store/settings.ts';
import { type MemoryOver, memoryOver, memoryTables } from '../../test/support/own-memory.ts';

/** The memory of a gateway, without the gateway. */
export async function openMemoryAt(home: string, settings: StoreSettings, model: TextModel): Promise<MemoryOver> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  return memoryOver(
    await openStore({ home, version: 'bench', settings, env: {} }, { migrations: memoryTables }),
    model,
  );
}
