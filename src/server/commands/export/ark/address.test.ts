import { expect, test } from 'vitest';
import { hostOf, serviceAddress, urlAddress } from './address.ts';

const service = (ref: object) => ({ service: { path: 'mcp/ark?expose=flat', ...ref } });

test.each([
  ['sluice', undefined, service({ name: 'sluice' })],
  ['sluice', 'agents', service({ name: 'sluice', namespace: 'agents' })],
  ['sluice.tools:http', 'agents', service({ name: 'sluice', namespace: 'tools', port: 'http' })],
  ['sluice.tools.svc.cluster.local:http', undefined, service({ name: 'sluice', namespace: 'tools', port: 'http' })],
  ['sluice.tools:3500', undefined, { url: 'http://sluice.tools.svc.cluster.local:3500/mcp/ark?expose=flat' }],
  ['sluice:3500', 'agents', { url: 'http://sluice.agents.svc.cluster.local:3500/mcp/ark?expose=flat' }],
])('the Service %s of somebody in %s', (given, namespace, expected) => {
  expect(serviceAddress(given, 'ark', namespace)).toEqual(expected);
});

test.each(['', 'a b', 'http://sluice', 'sluice:', 'Sluice.tools'])('%j is no Service', (given) => {
  expect(() => serviceAddress(given, undefined)).toThrow('--service looks like');
});

test.each([
  ['https://x.example.com/mcp', undefined, 'https://x.example.com/mcp?expose=flat'],
  ['https://x.example.com/mcp', 'ark', 'https://x.example.com/mcp/ark?expose=flat'],
  ['https://x.example.com/gateway/mcp/', 'ark', 'https://x.example.com/gateway/mcp/ark?expose=flat'],
  ['https://x.example.com/mcp?expose=search', undefined, 'https://x.example.com/mcp?expose=search'],
])('the endpoint %s with the toolset %s', (endpoint, toolset, url) => {
  expect(urlAddress(endpoint, toolset)).toEqual({ url });
});

test.each([
  [{ url: 'https://x.example.com:8443/mcp' }, undefined, 'x.example.com'],
  [service({ name: 'sluice', namespace: 'tools' }), 'agents', 'sluice.tools.svc.cluster.local'],
  [service({ name: 'sluice' }), 'agents', 'sluice.agents.svc.cluster.local'],
  [service({ name: 'sluice' }), undefined, 'sluice.default.svc.cluster.local'],
])('%j asks for the host %s', (address, namespace, host) => {
  expect(hostOf(address as Parameters<typeof hostOf>[0], namespace)).toBe(host);
});
