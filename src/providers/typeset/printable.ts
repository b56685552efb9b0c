/**
 * Text without what cannot be printed. A character that no font has would be an empty box, which PDF/A forbids: it becomes
 * a question mark, and one that only joins or varies others goes.
 */
export function toPrintable(text: string, isKnown: (code: number) => boolean): string {
  let printable = ''
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (isKnown(code) || invisible.test(character)) printable += character
    else if (space.test(character)) printable += ' '
    else if (!joining.test(character)) printable += '?'
  }
  return printable
}

/** Line ends, places to break at, and what says which way text runs. */
const invisible = /[\n\u200b\u200e\u200f\u2066-\u2069]/

/** Tabs, line ends of other systems and spaces of every width keep words apart. */
const space = /\s/

/** Controls, joiners, variation selectors, skin tones, tags and whatever else has no shape of its own. */
const joining = /[\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Co}\p{Cs}\p{EMod}]/u
