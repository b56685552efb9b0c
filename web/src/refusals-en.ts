type Params = Record<string, string | number>

/**
 * English sentences instead of the server's, where those name fields as the API does, or speak of requests and versions. They stand
 * beside a field, or after its name.
 */
export const englishRefusals: Record<string, string | ((params: Params) => string | undefined)> = {
  EMPTY: 'This is needed.',
  REQUIRED: 'This is needed.',
  FORM: 'This is not in one of the possible forms.',
  FORMAT: ({ format }) =>
    format === 'email' || format === 'email-or-empty'
      ? 'This is not an e-mail address.'
      : format === 'date'
        ? 'This is not a day.'
        : format === 'date-time'
          ? 'This is not a day with a time.'
          : format === 'uri'
            ? 'This is not a web address.'
            : undefined,
  NOT_ALLOWED: 'This is not one of the possible values.',
  NOT_A_MULTIPLE: ({ of }) => `This must be a multiple of ${of}.`,
  REPEATED_ENTRY: 'The same value is there twice.',
  TOO_FEW: ({ min }) => `Too few: at least ${min}.`,
  TOO_LARGE: ({ max, below }) =>
    max === undefined ? `This must be less than ${below}.` : `Too large: at most ${max}.`,
  TOO_LONG: ({ max }) => `Too long: at most ${max} characters.`,
  TOO_MANY: ({ max }) => `Too many: at most ${max}.`,
  TOO_SHORT: ({ min }) => `Too short: at least ${min} characters.`,
  TOO_SMALL: ({ min, above }) =>
    min === undefined ? `This must be more than ${above}.` : `Too small: at least ${min}.`,
  TYPE: ({ types }) =>
    /number|integer/.test(String(types)) ? 'This must be a number.' : 'This is of another kind than needed.',
  UNKNOWN_FIELD: 'There is no such field here.',
  VERSION_CONFLICT: ({ changedBy }) =>
    `${changedBy || 'Somebody else'} changed this meanwhile. Load it again, and repeat your change.`,
  IDEMPOTENCY_IN_PROGRESS: 'This is still being carried out. Wait a moment.',
  IDEMPOTENCY_KEY_REUSED: 'This was sent before with other values. Look whether it was done, before you repeat it.',
  ANSWER_TOO_LARGE: 'This was done already. Load the page again to see it.',
  SECRET_SHOWN: 'This was done already, and its secret is shown only once.',
  RATE_LIMIT: 'Too many requests. Try again in a moment.',
  STORAGE_FULL: 'There is no space left on the server. Nothing was saved.',
  UNAVAILABLE: 'The service cannot answer now. Nothing was lost: try again in a moment.',
}
