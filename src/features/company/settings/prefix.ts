const seen = String.raw`(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}0-9\-/._#])`
const pattern = new RegExp(`^(?:${seen}+(?: ${seen}+)*)?$`, 'u')

/**
 * Whether a new prefix has only characters that are seen, so that two different numbers also look different. The database
 * says the same (is_number_prefix); a test compares both.
 */
export const isNumberPrefix = (prefix: string) => pattern.test(prefix) && prefix === prefix.normalize('NFKC')

export const prefixSentence =
  'A prefix consists of letters, the digits 0 to 9 and the characters - / . _ # with single spaces between them.'
