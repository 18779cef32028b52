import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applied, isComplete, nothingYet } from './pushed.ts';

const EVENTS = [
  'info',
  'monitorList',
  'updateMonitorIntoList',
  'deleteMonitorFromList',
  'heartbeatList',
  'importantHeartbeatList',
  'heartbeat',
  'uptime',
  'avgPing',
  'certInfo',
  'notificationList',
  'statusPageList',
  'maintenanceList',
  'other',
];

const monitor = (id: number, more: object = {}) => ({ id, name: `m${id}`, type: 'http', active: true, ...more });
const beat = (status: number, more: object = {}) => ({ monitorID: 1, status, time: '2026-01-31 14:00:00', ...more });

describe('what the server sends', () => {
  test('is kept, and changes are applied', () => {
    const pushed = nothingYet();
    applied(pushed, 'monitorList', [{ 1: monitor(1), 2: monitor(2) }]);
    applied(pushed, 'updateMonitorIntoList', [{ 2: monitor(2, { name: 'renamed', active: false }) }]);
    applied(pushed, 'heartbeatList', ['1', [beat(1), beat(0, { msg: 'no' })]]);
    applied(pushed, 'uptime', [1, 24, 0.5]);
    applied(pushed, 'uptime', ['1', 720, 0.9]);
    applied(pushed, 'uptime', [1, '1y', 0.1]);
    applied(pushed, 'avgPing', [1, 12.5]);
    applied(pushed, 'certInfo', [1, '{"valid":true,"certInfo":{"daysRemaining":9}}']);
    expect(pushed.monitors.get(2)).toMatchObject({ name: 'renamed', active: false });
    expect(pushed.lastBeats.get(1)).toMatchObject({ status: 'down', message: 'no' });
    expect(pushed.uptimes.get(1)).toEqual({ day: 0.5, month: 0.9 });
    expect(pushed.pings.get(1)).toBe(12.5);
    expect(pushed.certificates.get(1)).toMatchObject({ valid: true, days: 9 });
    applied(pushed, 'deleteMonitorFromList', [1]);
    expect([...pushed.monitors.keys()]).toEqual([2]);
    expect(pushed.uptimes.size).toBe(0);
  });

  test('has changes of state only in 1.23, also for monitors that are new', () => {
    const pushed = nothingYet();
    applied(pushed, 'heartbeat', [beat(0, { important: true })]);
    expect(pushed.changes.size).toBe(0);
    applied(pushed, 'info', [{ version: '1.23.16' }]);
    applied(pushed, 'heartbeat', [beat(0, { important: true })]);
    applied(pushed, 'heartbeat', [beat(0, { important: false })]);
    expect(pushed.changes.get(1)).toHaveLength(1);
  });

  test('keeps no secret of a notification', () => {
    const pushed = nothingYet();
    const config = '{"type":"telegram","telegramBotToken":"s3cret"}';
    applied(pushed, 'notificationList', [[{ id: 1, name: 'ops', active: true, isDefault: false, config }]]);
    expect(pushed.notifications).toEqual([{ id: 1, name: 'ops', type: 'telegram', active: true, isDefault: false }]);
  });

  test('is complete when every monitor that was checked has its numbers', () => {
    const pushed = nothingYet();
    applied(pushed, 'info', [{}]);
    applied(pushed, 'monitorList', [{ 1: monitor(1), 2: monitor(2) }]);
    applied(pushed, 'info', [{ version: '1.23.16' }]);
    applied(pushed, 'statusPageList', [{}]);
    applied(pushed, 'heartbeatList', ['1', [beat(1)]]);
    expect(isComplete(pushed)).toBe(false);
    applied(pushed, 'uptime', [1, 24, 1]);
    expect(isComplete(pushed)).toBe(false);
    applied(pushed, 'uptime', [1, 720, 1]);
    expect(isComplete(pushed)).toBe(true);
  });

  test('may be anything without doing harm', () => {
    fc.assert(
      fc.property(fc.constantFrom(...EVENTS), fc.array(fc.anything({ maxDepth: 4 })), (event, args) => {
        const pushed = nothingYet();
        applied(pushed, event, args);
        expect(pushed.has.has(event)).toBe(true);
      }),
    );
  });
});
