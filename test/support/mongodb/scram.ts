/** SCRAM-SHA-256 as a server checks it: https://www.rfc-editor.org/rfc/rfc5802 and rfc7677. */
import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';

const ITERATIONS = 4096;

export interface User {
  readonly name: string;
  readonly password: string;
}

export interface Conversation {
  /** The answer to the client's first message. */
  readonly first: string;
  /** The answer to its last one. Throws if its proof is wrong. */
  finish(message: string): string;
}

export function beginScram(message: string, user: User): Conversation {
  const match = /^n,,(n=([^,]*),r=(.+))$/.exec(message);
  if (!match) throw new Error('malformed first message');
  const [, bare = '', name = '', clientNonce = ''] = match;
  const nonce = clientNonce + randomBytes(18).toString('base64');
  const salt = randomBytes(28);
  const first = `r=${nonce},s=${salt.toString('base64')},i=${ITERATIONS}`;
  return {
    first,
    finish(last) {
      const [withoutProof = '', proof = ''] = last.split(',p=');
      if (withoutProof !== `c=biws,r=${nonce}`) throw new Error('malformed last message');
      const isKnown = name.replaceAll('=2C', ',').replaceAll('=3D', '=') === user.name;
      const salted = pbkdf2Sync(user.password, salt, ITERATIONS, 32, 'sha256');
      const clientKey = hmac(salted, 'Client Key');
      const storedKey = createHash('sha256').update(clientKey).digest();
      const about = `${bare},${first},${withoutProof}`;
      const signature = hmac(storedKey, about);
      const given = Buffer.from(proof, 'base64');
      const wanted = Buffer.from(clientKey.map((byte, at) => byte ^ (signature[at] ?? 0)));
      if (!isKnown || given.length !== wanted.length || !timingSafeEqual(given, wanted))
        throw new Error('wrong user or password');
      return `v=${hmac(hmac(salted, 'Server Key'), about).toString('base64')}`;
    },
  };
}

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
