import { describe, expect, test } from 'vitest';
import type { AppError } from '../../kernel/errors.ts';
import { explainRedis } from './explain.ts';

const at = 'redis at 127.0.0.1:6379';
const explained = (said: string) => explainRedis(new Error(said), at);

describe('explaining what Redis says', () => {
  test.each([
    ['WRONGPASS invalid username-password pair or user is disabled.', 'unavailable', 'refuses the user'],
    ['NOAUTH Authentication required.', 'unavailable', 'needs a password'],
    ['ERR AUTH <password> called without any password configured for the default user.', 'unavailable', 'Remove it'],
    ["NOPERM this user has no permissions to run the 'set' command", 'forbidden', 'ACL'],
    ['DENIED Redis is running in protected mode because', 'unavailable', 'protected mode'],
    ['ERR DB index is out of range', 'unavailable', 'database'],
    ['ERR max number of clients reached', 'unavailable', 'maxclients'],
    ['LOADING Redis is loading the dataset in memory', 'unavailable', 'still loads'],
    ['BUSY Redis is busy running a script.', 'unavailable', 'busy'],
    ["MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.", 'unavailable', 'primary'],
    ['CLUSTERDOWN The cluster is down', 'unavailable', 'cluster'],
    ['MOVED 3999 10.0.0.7:6381', 'unsupported', '10.0.0.7:6381'],
    ['ASK 3999 10.0.0.7:6381', 'unsupported', '10.0.0.7:6381'],
    ["CROSSSLOT Keys in request don't hash to the same slot", 'invalid_input', 'one key'],
    ["READONLY You can't write against a read only replica.", 'forbidden', 'replica'],
    ["OOM command not allowed when used memory > 'maxmemory'.", 'conflict', 'memory limit'],
    ['MISCONF Redis is configured to save RDB snapshots', 'conflict', 'administrator'],
    ['WRONGTYPE Operation against a key holding the wrong kind of value', 'conflict', 'redis_get_key_info'],
    ["ERR unknown command 'JSON.GET', with args beginning with: 'a'", 'unsupported', 'no JSON module'],
    ['ERR unknown command `JSON.GET`, with args beginning with: `a`', 'unsupported', 'no JSON module'],
    ["ERR unknown command 'UNLINK', with args beginning with: 'a'", 'unsupported', 'too old'],
    ["NOGROUP No such key 'a' or consumer group 'b'", 'not_found', 'redis_get_stream_info'],
    ['ERR value is not an integer or out of range', 'conflict', 'cannot be counted'],
    ['ERR hash value is not a float', 'conflict', 'cannot be counted'],
    ['ERR increment or decrement would overflow', 'conflict', 'overflow'],
    ['ERR wrong number of arguments', 'invalid_input', 'refused this'],
    ['Socket closed unexpectedly', 'unavailable', 'rediss://'],
    ['The client is closed', 'unavailable', 'closed the connection'],
    ['Connection timeout', 'unavailable', 'does not answer'],
    ['Unknown RESP type 72 "H"', 'unavailable', 'protocol'],
    ['The queue is full', 'rate_limited', 'Too many'],
  ])('%s', (said, code, part) => {
    const error = explained(said) as AppError;
    expect(error.code).toBe(code);
    expect(error.message).toContain(part);
    expect(error.message).not.toMatch(/^[A-Z]{4,} /);
  });

  test('leaves other errors to those who know them', () => {
    expect(explained('Cannot read properties of undefined')).toBeUndefined();
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    expect(explainRedis(refused, at)).toBeUndefined();
  });
});
