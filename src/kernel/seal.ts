import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';
import { AppError } from './errors.ts';

const IV = 12;
const TAG = 16;

/**
 * Encrypts stored data (AES-256-GCM). `about` is authenticated too, so text moved to another place cannot be opened.
 */
export function createSeal(secret: Buffer) {
  // Made once: from bytes, Node makes one for each text, which costs more than encrypting a short one.
  const key = createSecretKey(secret);
  return {
    seal(text: string, about: string): string {
      const iv = randomBytes(IV);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(about));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
    },
    open(sealed: string, about: string): string {
      const bytes = Buffer.from(sealed, 'base64url');
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV))
          .setAAD(Buffer.from(about))
          .setAuthTag(bytes.subarray(IV, IV + TAG));
        return Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]).toString('utf8');
      } catch (cause) {
        throw new AppError(
          'internal',
          `Cannot decrypt the stored data of ${about}: it was altered, or sluice.key is not the key it was encrypted with.`,
          { cause },
        );
      }
    },
  };
}

export type Seal = ReturnType<typeof createSeal>;
