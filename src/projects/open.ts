import type { GatewayApi } from '../gateway/open.ts';
import type { OpenPart } from '../host/part.ts';
import { yielding } from '../host/yielding.ts';
import { refuseSecrets } from '../kernel/no-secrets.ts';
import { createInFlight } from './status/in-flight.ts';
import { projectSource } from './own-source.ts';
import type { ProjectHost } from './settings.ts';

export function openProjects(host: ProjectHost, { gateway }: { readonly gateway: GatewayApi }): OpenPart<undefined> {
  const source = projectSource({
    open: async () => (await import('./tables.ts')).projectTables(host.store.apart),
    gateway,
    inFlight: createInFlight(),
    refuse: refuseSecrets('A project', host.holdsRevealed),
  });
  const own = yielding(source, host.all.claims, () => !host.settings().projects);
  return { api: undefined, sources: [own.source], absent: own.absent, reload: async () => own.reload() };
}
