import { test } from 'vitest';
import { killInMidCall } from '../integration/lifecycle/kill-in-mid-call.ts';

test('a backend is killed in mid-call 200 times in a row', () => killInMidCall(200));
