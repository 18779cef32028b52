import { authPart } from './auth/part.ts';
import { blueprintsPart } from './blueprints/part.ts';
import { bridgePart } from './bridge/part.ts';
import { consolePart } from './console/part.ts';
import { embedderPart } from './embedder/part.ts';
import { eventsPart } from './events/part.ts';
import { gatewayPart } from './gateway/part.ts';
import { graphPart } from './graph/part.ts';
import { loginPart } from './login/part.ts';
import { memoryPart } from './memory/part.ts';
import { modulesPart } from './modules/part.ts';
import { n8nPart } from './n8n/part.ts';
import { nodesPart } from './nodes/part.ts';
import { projectsPart } from './projects/part.ts';
import { serverPart } from './server/part.ts';
import { storePart } from './store/part.ts';
import { telemetryPart } from './telemetry/part.ts';

/** The product at a glance. Parts open in this order, and use only parts before them. */
export const parts = {
  store: storePart,
  telemetry: telemetryPart,
  events: eventsPart,
  embedder: embedderPart,
  login: loginPart,
  gateway: gatewayPart,
  auth: authPart,
  nodes: nodesPart,
  n8n: n8nPart,
  bridge: bridgePart,
  modules: modulesPart,
  graph: graphPart,
  memory: memoryPart,
  blueprints: blueprintsPart,
  projects: projectsPart,
  console: consolePart,
  server: serverPart,
};
