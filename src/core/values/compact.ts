// An identifier in the form in which it is compared: in capital letters, without spaces, hyphens and the invisible marks
// that are copied along with Hebrew text.
export const compact = (text: string): string => text.replace(/[\s\p{Cf}\p{Pd}]/gu, '').toUpperCase()
