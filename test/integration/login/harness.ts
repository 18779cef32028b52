import { expect } from 'vitest';
import type { Protected } from '../../fixtures/authorization-server.ts';
import { callTool, connectV2, type Json, type TestGateway } from '../harness.ts';

export interface FarStatus {
  state: string;
  login?: string;
  retryAt?: string;
  lastError?: { message: string };
}

/** The entry of the server `far` in gateway_status, for a caller with these headers. */
export async function farStatus(gateway: TestGateway, headers: Record<string, string> = {}): Promise<FarStatus> {
  await using client = await connectV2(gateway, { headers });
  const { structuredContent } = await callTool(client, 'gateway_status', { server: 'far' });
  return (structuredContent as Json & { backends: FarStatus[] }).backends[0] as FarStatus;
}

export async function untilRunning(gateway: TestGateway, name = 'far'): Promise<void> {
  const state = () => gateway.runtime.apis.gateway.status().backends.find((one) => one.name === name)?.state;
  await expect.poll(state, { interval: 20 }).toBe('RUNNING');
}

/** Signs in through the link and waits until the gateway uses the login. */
export async function signIn(gateway: TestGateway, far: Protected, account = 'ana'): Promise<void> {
  const { login = '' } = await farStatus(gateway);
  const { text } = await far.visit(login, account);
  expect(text).toContain('Signed in to far');
  await untilRunning(gateway);
}

export const linkIn = (text: string): string => /https?:\S+\/login\/\S+ticket=[\w-]+/.exec(text)?.[0] ?? '';
