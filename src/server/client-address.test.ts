import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { clientAddress } from './client-address.ts';

const request = (forwarded?: string, remoteAddress = '::ffff:10.0.0.1') =>
  ({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress } }) as unknown as IncomingMessage;

it('is the connected address, unless a trusted proxy reports one', () => {
  expect(clientAddress(request('192.0.2.9'), false)).toBe('10.0.0.1');
  expect(clientAddress(request('192.0.2.9'), true)).toBe('192.0.2.9');
  expect(clientAddress(request('2001:db8::1'), true)).toBe('2001:db8::1');
});

it('is never an address that the client itself wrote', () => {
  expect(clientAddress(request('1.2.3.4, 192.0.2.9'), true)).toBe('192.0.2.9');
});

it('is the one that the outermost of several trusted proxies saw', () => {
  // Cloudflare appends the client, Traefik behind it appends Cloudflare.
  expect(clientAddress(request('192.0.2.9, 172.64.0.1'), 2)).toBe('192.0.2.9');
  expect(clientAddress(request('1.2.3.4, 192.0.2.9, 172.64.0.1'), 2)).toBe('192.0.2.9');
  // The same client as one that asks Traefik directly, which then drops what the client wrote.
  expect(clientAddress(request('192.0.2.9'), 2)).toBe('192.0.2.9');
  expect(clientAddress(request('1.2.3.4, 192.0.2.9'), 1)).toBe('192.0.2.9');
});

it('is the connected address if the proxy reports nothing valid', () => {
  expect(clientAddress(request(undefined), true)).toBe('10.0.0.1');
  expect(clientAddress(request('unknown'), true)).toBe('10.0.0.1');
  expect(clientAddress(request('unknown, 172.64.0.1'), 2)).toBe('10.0.0.1');
  expect(clientAddress(request(''), 2)).toBe('10.0.0.1');
});
