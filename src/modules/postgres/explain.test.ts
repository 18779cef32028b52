import { describe, expect, it } from 'vitest';
import { explainsPostgres } from './explain.ts';

const explain = explainsPostgres('postgres');
const at = 'postgres at 127.0.0.1:5432';
const sent = (code: string, message: string, more = {}) =>
  Object.assign(new Error(message), { code, severity: 'ERROR', ...more });

describe('errors of PostgreSQL', () => {
  it.each([
    [sent('28P01', 'password authentication failed for user "x"'), 'unavailable', 'modules.postgres.url'],
    [sent('3D000', 'database "x" does not exist'), 'unavailable', 'modules.postgres.url'],
    [sent('53300', 'too many clients'), 'unavailable', 'max_connections'],
    [sent('57P01', 'terminating connection'), 'unavailable', 'Try again'],
    [sent('57014', 'canceling statement due to statement timeout'), 'timeout', 'modules.postgres.timeout'],
    [sent('42501', 'permission denied for table x'), 'forbidden', 'permission denied for table x.'],
    [sent('42P01', 'relation "x" does not exist'), 'not_found', 'postgres_list_tables'],
    [sent('42703', 'column "x" does not exist'), 'invalid_input', 'postgres_describe_table'],
    [sent('23505', 'duplicate key', { detail: 'Key (id)=(1) already exists.' }), 'conflict', 'Key (id)=(1)'],
    [sent('2BP01', 'cannot drop', { hint: 'Use DROP ... CASCADE' }), 'conflict', 'Use DROP ... CASCADE.'],
    [sent('40001', 'could not serialize'), 'conflict', 'Try again'],
    [sent('22P02', 'invalid input syntax'), 'invalid_input', 'invalid input syntax.'],
    [new Error('Connection terminated unexpectedly'), 'unavailable', 'closed the connection'],
    [new Error('The server does not support SSL connections'), 'unavailable', 'TLS'],
    [new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'), 'unavailable', 'password'],
  ])('%s', (error, code, said) => {
    const explained = explain(error, at);
    expect(explained?.code).toBe(code);
    expect(explained?.message).toContain(said);
  });

  it('leaves sockets and bugs to others', () => {
    expect(explain(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }), at)).toBeUndefined();
    expect(explain(new TypeError('x is not a function'), at)).toBeUndefined();
  });
});
