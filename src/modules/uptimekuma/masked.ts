import { own } from '../../kernel/own.ts';
import { redactNamed } from '../../kernel/redact.ts';

const GONE = '[redacted]';

/** Credentials in URLs, and parameters of URLs whose name sounds like a secret. For texts that are not long. */
export const maskedText = (text: string): string =>
  text
    .replace(/(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^/\s"'@]+@/gi, `$1${GONE}@`)
    .replace(/([?&][\w.%-]{0,80}=)[^&\s"']+/g, (whole, name: string) =>
      /token|key|secret|passw|pwd|auth|sig|credential/i.test(name) ? `${name}${GONE}` : whole,
    );

/** Fields whose name does not show that they may hold a secret. */
const SECRET: ReadonlySet<string> = new Set([
  'basic_auth_pass',
  'body',
  'databaseConnectionString',
  'gamedigToken',
  'grpcBody',
  'grpcMetadata',
  'kafkaProducerMessage',
  'kafkaProducerSaslOptions',
  'mqttPassword',
  'oauth_client_secret',
  'pushToken',
  'radiusPassword',
  'radiusSecret',
  'rabbitmqPassword',
  'tlsKey',
]);

/** Shown elsewhere, derived, or a link with a token. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'childrenIDs',
  'dns_last_result',
  'forceInactive',
  'id',
  'includeSensitiveData',
  'name',
  'notificationIDList',
  'path',
  'pathName',
  'screenshot',
  'tags',
  'type',
  'weight',
]);

/** Every monitor has the fields of every type. These belong to one. */
const OF_TYPE: readonly (readonly [fields: RegExp, types: RegExp])[] = [
  [/^dns_/, /^dns$/],
  [/^mqtt/, /^mqtt$/],
  [/^(?:gamedig|game$)/, /^(?:gamedig|steam)$/],
  [/^snmp/, /^snmp$/],
  [/^ntp/, /^ntp$/],
  [/^(?:ping_|packetSize$)/, /^(?:ping|tailscale-ping)$/],
  [/^kafka/, /^kafka-producer$/],
  [/^radius/, /^radius$/],
  [/^grpc/, /^grpc/],
  [/^rabbitmq/, /^rabbitmq$/],
  [/^smtp/, /^smtp$/],
  [/^(?:screenshot_delay|remote_browser)$/, /^real-browser$/],
  [
    /^(?:method|maxredirects|accepted_statuscodes|httpBodyEncoding|saveResponse|saveErrorResponse|responseMaxLength)$/,
    /^(?:http|keyword|json-query|real-browser|websocket-upgrade)$/,
  ],
];

const isOfType = (field: string, { type, authMethod }: Readonly<Record<string, unknown>>): boolean =>
  field.startsWith('oauth_')
    ? authMethod === 'oauth2-cc'
    : OF_TYPE.every(([fields, types]) => !fields.test(field) || types.test(String(type)));

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0);

/** The settings of a monitor that are set and belong to its type, without secrets. Of headers, the names are shown. */
export function maskedSettings(monitor: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(monitor)
      .filter(([name, value]) => !LEFT_OUT.has(name) && !isEmpty(value) && isOfType(name, monitor))
      .map(([name, value]) => [name, shownField(name, value)]),
  );
}

function shownField(name: string, value: unknown): unknown {
  if (name === 'headers') return headersShown(value);
  if (SECRET.has(name)) return GONE;
  return own(redactNamed({ [name]: value }, maskedText) as Record<string, unknown>, name);
}

function headersShown(value: unknown): unknown {
  try {
    const headers = JSON.parse(String(value)) as Record<string, unknown>;
    return Object.fromEntries(Object.keys(headers).map((name) => [name, GONE]));
  } catch {
    return GONE;
  }
}
