import { serverSchema } from './config/server-entry.ts';
import { sameSource } from '../host/config/claims.ts';
import { sourceName } from '../host/config/source-name.ts';
import { assertPublicUrl } from '../wire/url-guard.ts';
import type { Gateway } from './gateway.ts';
import type { ServerAdmin } from './tools/servers.ts';
import { AppError } from '../kernel/errors.ts';
import type { GatewayEvents } from './facts.ts';
import type { BackendSettings } from './settings.ts';
import type { Servers } from '../store/store.ts';

/** Adds and removes servers while Sluice runs, as far as the file allows it. */
export function createServerAdmin(deps: {
  gateway: Gateway;
  events: GatewayEvents;
  servers: Servers;
  /** The servers of the file and of presets. */
  named(): Readonly<Record<string, BackendSettings>>;
  /** What a tool call may add. */
  may(): { readonly allowCommands: boolean; readonly allowInternalUrls: boolean };
  /** Queues a change, then brings the gateway in line. Everything stored about the removed server is deleted. */
  reconfigure(change: () => Promise<void>, removed?: string): ReturnType<Gateway['configure']>;
}): ServerAdmin {
  const { gateway, events, servers, named, reconfigure } = deps;
  /** Only a server that was added here can be removed here: one of the file or the bridge would be back at once. */
  async function removable(name: string): Promise<void> {
    if (Object.hasOwn(named(), name))
      throw new AppError(
        'conflict',
        `${name} is in the configuration file. Remove it there; that takes effect at once.`,
      );
    if (!(await servers.list()).some((added) => added.name === name))
      throw new AppError(
        'conflict',
        `${name} was not added by gateway_add_server: it comes from n8n, over the bridge. Remove it with bridge_cleanup.`,
      );
  }

  return {
    gateway,
    events,
    removable,
    async add(name, entry, by) {
      const proper = sourceName.safeParse(name);
      const parsed = serverSchema.safeParse(entry);
      if (!proper.success)
        throw new AppError('invalid_input', `The name ${name} is not valid: ${proper.error.issues[0]?.message}.`);
      if (!parsed.success)
        throw new AppError(
          'invalid_input',
          `The server was not added: ${parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`.trim()).join('; ')}.`,
        );
      const { allowCommands, allowInternalUrls } = deps.may();
      if (parsed.data.transport.kind === 'stdio') {
        if (!allowCommands)
          throw new AppError(
            'forbidden',
            'A tool call may not add a server that runs a command. Add it to mcpServers in the file, or set gateway.allowCommands: true.',
          );
      } else if (!allowInternalUrls) {
        const { url, urls = [url] } = parsed.data.transport;
        for (const one of urls) await assertPublicUrl(one);
      }
      const { settled } = await reconfigure(async () => {
        const taken = Object.hasOwn(named(), name);
        // Another replica may have added it a moment ago.
        const isAdded = async () => (await servers.list()).some((added) => added.name === name);
        const isSame = ({ id }: { id: string }) => sameSource(id) === sameSource(name);
        if (taken || gateway.registry.sources().some(isSame) || (await isAdded()))
          throw new AppError(
            'conflict',
            `There is already a source named ${name}. Choose another name, or remove it first.`,
          );
        await servers.put(name, entry, by);
      });
      await settled;
    },
    async remove(name) {
      await removable(name);
      await reconfigure(async () => {
        await servers.delete(name);
      }, name);
    },
  };
}
