import { part } from '../host/part.ts';
import type { Telemetry } from './open.ts';
import { logFills, telemetrySettings } from './settings.ts';

/** Metrics and traces of what the gateway does. */
export const telemetryPart = part<Telemetry, typeof telemetrySettings>({
  settings: telemetrySettings,
  environment: (_, { env }) => logFills(env),
  open: async (host) => (await import('./open.ts')).openTelemetry(host),
});
