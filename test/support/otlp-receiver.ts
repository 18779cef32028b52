/**
 * A collector for OTLP over HTTP, as JSON and as protobuf, which it decodes from the published definitions
 * (opentelemetry/proto/trace/v1/trace.proto and related files).
 */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  traceState: string;
  name: string;
  /** 1 internal, 2 server, 3 client. */
  kind: number;
  start: bigint;
  end: bigint;
  attributes: Record<string, unknown>;
  /** 0 unset, 2 error. */
  status: number;
  message: string;
  resource: Record<string, unknown>;
  scope: string;
}

export interface OtlpReceiver extends AsyncDisposable {
  readonly url: string;
  readonly spans: ReceivedSpan[];
  readonly requests: { path: string; headers: IncomingHttpHeaders }[];
  /** Everything it received, as text. */
  raw(): string;
  /** The status it answers with from now on; 200 by default. */
  answer(status: number): void;
}

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const requests: OtlpReceiver['requests'] = [];
  let raw = '';
  let status = 200;
  const server = createServer((request, response) => {
    void buffer(request).then((sent) => {
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      requests.push({ path: request.url ?? '', headers: request.headers });
      raw += body.toString('latin1');
      const json = request.headers['content-type'] === 'application/json';
      if (status === 200) spans.push(...(json ? fromJson(body) : fromProtobuf(body)));
      response.writeHead(status, { 'content-type': json ? 'application/json' : 'application/x-protobuf' });
      response.end(json ? '{}' : '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    raw: () => raw,
    answer(next) {
      status = next;
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

type Field = { varint?: bigint; fixed?: bigint; bytes?: Buffer };
type Fields = Map<number, Field[]>;

/** One protobuf message: field number -> its values in order. */
function fieldsOf(bytes: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error('The message ends within a number');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const field: Field = {};
    const wire = Number(tag & 7n);
    if (wire === 0) field.varint = varint();
    else if (wire === 1) {
      field.fixed = bytes.readBigUInt64LE(at);
      at += 8;
    } else if (wire === 5) {
      field.fixed = BigInt(bytes.readUInt32LE(at));
      at += 4;
    } else if (wire === 2) {
      const length = Number(varint());
      if (at + length > bytes.length) throw new Error('The message ends within a field');
      field.bytes = bytes.subarray(at, at + length);
      at += length;
    } else throw new Error(`There is no wire type ${wire}`);
    const number = Number(tag >> 3n);
    fields.set(number, [...(fields.get(number) ?? []), field]);
  }
  return fields;
}

const messages = (fields: Fields, number: number): Fields[] =>
  (fields.get(number) ?? []).map(({ bytes }) => fieldsOf(bytes as Buffer));
const bytesOf = (fields: Fields, number: number): Buffer => fields.get(number)?.[0]?.bytes ?? Buffer.alloc(0);
const textOf = (fields: Fields, number: number): string => bytesOf(fields, number).toString('utf8');

function attributesOf(fields: Fields, number: number): Record<string, unknown> {
  return Object.fromEntries(
    messages(fields, number).map((pair) => {
      const [value = new Map() as Fields] = messages(pair, 2);
      if (value.has(1)) return [textOf(pair, 1), textOf(value, 1)];
      if (value.has(3)) return [textOf(pair, 1), Number(BigInt.asIntN(64, value.get(3)?.[0]?.varint ?? 0n))];
      return [textOf(pair, 1), value.get(2)?.[0]?.varint === 1n];
    }),
  );
}

function fromProtobuf(body: Buffer): ReceivedSpan[] {
  return messages(fieldsOf(body), 1).flatMap((ofResource) => {
    const resource = messages(ofResource, 1).map((fields) => attributesOf(fields, 1))[0] ?? {};
    return messages(ofResource, 2).flatMap((ofScope) => {
      const scope = messages(ofScope, 1).map((fields) => textOf(fields, 1))[0] ?? '';
      return messages(ofScope, 2).map((span) => {
        const [status = new Map() as Fields] = messages(span, 15);
        return {
          traceId: bytesOf(span, 1).toString('hex'),
          spanId: bytesOf(span, 2).toString('hex'),
          traceState: textOf(span, 3),
          parentSpanId: bytesOf(span, 4).toString('hex'),
          name: textOf(span, 5),
          kind: Number(span.get(6)?.[0]?.varint ?? 0n),
          start: span.get(7)?.[0]?.fixed ?? 0n,
          end: span.get(8)?.[0]?.fixed ?? 0n,
          attributes: attributesOf(span, 9),
          message: textOf(status, 2),
          status: Number(status.get(3)?.[0]?.varint ?? 0n),
          resource,
          scope,
        };
      });
    });
  });
}

type JsonPairs = { key: string; value: { stringValue?: string; intValue?: number | string; boolValue?: boolean } }[];

interface JsonSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: JsonPairs;
  status: { code: number; message?: string };
}

interface JsonRequest {
  resourceSpans: {
    resource: { attributes: JsonPairs };
    scopeSpans: { scope: { name: string }; spans: JsonSpan[] }[];
  }[];
}

function fromJson(body: Buffer): ReceivedSpan[] {
  const pairs = (given: JsonPairs) =>
    Object.fromEntries(
      given.map(({ key, value }) => [
        key,
        value.stringValue ?? value.boolValue ?? (value.intValue === undefined ? undefined : Number(value.intValue)),
      ]),
    );
  return (JSON.parse(body.toString('utf8')) as JsonRequest).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) =>
      spans.map(({ parentSpanId = '', traceState = '', attributes, status, ...span }) => ({
        ...span,
        parentSpanId,
        traceState,
        start: BigInt(span.startTimeUnixNano),
        end: BigInt(span.endTimeUnixNano),
        attributes: pairs(attributes),
        status: status.code,
        message: status.message ?? '',
        resource: pairs(resource.attributes),
        scope: scope.name,
      })),
    ),
  );
}
