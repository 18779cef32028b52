/**
 * The wire protocol: https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/. OP_MSG for everything;
 * OP_QUERY with OP_REPLY for the first `isMaster` or `hello` of a driver.
 */
import { deserialize, type Document, serialize } from 'bson';

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const MORE_TO_COME = 1 << 1;
const CHECKSUM = 1 << 0;

/** Larger messages are refused, as the server does: maxMessageSizeBytes. */
const MESSAGE_BYTES = 48_000_000;

export interface Request {
  readonly id: number;
  readonly isQuery: boolean;
  readonly command: Document;
  /** Whether the client waits for no answer. */
  readonly isOneWay: boolean;
}

/** Cuts what arrives into messages. Throws for what is none, such as the first bytes of TLS. */
export function framer(): (chunk: Buffer) => Buffer[] {
  let kept: Buffer = Buffer.alloc(0);
  /** Joined only when a message is complete: a large one arrives in hundreds of pieces. */
  let pieces: Buffer[] = [];
  let missing = 16;
  return (chunk) => {
    pieces.push(chunk);
    missing -= chunk.length;
    if (missing > 0) return [];
    kept = Buffer.concat([kept, ...pieces]);
    pieces = [];
    const messages: Buffer[] = [];
    while (kept.length >= 16) {
      const length = kept.readInt32LE(0);
      if (length < 16 || length > MESSAGE_BYTES) throw new Error(`a message of ${length} bytes`);
      if (kept.length < length) break;
      messages.push(kept.subarray(0, length));
      kept = kept.subarray(length);
    }
    missing = (kept.length < 16 ? 16 : kept.readInt32LE(0)) - kept.length;
    return messages;
  };
}

export function readRequest(message: Buffer): Request {
  const id = message.readInt32LE(4);
  const code = message.readInt32LE(12);
  if (code === OP_QUERY) {
    const name = message.indexOf(0, 20);
    const command = deserialize(message.subarray(name + 1 + 8));
    return { id, isQuery: true, isOneWay: false, command: { ...command, $db: 'admin' } };
  }
  if (code !== OP_MSG) throw new Error(`the operation ${code}`);
  const flags = message.readUInt32LE(16);
  const end = message.length - (flags & CHECKSUM ? 4 : 0);
  let command: Document | undefined;
  const sequences: Record<string, Document[]> = {};
  for (let at = 20; at < end; ) {
    const kind = message.readUInt8(at);
    const size = message.readInt32LE(at + 1);
    if (kind === 0) command = deserialize(message.subarray(at + 1, at + 1 + size), { promoteBuffers: false });
    else if (kind === 1) {
      const name = message.indexOf(0, at + 5);
      const list: Document[] = [];
      for (let from = name + 1; from < at + 1 + size; ) {
        const length = message.readInt32LE(from);
        list.push(deserialize(message.subarray(from, from + length)));
        from += length;
      }
      sequences[message.toString('utf8', at + 5, name)] = list;
    } else throw new Error(`a section of the kind ${kind}`);
    at += 1 + size;
  }
  if (!command) throw new Error('a message without a command');
  return { id, isQuery: false, isOneWay: (flags & MORE_TO_COME) !== 0, command: { ...command, ...sequences } };
}

export function answerTo({ id, isQuery }: Request, reply: Document): Buffer {
  const body = serialize(reply, { ignoreUndefined: true });
  const before = Buffer.alloc(isQuery ? 36 : 21);
  before.writeInt32LE(before.length + body.length, 0);
  before.writeInt32LE(id, 8);
  before.writeInt32LE(isQuery ? OP_REPLY : OP_MSG, 12);
  if (isQuery) {
    before.writeInt32LE(8, 16);
    before.writeInt32LE(1, 32);
  }
  return Buffer.concat([before, body]);
}
