import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import type { Verdict } from '../auth/authenticator.ts';
import { localOwner } from '../kernel/principal.ts';
import { type AdmissionDeps, createAdmission } from './admission.ts';

const request = { headers: { authorization: 'Bearer something' } } as IncomingMessage;

function admissionOf(verdict: Verdict | undefined, more: Partial<AdmissionDeps> = {}) {
  const failed: string[] = [];
  const admit = createAdmission({
    anonymous: () => undefined,
    authenticators: () => [{ check: () => verdict }],
    resource: () => '',
    challenge: () => 'Bearer',
    async failed(_, reason) {
      failed.push(reason);
      return undefined;
    },
    exceeded: () => undefined,
    ...more,
  });
  return { failed, decision: admit(request) };
}

it('a credential that nobody can judge at the moment is no failed attempt', async () => {
  const { failed, decision } = admissionOf({ unavailable: 'Sluice cannot reach its store.' });
  expect(await decision).toEqual({
    refusal: {
      status: 503,
      message:
        'Service unavailable: Sluice cannot reach its store. Try again in 5 s. If that does not help, ask the operator of this gateway to check its store.',
      headers: { 'retry-after': '5' },
    },
  });
  expect(failed).toEqual([]);
});

it('waits for a count only if it is a promise', async () => {
  const accepted = { principal: localOwner };
  expect(admissionOf(accepted).decision).toEqual(accepted);
  const late = admissionOf(accepted, { exceeded: async () => 7 }).decision;
  expect(late).toBeInstanceOf(Promise);
  expect(await late).toMatchObject({
    refusal: { status: 429, message: 'Too many requests: try again in 7 s.', headers: { 'retry-after': '7' } },
  });
});

it('a credential that was given does not say that its owner is there in person: it may be a program', async () => {
  const cookie = { headers: {} } as IncomingMessage;
  const owner = { principal: { id: 'owner', scopes: new Set(['admin']) } };
  const admit = (session: AdmissionDeps['session']) =>
    createAdmission({
      anonymous: () => undefined,
      authenticators: () => [{ check: () => owner }],
      session,
      resource: () => '',
      challenge: () => 'Bearer',
      failed: async () => undefined,
      exceeded: () => undefined,
    })(cookie);
  expect(await admit(() => ({ verdict: owner }))).toEqual({ ...owner, isBrowser: true, isInPerson: true });
  for (const inPerson of [false, true])
    expect(await admit(() => ({ credential: 'a token', inPerson }))).toEqual({
      ...owner,
      isBrowser: true,
      isInPerson: inPerson,
    });
});
