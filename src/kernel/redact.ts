/** Removes known secrets from text that is about to be logged, recorded or shown. Very short values would hide everything. */
export function createRedactor(secrets: () => readonly string[]): (text: string) => string {
  return (text) => {
    let clean = text;
    // One secret may begin another: the longer goes first, or its rest would stay.
    for (const secret of [...secrets()].sort((a, b) => b.length - a.length)) {
      if (secret.length >= 6) clean = clean.replaceAll(secret, '[redacted]');
    }
    return clean;
  };
}
