/**
 * Replaces characters that cannot be printed. A character that no font contains would be an empty box, which PDF/A
 * forbids: it becomes a question mark. Joining and modifying characters are removed.
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

/** Line breaks, zero-width spaces and direction marks. */
const invisible = /[\n\u200b\u200e\u200f\u2066-\u2069]/

/** Tabs, other line breaks and spaces of any width. */
const space = /\s/

/** Controls, joiners, variation selectors, skin tones, tags and other characters without a shape of their own. */
const joining = /[\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Co}\p{Cs}\p{EMod}]/u
