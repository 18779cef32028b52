import {
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoParseError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { describe, expect, test } from 'vitest';
import { explain } from './explain.ts';

const at = 'mongodb at db:27017';
const answered = (code: number, message: string, more: object = {}) =>
  new MongoServerError({ ok: 0, code, errmsg: message, codeName: `Code${code}`, ...more });

test.each<[number, string, string, string]>([
  [18, 'Authentication failed.', 'unavailable', 'refuses the user or the password'],
  [8000, 'bad auth : authentication failed', 'unavailable', 'refuses the user or the password'],
  [13, 'Command find requires authentication', 'unavailable', 'wants a user'],
  [13, 'not authorized on shop to execute command', 'forbidden', 'may not do this'],
  [26, 'ns does not exist: shop.none', 'not_found', 'mongodb_list_collections'],
  [27, 'index not found with name [x]', 'not_found', 'mongodb_list_indexes'],
  [43, 'cursor id 5 not found', 'unavailable', 'Ask again'],
  [48, 'Collection shop.a already exists', 'conflict', 'another name'],
  [50, 'operation exceeded time limit', 'timeout', 'modules.mongodb.timeout'],
  [59, "no such command: 'x'", 'unsupported', 'does not know this command'],
  [86, 'An existing index has the same name', 'conflict', 'mongodb_drop_index'],
  [91, 'The server is in quiesce mode', 'unavailable', 'shutting down'],
  [10107, 'not primary', 'unavailable', 'not the primary'],
  [13435, 'not primary and secondaryOk=false', 'unavailable', 'replicaSet'],
  [20, 'Transaction numbers are only allowed on a replica set member or mongos', 'unavailable', 'retryWrites=false'],
  [10334, 'BSONObj size is invalid', 'too_large', '16 MB'],
  [2, 'unknown operator: $x', 'invalid_input', 'unknown operator: $x'],
])('the code %i (%s) becomes %s', (code, message, as, said) => {
  const error = explain(answered(code, message), at);
  expect(error?.code).toBe(as);
  expect(error?.message).toContain(said);
});

test('a duplicate key is named with its index', () => {
  const error = explain(
    answered(11000, 'E11000 duplicate key error collection: shop.users index: email_1 dup key: { email: "a@b" }', {
      keyValue: { email: 'a@b' },
    }),
    at,
  );
  expect(error?.code).toBe('conflict');
  expect(error?.message).toContain('{"email":"a@b"}');
  expect(error?.message).toContain('email_1 is unique');
});

test('a broken rule of a schema is named', () => {
  const details = { operatorName: '$jsonSchema', schemaRulesNotSatisfied: [{ missingProperties: ['name'] }] };
  const error = explain(answered(121, 'Document failed validation', { errInfo: { details } }), at);
  expect(error?.code).toBe('invalid_input');
  expect(error?.message).toContain('"missingProperties":["name"]');
});

describe('a server that cannot be selected', () => {
  const selection = (type: string, servers: object[]) =>
    new MongoServerSelectionError('no server', {
      type,
      servers: new Map(servers.map((server, index) => [`s${index}`, server])),
    } as never);

  test('says why the connection failed', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const error = explain(selection('Unknown', [{ error: new MongoNetworkError('failed', { cause: refused }) }]), at);
    expect(error?.message).toContain('nothing listens');
  });

  test('says that a replica set has no primary', () => {
    const error = explain(selection('ReplicaSetNoPrimary', [{ type: 'RSSecondary' }]), at);
    expect(error?.message).toContain('no primary');
  });

  test('says that the server is no member of the replica set', () => {
    expect(explain(selection('ReplicaSetNoPrimary', []), at)?.message).toContain('Correct replicaSet');
  });
});

test('a certificate that is not trusted is explained by what every service has in common', () => {
  const cause = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  expect(explain(new MongoNetworkError('failed', { cause }), at)?.message).toContain('modules.mongodb.ca');
});

test('a connection string with a mistake shows no password', () => {
  const error = explain(new MongoParseError('Unable to parse mongodb://me:secret@host:x with URL'), at);
  expect(error?.message).toContain('modules.mongodb.url');
  expect(error?.message).not.toContain('secret');
});

test('what takes too long and what the driver refuses', () => {
  expect(explain(new MongoNetworkTimeoutError('timed out'), at)?.code).toBe('timeout');
  expect(explain(new MongoInvalidArgumentError('Update document requires atomic operators'), at)?.code).toBe(
    'invalid_input',
  );
  expect(explain(new Error('anything'), at)).toBeUndefined();
});
