/** Up to the first period that ends a sentence: one before a space and a capital letter, or at the end. */
export const firstSentence = (text: string): string => /^.*?[.](?=\s+[A-Z]|$)/su.exec(text)?.[0] ?? text
