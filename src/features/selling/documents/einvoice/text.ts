/** On one line, without characters that XML does not allow. */
export const oneLine = (text: string | null | undefined): string =>
  (text ?? '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[\p{Cs}\uFFFE\uFFFF]/gu, '')
    .trim()

/** Null for a text without anything to read. */
export const textOrNull = (text: string | null | undefined): string | null => oneLine(text) || null
