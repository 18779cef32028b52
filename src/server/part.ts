import { isIP } from 'node:net';
import type { Fill } from '../host/config/fill.ts';
import { listIn } from '../host/config/fill.ts';
import { isHttpUrl } from '../host/config/scalars.ts';
import { proxies } from '../host/server-settings.ts';
import { type Env, part } from '../host/part.ts';
import { addressUrl } from '../kernel/reachable-url.ts';
import { serverSettings, serverUses, transportIn } from './settings.ts';

/** The HTTP server, and the commands that start it. `serveHttp` serves what the other parts opened. */
export const serverPart = part<undefined, typeof serverSettings, typeof serverUses>({
  uses: serverUses,
  settings: serverSettings,
  commands: {
    serve: {
      summary: 'Serves the gateway over HTTP',
      load: async (place) => (await import('./commands/serve.ts')).serveCommand(place),
    },
    stdio: {
      summary: 'Serves the gateway over stdio, for Claude Desktop, Cursor and others',
      load: async (place) => (await import('./commands/stdio.ts')).stdioCommand(place),
    },
    init: {
      summary: 'Writes sluice.yaml, with the servers of your other clients',
      load: async (place) => (await import('./commands/init.ts')).initCommand(place),
    },
    doctor: {
      summary: 'Checks the configuration and every connection, and says how to fix what fails',
      load: async (place) => (await import('./commands/doctor.ts')).doctorCommand(place),
    },
    export: {
      summary: 'Prints what connects a client to this gateway',
      load: async (place) => (await import('./commands/export/export.ts')).exportCommand(place),
    },
  },
  anchor({ server }, resolve) {
    const { internal } = server;
    if (!internal || internal.socket === undefined) return { server };
    return { server: { ...server, internal: { ...internal, socket: resolve(internal.socket) } } };
  },
  environment: (_, { env }) => [...portFills(env), ...addressFills(env), ...peerFills(env), ...transportProblems(env)],
});

function portFills({ PORT: port }: Env): Fill[] {
  if (!port) return [];
  const valid = /^\d+$/.test(port) && Number(port) <= 65_535;
  const problem = { message: 'is not a port', fix: 'Set it to a number from 0 to 65535, or unset it.' };
  return [{ variable: 'PORT', path: ['server', 'port'], value: Number(port), problem: valid ? undefined : problem }];
}

function addressFills(env: Env): Fill[] {
  const {
    SLUICE_HOST: host,
    SLUICE_PUBLIC_URL: publicUrl,
    SLUICE_ALLOWED_HOSTS: hosts,
    ALLOWED_ORIGINS: origins,
    SLUICE_TRUST_PROXY: trusted,
  } = env;
  const problem = {
    message: 'is not an http or https URL',
    fix: 'Set it to the address clients use, such as https://sluice.example.com.',
  };
  return [
    ...(host ? [{ variable: 'SLUICE_HOST', path: ['server', 'host'], value: host.trim() }] : []),
    ...(publicUrl
      ? [
          {
            variable: 'SLUICE_PUBLIC_URL',
            path: ['server', 'publicUrl'],
            value: publicUrl.trim(),
            problem: isHttpUrl(publicUrl.trim()) ? undefined : problem,
          },
        ]
      : []),
    ...(hosts ? [{ variable: 'SLUICE_ALLOWED_HOSTS', path: ['server', 'allowedHosts'], value: listIn(hosts) }] : []),
    ...(origins ? [{ variable: 'ALLOWED_ORIGINS', path: ['server', 'allowedOrigins'], value: listIn(origins) }] : []),
    ...(trusted ? [trustFill(trusted.trim().toLowerCase())] : []),
  ];
}

function trustFill(given: string): Fill {
  const { success } = proxies.safeParse(given);
  const problem = {
    message: 'is neither true, false nor a number from 0 to 10',
    fix: 'Set it to how many proxies are in front of Sluice, one after the other, or to false.',
  };
  const path = ['server', 'trustProxy'];
  return { variable: 'SLUICE_TRUST_PROXY', path, value: given, problem: success ? undefined : problem };
}

/** In Kubernetes every pod knows its own address. Its port is the one that the gateway listens on. */
function peerFills({ SLUICE_PEER_URL: given, POD_IP: pod }: Env): Fill[] {
  const path = ['server', 'peerUrl'];
  if (given) {
    const problem = {
      message: 'is not an http or https URL',
      fix: 'Set it to the address at which the other replicas reach this one, such as http://10.0.0.5:3500.',
    };
    const value = given.trim();
    return [{ variable: 'SLUICE_PEER_URL', path, value, problem: isHttpUrl(value) ? undefined : problem }];
  }
  const address = pod?.trim();
  if (!address) return [];
  const problem = { message: 'is not an IP address', fix: 'Set it to status.podIP, or set SLUICE_PEER_URL instead.' };
  return [
    { variable: 'POD_IP', path, value: addressUrl(address, 0), problem: isIP(address) === 0 ? problem : undefined },
  ];
}

const transports: ReadonlySet<string> = new Set(['stdio', 'http', 'streamable-http', 'sse']);

function transportProblems(env: Env): Fill[] {
  const given = transportIn(env);
  if (given === undefined || transports.has(given)) return [];
  return [
    { variable: 'MCP_TRANSPORT', problem: { message: 'is not a transport', fix: 'Set it to stdio, http or sse.' } },
  ];
}
