import type { IncomingHttpHeaders } from 'node:http';
import { AppError, type ErrorCode } from '../../../kernel/errors.ts';
import { textOf } from './xml.ts';

const SECTION = 'backups.s3';

/** Where requests go, for messages. */
export interface Spot {
  /** `S3 at host:port`. */
  readonly at: string;
  readonly bucket: string;
}

export interface Refused {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** At most its beginning. */
  readonly body: string;
  /** For example `write`. */
  readonly doing: string;
}

/** S3 answered, but not with what was asked for. */
export class S3Error extends AppError {
  readonly status: number;
  /** The code in S3's answer, for example NoSuchKey; empty if it has none. */
  readonly s3Code: string;

  constructor(code: ErrorCode, message: string, status: number, s3Code: string) {
    super(code, message);
    this.status = status;
    this.s3Code = s3Code;
  }

  /** Whether the same request may succeed a moment later. */
  get isPassing(): boolean {
    return (this.status >= 500 && this.status !== 501) || this.status === 429 || PASSING.has(this.s3Code);
  }
}

/** Codes with other status than 5xx. The last three: the content was damaged on its way. */
const PASSING = new Set([
  'SlowDown',
  'RequestTimeout',
  'OperationAborted',
  'InternalError',
  'BadDigest',
  'IncompleteBody',
  'XAmzContentSHA256Mismatch',
]);

/** Says what to do about an answer. Never quotes the signature or the key, which S3 repeats in some answers. */
export function refusal(spot: Spot, { status, headers, body, doing }: Refused): S3Error {
  const { at, bucket } = spot;
  const isXml = body.trimStart().startsWith('<') && textOf(body, 'Error') !== undefined;
  const code = (isXml && textOf(body, 'Code')) || '';
  const made = (kind: ErrorCode, text: string) => new S3Error(kind, `${at} ${text}`, status, code);

  switch (code) {
    case 'NoSuchKey':
    case 'NoSuchUpload':
      return made('not_found', `has no such object in ${bucket}.`);
    case 'NoSuchBucket':
      return made('unavailable', `has no bucket "${bucket}". Create it, or correct ${SECTION}.bucket.`);
    case 'InvalidAccessKeyId':
      return made('unavailable', `does not know this access key. Correct ${SECTION}.accessKeyId.`);
    case 'SignatureDoesNotMatch':
      return made(
        'unavailable',
        `refuses the signature. Correct ${SECTION}.secretAccessKey; if it is right, a proxy on the way changes the path or the Host header.`,
      );
    case 'ExpiredToken':
    case 'InvalidToken':
    case 'TokenRefreshRequired':
      return made('unavailable', `says that the session token is not valid any more. Renew ${SECTION}.sessionToken.`);
    case 'RequestTimeTooSkewed':
      return made('unavailable', `has another time: ${skew(headers)}. Set the clock of this machine.`);
    case 'AccessDenied':
    case 'AllAccessDisabled':
    case 'AccountProblem':
      return made(
        'unavailable',
        `does not allow this key to ${doing} in the bucket "${bucket}". Allow it s3:ListBucket on the bucket, and s3:GetObject, s3:PutObject, s3:DeleteObject and s3:AbortMultipartUpload on its objects.`,
      );
    case 'SlowDown':
    case 'TooManyRequests':
      return made('rate_limited', 'asks for fewer requests. Try again later.');
    case 'QuotaExceeded':
    case 'XMinioStorageFull':
    case 'XMinioAdminBucketQuotaExceeded':
    case 'InsufficientStorage':
      return made('unavailable', `has no room left in "${bucket}". Free some, or lower ${SECTION}.keep.`);
    case 'NotImplemented':
      return made('unavailable', `does not support a request to ${doing}. Remove ${SECTION}.encryption if it is set.`);
    default:
  }
  const isElsewhere = code === 'AuthorizationHeaderMalformed' || (status >= 300 && status < 400);
  const region = (isXml && namedRegion(body)) || (isElsewhere && asRegion(headers['x-amz-bucket-region'])) || undefined;
  if (region !== undefined || isElsewhere) {
    const where = region === undefined ? 'another region' : `the region ${region}`;
    return made('unavailable', `expects ${where} for "${bucket}". Correct ${SECTION}.region, and ${SECTION}.endpoint.`);
  }
  if (isXml) return made('unavailable', `refused to ${doing}: ${said(code, body)} (HTTP ${status}).`);
  // Answers without a body: S3 has none for some requests.
  if (body.trim() === '' && status === 404) return made('not_found', `has no such object in ${bucket}.`);
  if (body.trim() === '' && status === 403)
    return made('unavailable', `does not allow this key to ${doing} in the bucket "${bucket}".`);
  return made('unavailable', `${notS3(headers)} (HTTP ${status}). ${NOT_S3}`);
}

const NOT_S3 = `Check that ${SECTION}.endpoint leads to the S3 API, not to its web console or to a page of a proxy.`;

/** The answer says that all went well, but it is not S3's. */
export const strange = ({ at }: Spot, { headers, status }: Pick<Refused, 'headers' | 'status'>): S3Error =>
  new S3Error('unavailable', `${at} ${notS3(headers)}. ${NOT_S3}`, status, '');

function notS3(headers: IncomingHttpHeaders): string {
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(headers['content-type'] ?? '')?.[0];
  return `answered with something else than S3 does${type === undefined ? '' : ` (${type})`}`;
}

/** S3's own words, short. */
function said(code: string, body: string): string {
  const message = (textOf(body, 'Message') ?? '').replaceAll(/\s+/g, ' ').slice(0, 200);
  return [code.slice(0, 60), message].filter((text) => text !== '').join(': ') || 'it gave no reason';
}

/** S3 names it where the request belongs to another one. */
const namedRegion = (body: string): string | undefined =>
  asRegion(textOf(body, 'Region')) ?? /expecting '([\w-]{1,40})'/.exec(body.slice(0, 2000))?.[1];

const asRegion = (text: unknown): string | undefined =>
  typeof text === 'string' && /^[\w-]{1,40}$/.test(text) ? text : undefined;

function skew({ date }: IncomingHttpHeaders): string {
  const minutes = Math.round(Math.abs(Date.parse(date ?? '') - Date.now()) / 60_000);
  return Number.isNaN(minutes) ? 'the difference is too large' : `it differs by ${minutes} minutes`;
}
