import { AppError } from '../kernel/errors.ts';
import { chosenInstance, DEFAULT_INSTANCE } from '../nodes/which-n8n.ts';
import { createN8nClient, type N8nClient, type N8nSettings } from './client/client.ts';
import type { RequestLog } from './client/request-log.ts';
import type { Written } from './client/written.ts';

export { instanceInput } from './instance-input.ts';

export interface Instances {
  names(): string[];
  get(name: string | undefined): N8nClient;
  /** Applies new settings. An instance whose settings did not change keeps its client and login. */
  configure(settings: Readonly<Record<string, N8nSettings>>): void;
  /** Called when instances were added or removed. */
  onChange(listener: () => void): () => void;
  /** Called for every change a tool call makes in n8n, but not for changes Sluice makes on its own. */
  onWrite(listener: (instance: string, what: Written) => void): void;
}

export function createInstances(
  first: Readonly<Record<string, N8nSettings>>,
  {
    heard,
    log,
    isStarting,
  }: {
    /** Called after each request: did it reach the instance? */
    heard?: ((instance: string, reached: boolean) => void) | undefined;
    log?: RequestLog | undefined;
    /** Whether this process is starting an instance of this name that is not ready yet. */
    isStarting?(name: string): boolean;
  } = {},
): Instances {
  let clients = new Map<string, { settings: string; client: N8nClient }>();

  const listeners = new Set<() => void>();
  const writeListeners = new Set<(instance: string, what: Written) => void>();

  function configure(settings: Readonly<Record<string, N8nSettings>>): void {
    const before = [...clients.keys()].join();
    clients = new Map(
      Object.entries(settings).map(([name, given]) => {
        const text = JSON.stringify(given);
        const known = clients.get(name);
        if (known?.settings === text) return [name, known];
        const noted = {
          ...(heard && { heard: (reached: boolean) => heard(name, reached) }),
          ...(log && { log }),
          wrote: (what: Written) => {
            for (const listener of writeListeners) listener(name, what);
          },
        };
        return [name, { settings: text, client: createN8nClient(name, given, noted) }];
      }),
    );
    if ([...clients.keys()].join() !== before) for (const listener of listeners) listener();
  }
  configure(first);

  return {
    names: () => [...clients.keys()],
    get(name) {
      // Don't fall back to another instance just because the default is still starting.
      const isDefault = (name ?? DEFAULT_INSTANCE) === DEFAULT_INSTANCE;
      if (isDefault && !clients.has(DEFAULT_INSTANCE) && isStarting?.(DEFAULT_INSTANCE))
        throw new AppError(
          'unavailable',
          `The n8n default is starting. Try again in a few seconds; gateway_status shows its progress. Use instance to reach ${[...clients.keys()].join(', ')}.`,
        );
      return (clients.get(chosenInstance([...clients.keys()], name)) as { client: N8nClient }).client;
    },
    configure,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onWrite: (listener) => void writeListeners.add(listener),
  };
}
