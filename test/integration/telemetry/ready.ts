import { expect } from 'vitest';
import type { ServeProcess } from '../../support/serve-process.ts';

/** Until every server has tried to start. */
export async function ready(gateway: ServeProcess): Promise<void> {
  await expect.poll(() => gateway.output()).toContain('Ready:');
}
