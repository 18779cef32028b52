import { authPart } from '../auth/part.ts';
import { eventsPart } from '../events/part.ts';
import { gatewayPart } from '../gateway/part.ts';
import { telemetryPart } from '../telemetry/part.ts';
import type { Fill } from '../host/config/fill.ts';
import { listIn } from '../host/config/fill.ts';
import { isHttpUrl } from '../host/config/scalars.ts';
import { type Env, part } from '../host/part.ts';
import { serverSection } from '../host/server-settings.ts';

const uses = { telemetry: telemetryPart, events: eventsPart, gateway: gatewayPart, auth: authPart };

/** The HTTP server. `serveHttp` serves what the other parts opened. */
export const serverPart = part({
  uses,
  settings: { server: serverSection.prefault({}) },
  anchor({ server }, resolve) {
    const { internal } = server;
    if (!internal || internal.socket === undefined) return { server };
    return { server: { ...server, internal: { ...internal, socket: resolve(internal.socket) } } };
  },
  environment: (_, { env }) => [...portFills(env), ...addressFills(env), ...transportProblems(env)],
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

/** What MCP_TRANSPORT says; `serve` speaks stdio where it says so, and everything else by itself. */
export const transportIn = ({ MCP_TRANSPORT: given }: Env): string | undefined =>
  given?.trim().toLowerCase() || undefined;
