// Comparison: a server on SDK v2's createMcpHandler, which serves both eras. It builds a server for every request, so
// the schemas are built once, outside.
import http from 'node:http';
import { parseArgs } from 'node:util';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { toolList } from './echo.ts';
import { echoInput, fillerInput } from './sdk-input.ts';

const { values } = parseArgs({ options: { port: { type: 'string' }, tools: { type: 'string', default: '1' } } });
const [echo, ...fillers] = toolList(Number(values.tools), 'sdk-v2');

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'sdk-v2', version: '1.0.0' });
  server.registerTool('echo', { description: echo?.description, inputSchema: echoInput }, ({ text }) => ({
    content: [{ type: 'text', text }],
  }));
  for (const { name, description } of fillers) {
    server.registerTool(name, { description, inputSchema: fillerInput }, () => ({ content: [] }));
  }
  return server;
});
const handle = toNodeHandler(handler);

http.createServer((incoming, outgoing) => void handle(incoming, outgoing)).listen(Number(values.port), '127.0.0.1');
