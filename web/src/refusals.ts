import type { Refused } from './api.ts'
import type { hebrewRefusals } from './refusals-he.ts'
import type { Language } from './words.ts'

let hebrew: typeof hebrewRefusals = {}

/** Brings the sentences of a language before the first refusal; English ones come from the server. */
export async function loadRefusals(lang: Language): Promise<void> {
  if (lang === 'he') hebrew = (await import('./refusals-he.ts')).hebrewRefusals
}

type Params = Record<string, string | number>

/** The sentence of a refusal in the reader's language: by code where there are words for it, else as the server says it. */
export function refusal(
  lang: Language,
  { code, message, params }: Pick<Refused, 'code' | 'message'> & { params?: Params },
): string {
  const known = lang === 'he' ? hebrew[code] : undefined
  return typeof known === 'function' ? known(params ?? {}) : (known ?? message)
}

/** The sentence of whatever went wrong with a request. */
export const problemText = (lang: Language, error: Error): string =>
  'code' in error ? refusal(lang, error as Refused) : error.message
