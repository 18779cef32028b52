// Comparison: a server on SDK v1 with a session for every client, set up as its README shows.
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { parseArgs } from 'node:util';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { toolList } from './echo.ts';
import { echoInput, fillerInput } from './sdk-input.ts';

const { values } = parseArgs({ options: { port: { type: 'string' }, tools: { type: 'string', default: '1' } } });
const [echo, ...fillers] = toolList(Number(values.tools), 'sdk-v1');
const sessions = new Map<string, StreamableHTTPServerTransport>();

function createServer(): McpServer {
  const server = new McpServer({ name: 'sdk-v1', version: '1.0.0' });
  server.registerTool('echo', { description: echo?.description, inputSchema: echoInput.shape }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  for (const { name, description } of fillers) {
    server.registerTool(name, { description, inputSchema: fillerInput.shape }, () => ({ content: [] }));
  }
  return server;
}

async function openSession(): Promise<StreamableHTTPServerTransport> {
  const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  await createServer().connect(transport);
  return transport;
}

http
  .createServer((incoming, outgoing) => {
    const id = incoming.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    void Promise.resolve(known ?? openSession()).then((transport) => transport.handleRequest(incoming, outgoing));
  })
  .listen(Number(values.port), '127.0.0.1');
