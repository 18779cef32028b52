import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { listen, portOf } from '../../host/listen.ts';
import { AppError } from '../../kernel/errors.ts';

export interface Ports {
  readonly port: number;
  readonly brokerPort: number;
}

/** n8n's usual port, unless it is in use. */
const USUAL = 5678;

export interface PortWish {
  /** The user's choice: use this port or fail. 0 for any. */
  readonly port?: number;
  /** The ports of the last run, so that webhook addresses and bookmarks keep working. */
  readonly last?: Partial<Ports>;
  /** Whether the n8n of the last run may still be shutting down, because its keeper was killed. */
  readonly isEnding?: () => boolean;
}

const LOOK_MS = 100;

export async function choosePorts({ port, last = {}, isEnding = () => false }: PortWish): Promise<Ports> {
  const awaited = [port || last.port, last.brokerPort].filter((one) => one !== undefined);
  for (;;) {
    if ((await areFree(awaited)) || !isEnding()) break;
    await delay(LOOK_MS);
  }
  if (port !== undefined && port !== 0 && !(await isFree(port))) {
    throw new AppError('conflict', `Port ${port} is taken. Stop what uses it, or choose another with --port.`);
  }
  const chosen = port || (await firstFree([last.port, port === 0 ? undefined : USUAL]));
  return { port: chosen, brokerPort: await firstFree([last.brokerPort], chosen) };
}

async function firstFree(wanted: readonly (number | undefined)[], except?: number): Promise<number> {
  for (const port of wanted) if (port !== undefined && port !== except && (await isFree(port))) return port;
  return (await bind(0)) as number;
}

async function areFree(ports: readonly number[]): Promise<boolean> {
  for (const port of ports) if (!(await isFree(port))) return false;
  return true;
}

async function isFree(port: number): Promise<boolean> {
  return (await bind(port)) !== undefined;
}

/** Binds a port and releases it again. Undefined if the port is in use. */
async function bind(port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    await listen(server, { port, host: '127.0.0.1', exclusive: true });
  } catch {
    return undefined;
  }
  const taken = portOf(server);
  await new Promise((closed) => server.close(closed));
  return taken;
}
