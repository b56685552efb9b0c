import type { Detail, Refused } from './api.ts'
import type { englishRefusals } from './refusals-en.ts'
import type { hebrewRefusals } from './refusals-he.ts'
import { capital, type Language } from './words.ts'

let english: typeof englishRefusals = {}
let hebrew: typeof hebrewRefusals = {}

/** Brings the sentences of a language before the first refusal; most English ones come from the server. */
export async function loadRefusals(lang: Language): Promise<void> {
  if (lang === 'he') hebrew = (await import('./refusals-he.ts')).hebrewRefusals
  else english = (await import('./refusals-en.ts')).englishRefusals
}

type NameOfField = (lang: Language, name: string) => string
let nameOfField: NameOfField | undefined

/** How fields are called to people, for a refusal of one that is not in sight. It is handed over once it is loaded. */
export function nameFields(by: NameOfField) {
  nameOfField = by
}

type Told = { code?: string; message: string; params?: Record<string, string | number>; path?: string }

/**
 * What a person is told about a refusal, in their language: by code where there are words for it, else as the server says it,
 * without what is meant for programs. The sentence about one detail stands beside its field; that of a whole refusal begins with
 * the name of the field, if it is about one.
 */
export function refusal(lang: Language, told: Told & { details?: readonly Detail[] }): string {
  const [first] = told.details ?? []
  if (!first || !isOfField(first)) return sentence(lang, told)
  const sentences = (told.details ?? [])
    .filter(isOfField)
    .map((each) => [fieldIn(lang, each.path), sentence(lang, each)].filter(Boolean).join(': '))
  return [...new Set(sentences)].slice(0, sentencesMax).join(' ')
}
const sentencesMax = 3

/** Whether it is about the value of a field alone, so that its sentence says nothing without the name of the field. */
const isOfField = ({ code = '', path }: Detail) => path !== '' && ofFields.has(code)

/** Codes of values that do not fit the schema of the input; the server writes the raw name of the field before the sentence. */
export const ofFields: ReadonlySet<string> = new Set([
  'EMPTY', 'FORM', 'FORMAT', 'NOT_ALLOWED', 'NOT_A_MULTIPLE', 'REPEATED_ENTRY', 'REQUIRED', 'TOO_FEW', 'TOO_LARGE',
  'TOO_LONG', 'TOO_MANY', 'TOO_SHORT', 'TOO_SMALL', 'TYPE', 'UNKNOWN_FIELD',
]) // biome-ignore format: a list of words

function sentence(lang: Language, { code = '', message, params = {}, path = '' }: Told): string {
  const text = (lang === 'he' ? hebrew : english)[code]
  return (typeof text === 'function' ? text(params) : text) ?? plainly(message, path)
}

/** `lines.0.unitPrice` is “Unit price”. */
function fieldIn(lang: Language, path: string): string {
  const name = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? ''
  return nameOfField?.(lang, name) ?? (lang === 'en' ? capital(spaced(name)) : '')
}

/** A sentence of the server without names and addresses of the API. What is about requests as such is said in general. */
function plainly(message: string, path: string): string {
  if (/Idempotency-Key|If-Match|\bETag\b/i.test(message))
    return 'This cannot be done as things stand. Load the page again.'
  const bare = path !== '' && message.startsWith(`${path} `) ? capital(message.slice(path.length + 1)) : message
  return bare.replace(asides, '').replace(/\b[a-z]+(?:[A-Z][a-z0-9]*)+\b/g, spaced)
}
/** ` (registrationNumber or taxNumber)`, ` (POST /api/…)`, `: PATCH /api/… with …`. */
const asides =
  / \((?:[a-z]+[A-Z]\w*(?:(?:, | or )[a-z]+[A-Z]\w*)*|(?:GET|POST|PUT|PATCH|DELETE) \/api\/[^)]*)\)|: (?:POST|PUT|PATCH|DELETE) \/api\/[^.]*/g

const spaced = (name: string) => name.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase()

/** The sentence of whatever went wrong with a request. */
export const problemText = (lang: Language, error: Error): string =>
  'code' in error ? refusal(lang, error as Refused) : error.message
