import { normalized } from './normalized.ts';

/** Latin spellings of letters that Unicode does not decompose. Those it does (é, å) need no entry. */
const TABLE = new Map(
  `ä ae ö oe ü ue ß ss æ ae œ oe ø o ł l đ d ð d þ th ı i ŋ ng ħ h ŧ t ſ s ə e
а a б b в v г g ґ g д d е e ё yo є ye ж zh з z и i і i ї yi й y к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch
ш sh щ shch ъ _ ы y ь _ э e ю yu я ya ў u ђ dj ј j љ lj њ nj ћ c џ dz
α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o`
    .split(/\s+/)
    .reduce<[string, string][]>((pairs, part, index) => {
      if (index % 2 === 0) pairs.push([part, '']);
      else (pairs.at(-1) as [string, string])[1] = part === '_' ? '' : part;
      return pairs;
    }, []),
);

const spelt = (text: string): string =>
  text.replaceAll(/\P{ASCII}/gu, (letter) => {
    const small = letter.toLowerCase();
    const written = TABLE.get(small);
    if (written === undefined) return letter;
    return small === letter ? written : written.charAt(0).toUpperCase() + written.slice(1);
  });

/**
 * Spells a name with letters, digits, `_` and `-`. `lost` says whether it had letters that cannot be spelled, such as
 * Chinese.
 */
export function inLatin(name: string): { text: string; lost: boolean } {
  const plain = spelt(normalized(spelt(normalized(name, 'NFC')), 'NFKD').replaceAll(/\p{M}/gu, ''));
  const text = plain.replaceAll(/[^A-Za-z0-9_-]+/g, '_').replaceAll(/^[_-]+|[_-]+$/g, '');
  return { text, lost: /[^\P{L}A-Za-z]|[^\P{N}0-9]/u.test(plain) };
}
