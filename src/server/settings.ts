import { authPart } from '../auth/part.ts';
import { eventsPart } from '../events/part.ts';
import { gatewayPart } from '../gateway/part.ts';
import type { Env } from '../host/part.ts';
import { serverSection } from '../host/server-settings.ts';
import { loginPart } from '../login/part.ts';
import { n8nPart } from '../n8n/part.ts';
import { nodesPart } from '../nodes/part.ts';
import { telemetryPart } from '../telemetry/part.ts';

export const serverUses = {
  telemetry: telemetryPart,
  events: eventsPart,
  gateway: gatewayPart,
  login: loginPart,
  auth: authPart,
  nodes: nodesPart,
  n8n: n8nPart,
};
export const serverSettings = { server: serverSection.prefault({}) };

/** MCP_TRANSPORT. `serve` speaks stdio if it says so, and all HTTP transports otherwise. */
export const transportIn = ({ MCP_TRANSPORT: given }: Env): string | undefined =>
  given?.trim().toLowerCase() || undefined;
