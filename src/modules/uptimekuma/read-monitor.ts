import { z } from 'zod';
import type { Kuma } from './connection.ts';

const monitorAnswer = z.looseObject({ monitor: z.record(z.string(), z.unknown()) });

/** A monitor with everything that the server knows about it, secrets too. */
export async function readMonitor(
  kuma: Kuma,
  id: number,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  return (await kuma.ask(monitorAnswer, 'getMonitor', [id], signal)).monitor;
}
