/**
 * Text from people as one line: without line breaks, control characters and marks that change the direction of the text
 * after them. A longer text is cut, visibly.
 */
export function toLine(text: string, charactersMax = 200): string {
  const letters = [...text.replace(unsafeCharacters, ' ').replace(/\s+/g, ' ').trim()]
  return letters.length > charactersMax ? `${letters.slice(0, charactersMax - 1).join('')}…` : letters.join('')
}

const unsafeCharacters = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu
