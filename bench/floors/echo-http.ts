// Backend and "direct" target: Streamable HTTP, stateless, JSON replies.
import { parseArgs } from 'node:util';
import { createEcho } from './echo.ts';
import { serveJson } from './json-server.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    tools: { type: 'string', default: '1' },
    name: { type: 'string', default: 'echo' },
  },
});
serveJson(Number(values.port), createEcho(Number(values.tools), values.name));
