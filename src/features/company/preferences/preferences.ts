import { nullable, OneOf, optional, type Static, Type } from '../../../core/define/schema.ts'
import { languages } from '../../../core/values/language.ts'

const screensMax = 100
const columnsMax = 60
const hintsMax = 300
const organizationsMax = 100
const othersMax = 100

const Name = Type.String({ pattern: '^[^\\u0000-\\u001f\\u007f]{1,100}$', examples: ['documents'] })
const Widths = Type.Record(Name, Type.Integer({ minimum: 16, maximum: 4_000 }), {
  maxProperties: columnsMax,
  additionalProperties: false,
})

const FirstSteps = Type.Object({
  dismissed: Type.Boolean({ description: 'Whether the person has closed the checklist.' }),
  done: Type.Array(Name, { maxItems: 30, description: 'The steps that the person has ticked off.' }),
})

const otherTypes = ['string', 'number', 'boolean']
const Other = Type.Unsafe<string | number | boolean>({ type: otherTypes, maxLength: 500 })
const OtherOrNull = Type.Unsafe<string | number | boolean | null>({ type: [...otherTypes, 'null'], maxLength: 500 })

const chosen = {
  language: OneOf(...languages),
  theme: OneOf('SYSTEM', 'LIGHT', 'DARK'),
  keyboardLetters: Type.Boolean({ description: 'Whether single letters are shortcuts (WCAG 2.1.4).' }),
  dismissedHints: Type.Array(Name, { maxItems: hintsMax, description: 'The hints that are not shown again.' }),
}

/** How a person wants the app to look and behave. */
export const Preferences = Type.Object({
  ...chosen,
  columnWidths: Type.Record(Type.String(), Widths, { description: 'By screen and column, in pixels.' }),
  firstSteps: Type.Record(Type.String(), FirstSteps, { description: 'The checklist of first steps, by organization.' }),
  other: Type.Record(Type.String(), Other, { description: 'Anything else that the app remembers.' }),
})
export type Preferences = Static<typeof Preferences>

const removable = ' Only the given entries change; null removes one.'

export const PreferenceChanges = Type.Object(
  optional({
    ...chosen,
    columnWidths: Type.Record(Name, nullable(Widths), {
      maxProperties: screensMax,
      additionalProperties: false,
      description: `By screen and column, in pixels.${removable}`,
      examples: [{ documents: { number: 120 } }],
    }),
    firstSteps: Type.Record(Name, nullable(FirstSteps), {
      maxProperties: organizationsMax,
      additionalProperties: false,
      description: `The checklist of first steps, by organization.${removable}`,
      examples: [{ '0193f7a0-0000-7000-8000-000000000000': { dismissed: false, done: ['logo'] } }],
    }),
    other: Type.Record(Name, OtherOrNull, {
      maxProperties: othersMax,
      additionalProperties: false,
      description: `Anything else that the app remembers.${removable}`,
      examples: [{ sidebar: 'closed' }],
    }),
  }),
)
export type PreferenceChanges = Static<typeof PreferenceChanges>

/** What is stored: everything but the language, which is a column of the person. */
export type StoredPreferences = Partial<Omit<Preferences, 'language'>>

const defaults = {
  theme: 'SYSTEM', keyboardLetters: true, dismissedHints: [], columnWidths: {}, firstSteps: {}, other: {},
} as const // biome-ignore format: a list of words

export const toPreferences = (language: Preferences['language'], stored: unknown): Preferences => ({
  ...defaults,
  dismissedHints: [],
  ...(stored as StoredPreferences | null),
  language,
})

/** How many entries each map may have. */
const entriesMax = { columnWidths: screensMax, firstSteps: organizationsMax, other: othersMax }
type MapName = keyof typeof entriesMax

export const fullMap = (preferences: StoredPreferences): MapName | undefined =>
  (Object.keys(entriesMax) as MapName[]).find((name) => Object.keys(preferences[name] ?? {}).length > entriesMax[name])

/** The stored preferences with the changes: plain values are replaced, maps entry by entry. */
export function merged(
  stored: StoredPreferences,
  { language: _, columnWidths, firstSteps, other, ...values }: PreferenceChanges,
): StoredPreferences {
  return {
    ...stored,
    ...values,
    ...(columnWidths && { columnWidths: mergedMap(stored.columnWidths, columnWidths) }),
    ...(firstSteps && { firstSteps: mergedMap(stored.firstSteps, firstSteps) }),
    ...(other && { other: mergedMap(stored.other, other) }),
  }
}

function mergedMap<T>(before: Record<string, T> | undefined, changes: Record<string, T | null>): Record<string, T> {
  const entries = Object.entries({ ...before, ...changes }).filter((entry): entry is [string, T] => entry[1] !== null)
  return Object.fromEntries(entries)
}
