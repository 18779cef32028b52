import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { clientAddress } from './client-address.ts';

const request = (forwarded?: string, remoteAddress = '::ffff:10.0.0.1') =>
  ({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress } }) as unknown as IncomingMessage;

it('is what is connected, unless a trusted proxy says what it saw', () => {
  expect(clientAddress(request('192.0.2.9'), false)).toBe('10.0.0.1');
  expect(clientAddress(request('192.0.2.9'), true)).toBe('192.0.2.9');
  expect(clientAddress(request('2001:db8::1'), true)).toBe('2001:db8::1');
});

it('is never what the client wrote before the proxy', () => {
  expect(clientAddress(request('1.2.3.4, 192.0.2.9'), true)).toBe('192.0.2.9');
});

it('is what is connected when the proxy says nothing of use', () => {
  expect(clientAddress(request(undefined), true)).toBe('10.0.0.1');
  expect(clientAddress(request('unknown'), true)).toBe('10.0.0.1');
});
