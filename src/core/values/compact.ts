// A number as it is compared: without spaces, hyphens and the invisible marks that come along when text is copied out of
// Hebrew, in capital letters.
export const compact = (text: string): string => text.replace(/[\s\p{Cf}\p{Pd}]/gu, '').toUpperCase()
