import { expect, test } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import type { Upstream } from '../../wire/upstream.ts';
import type { LaneState } from './lane.ts';
import { at, urlStates } from './urls.ts';

const error = new AppError('unavailable', 'no route to s3cret');
const running: LaneState = { state: 'running', since: 0, upstream: {} as Upstream };
const starting: LaneState = { state: 'starting', since: 0, attempt: Promise.resolve() };
const redact = (text: string) => text.replace('s3cret', '***');

test('a URL works if one of its lanes does; one that starts again after a failure has failed', () => {
  const lanes = [
    { url: 'https://user:pw@a.example/mcp?key=1', state: starting, trouble: error },
    { url: 'https://b.example/s3cret', state: starting, trouble: error },
    { url: 'https://c.example/mcp', state: starting, trouble: undefined },
    { url: 'https://d.example/mcp', state: running, trouble: error },
    { url: 'https://user:pw@a.example/mcp?key=1', state: running, trouble: undefined },
  ];
  expect(urlStates(lanes, redact)).toEqual([
    { url: 'https://a.example/mcp', state: 'RUNNING' },
    { url: 'https://b.example/***', state: 'FAILED', lastError: 'no route to ***' },
    { url: 'https://c.example/mcp', state: 'STARTING' },
    { url: 'https://d.example/mcp', state: 'DEGRADED', lastError: 'no route to ***' },
  ]);
  expect(urlStates([{ url: undefined, state: running, trouble: undefined }], redact)).toEqual([]);
});

test('a message names its URL without secrets', () => {
  expect(at('https://u:p@a.example/x?key=1', 'is gone')).toBe('https://a.example/x: is gone');
  expect(at(undefined, 'is gone')).toBe('is gone');
});
