import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';

const text = (most = 500) => z.string().trim().min(1).max(most);
const seconds = z.int().min(1).max(2_073_600);

/** What a monitor can be told, for adding and for editing. */
export const fieldsInput = {
  url: text(2000).optional().describe('For http, keyword, json-query; without scheme it is https://'),
  hostname: text().optional().describe('For ping, port, dns and others'),
  port: z.int().min(1).max(65_535).optional().describe('TCP port'),
  description: z.string().max(2000).optional().describe('A note for people'),
  interval: seconds.optional().describe('Seconds between checks'),
  retry_interval: seconds.optional().describe('Seconds between retries'),
  retries: z.int().min(0).max(1000).optional().describe('Failures before it is down'),
  resend_after: z.int().min(0).max(10_000).optional().describe('Notify again after this many checks that it is down'),
  timeout: z.number().min(1).max(3600).optional().describe('Seconds for one check'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']).optional(),
  headers: z.record(z.string().min(1).max(200), z.string().max(4000)).optional().describe('Request headers'),
  body: z.string().max(100_000).optional().describe('Request body'),
  basic_auth: z
    .strictObject({ user: z.string().max(500), password: z.string().max(500) })
    .optional()
    .describe('User and password for the request'),
  keyword: text().optional().describe('Must be in the answer; for keyword'),
  invert_keyword: z.boolean().optional().describe('Must not be in it'),
  json_path: text(2000).optional().describe('JSONata; for json-query'),
  expected_value: z.string().max(2000).optional().describe('What json_path has to give'),
  accepted_codes: z
    .array(z.string().regex(/^[1-5]\d\d(?:-[1-5]\d\d)?$/, 'is not a code or a range'))
    .min(1)
    .max(20)
    .optional()
    .describe('Such as ["200-299", "401"]'),
  max_redirects: z.int().min(0).max(100).optional().describe('How many redirects to follow'),
  ignore_tls: z.boolean().optional().describe('Accept any certificate'),
  expiry_notification: z.boolean().optional().describe('Notify before the certificate expires'),
  upside_down: z.boolean().optional().describe('Up means down'),
  dns_type: z.enum(['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'PTR', 'SOA', 'SRV', 'TXT']).optional(),
  dns_server: text().optional().describe('Which DNS server to ask'),
  connection_string: text(2000).optional().describe('For postgres, mysql, mongodb, redis, sqlserver'),
  query: z.string().max(10_000).optional().describe('For databases'),
  fields: z
    .record(
      z.string().max(100),
      z.union([z.string().max(100_000), z.number(), z.boolean(), z.null(), z.array(z.unknown())]),
    )
    .optional()
    .describe(
      'Fields of other types by their name in Uptime Kuma, such as {"docker_container": "web", "docker_host": 1}',
    ),
};

const fieldsObject = z.object(fieldsInput);
export type Fields = z.output<typeof fieldsObject>;

type Simple = Exclude<keyof Fields, 'headers' | 'basic_auth' | 'url' | 'fields'>;

/** The server's name of each field. */
const NAMES: Readonly<Record<Simple, string>> = {
  hostname: 'hostname',
  port: 'port',
  description: 'description',
  interval: 'interval',
  retry_interval: 'retryInterval',
  retries: 'maxretries',
  resend_after: 'resendInterval',
  timeout: 'timeout',
  method: 'method',
  body: 'body',
  keyword: 'keyword',
  invert_keyword: 'invertKeyword',
  json_path: 'jsonPath',
  expected_value: 'expectedValue',
  accepted_codes: 'accepted_statuscodes',
  max_redirects: 'maxredirects',
  ignore_tls: 'ignoreTls',
  expiry_notification: 'expiryNotification',
  upside_down: 'upsideDown',
  dns_type: 'dns_resolve_type',
  dns_server: 'dns_resolve_server',
  connection_string: 'databaseConnectionString',
  query: 'databaseQuery',
};

/** What `fields` may set. Others have an input of their own, or would change another monitor. */
const MORE: ReadonlySet<string> = new Set([
  'authDomain',
  'authMethod',
  'authWorkstation',
  'cacheBust',
  'conditions',
  'docker_container',
  'docker_host',
  'domainExpiryNotification',
  'game',
  'gamedigGivenPortOnly',
  'grpcBody',
  'grpcEnableTls',
  'grpcMetadata',
  'grpcMethod',
  'grpcProtobuf',
  'grpcServiceName',
  'grpcUrl',
  'httpBodyEncoding',
  'ipFamily',
  'jsonPathOperator',
  'kafkaProducerBrokers',
  'kafkaProducerMessage',
  'kafkaProducerSsl',
  'kafkaProducerTopic',
  'mqttCheckType',
  'mqttPassword',
  'mqttSuccessMessage',
  'mqttTopic',
  'mqttUsername',
  'oauth_auth_method',
  'oauth_client_id',
  'oauth_client_secret',
  'oauth_scopes',
  'oauth_token_url',
  'packetSize',
  'proxyId',
  'rabbitmqNodes',
  'rabbitmqPassword',
  'rabbitmqUsername',
  'radiusCalledStationId',
  'radiusCallingStationId',
  'radiusPassword',
  'radiusSecret',
  'radiusUsername',
  'remote_browser',
  'smtpSecurity',
  'snmpOid',
  'snmpVersion',
  'system_service_name',
  'tlsCa',
  'tlsCert',
  'tlsKey',
]);

/** The given fields under the server's names. */
export function kumaFields({ headers, basic_auth, url, fields = {}, ...simple }: Fields): Record<string, unknown> {
  for (const name of Object.keys(fields)) if (!MORE.has(name)) throw unknownField(name);
  return {
    ...fields,
    ...Object.fromEntries(
      Object.entries(simple).flatMap(([name, value]) =>
        value === undefined ? [] : [[NAMES[name as Simple], value] as const],
      ),
    ),
    ...(url !== undefined && { url: fullUrl(url) }),
    ...(headers && { headers: JSON.stringify(headers) }),
    ...(basic_auth && {
      authMethod: 'basic',
      basic_auth_user: basic_auth.user,
      basic_auth_pass: basic_auth.password,
    }),
  };
}

function unknownField(name: string): AppError {
  const near = didYouMean(nearestNames(name, MORE), 'Other settings of a monitor have a parameter of their own.');
  return new AppError('invalid_input', `fields: "${shown(name)}" cannot be set. ${near}`);
}

/** People write `example.com`. */
export function fullUrl(given: string): string {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `https://${given}`;
  if (URL.canParse(full) && !/\s/.test(given)) return full;
  throw new AppError('invalid_input', `url: "${shown(given)}" is not a URL. Write https://example.com/path.`);
}

/** The kind of monitor that the given fields ask for. */
export function typeFor({ url, keyword, json_path, hostname, port, dns_type }: Fields): string {
  if (url !== undefined) return keyword === undefined ? (json_path === undefined ? 'http' : 'json-query') : 'keyword';
  if (hostname !== undefined) return port === undefined ? (dns_type === undefined ? 'ping' : 'dns') : 'port';
  throw new AppError(
    'invalid_input',
    'Say what to monitor: url for a website, hostname for a ping, hostname and port for a TCP port, or type.',
  );
}

const DATABASES = ['postgres', 'mysql', 'mongodb', 'redis', 'sqlserver'];

const NEEDED: ReadonlyMap<string, readonly (keyof Fields)[]> = new Map<string, readonly (keyof Fields)[]>([
  ['http', ['url']],
  ['keyword', ['url', 'keyword']],
  ['json-query', ['url', 'json_path', 'expected_value']],
  ['real-browser', ['url']],
  ['ping', ['hostname']],
  ['port', ['hostname', 'port']],
  ['dns', ['hostname']],
  ...DATABASES.map((type) => [type, ['connection_string']] as const),
]);

/** Throws if a new monitor of this type lacks what it needs. */
export function needFields(type: string, given: Fields): void {
  const missing = NEEDED.get(type)?.filter((name) => given[name] === undefined) ?? [];
  if (missing.length > 0)
    throw new AppError('invalid_input', `A monitor of the type ${type} also needs ${missing.join(' and ')}.`);
  if (
    given.url !== undefined &&
    ['http', 'keyword', 'json-query'].includes(type) &&
    !/^https?:/i.test(fullUrl(given.url))
  )
    throw new AppError(
      'invalid_input',
      `url must begin with http:// or https:// for the type ${type}. Databases have types of their own and take connection_string.`,
    );
}

/** A name for a monitor whose caller gave none. */
export function nameFor(type: string, { url, hostname, port }: Fields): string {
  if (url !== undefined) {
    const { host, pathname } = new URL(fullUrl(url));
    return `${host}${pathname.replace(/\/+$/, '')}`.slice(0, 150);
  }
  if (hostname !== undefined) return port === undefined ? hostname : `${hostname}:${port}`;
  throw new AppError('invalid_input', `Give the monitor of the type ${type} a name.`);
}

/** What the server's own form sends. Some columns may not be empty. */
export function newMonitor(type: string, isOld: boolean, interval: number): Record<string, unknown> {
  return {
    type,
    parent: null,
    method: 'GET',
    interval,
    retryInterval: interval,
    resendInterval: 0,
    maxretries: 0,
    timeout: timeoutFor(type, interval),
    ignoreTls: false,
    upsideDown: false,
    expiryNotification: false,
    maxredirects: 10,
    accepted_statuscodes: ['200-299'],
    dns_resolve_type: 'A',
    dns_resolve_server: '1.1.1.1',
    ...(type === 'dns' && { port: 53 }),
    docker_container: '',
    docker_host: null,
    proxyId: null,
    mqttUsername: '',
    mqttPassword: '',
    mqttTopic: '',
    mqttSuccessMessage: '',
    authMethod: null,
    oauth_auth_method: 'client_secret_basic',
    httpBodyEncoding: 'json',
    kafkaProducerBrokers: [],
    kafkaProducerSaslOptions: { mechanism: 'None' },
    kafkaProducerSsl: false,
    kafkaProducerAllowAutoTopicCreation: false,
    gamedigGivenPortOnly: true,
    // 1.23 has no columns for these.
    ...(!isOld && { conditions: [], rabbitmqNodes: [], ...(type === 'json-query' && { jsonPathOperator: '==' }) }),
  };
}

/** Seconds for one check: a ping may take 10, others most of the interval, as in the server's own form. */
export const timeoutFor = (type: string, interval: number): number =>
  type === 'ping' ? 10 : Math.max(1, Math.min(3600, Math.round(interval * 8) / 10));
