/** Why a program ended, where its last words tell: no exit code says this. */
export type EndCode = 'PACKAGE_NOT_FOUND' | 'SETTING_MISSING';

/** Reads the last words of a program once, so that nobody else has to parse them. The code is like an errno. */
export function causeOfEnd(lastWords: string): (Error & { code: EndCode }) | undefined {
  if (/\b(npm|E404|404 Not Found)\b/.test(lastWords)) return withCode('PACKAGE_NOT_FOUND');
  if (/API[_ ]?KEY|TOKEN|credential|environment variable|unauthorized/i.test(lastWords))
    return withCode('SETTING_MISSING');
  return undefined;
}

function withCode(code: EndCode): Error & { code: EndCode } {
  return Object.assign(new Error(code), { code });
}
