import { Count, Id, Instant, nullable, OneOf, optional, type Static, Text, Type } from '../../../core/define/schema.ts'
import { runsKeptDays } from '../../../core/values/kept-days.ts'
import { type Language, languages } from '../../../core/values/language.ts'
import { type DocumentType, documentTypes } from '../../../countries/country.ts'

const documentType = OneOf(...documentTypes)
const prefix = Type.String({
  maxLength: 20,
  pattern: '^[^\\p{Cc}]*$',
  examples: ['INV-'],
  description: 'Letters, the digits 0 to 9 and the characters - / . _ # with single spaces between them.',
})
const padding = Type.Integer({ minimum: 0, maximum: 12, description: 'Digits at least: 4 makes 0007 of 7.' })
/** The highest number that can be chosen. What is read may be above it. */
export const firstNumberMax = 999_999_999_999
const nextNumber = Type.Integer({
  minimum: 1,
  maximum: 999_999_999_999_999,
  description:
    'The number of the next document. It can be chosen before the first one is issued, up to 999999999999, to continue the numbers of another system. Later a higher one is refused, and a lower one, which was read earlier, changes nothing.',
})
const numberedWith = Type.Unsafe<DocumentType>({
  ...documentType,
  description:
    'Present if the law of the country gives both types the same title: they share one running number, that of this type.',
})

/** The numbering of a document type. */
const Numbering = Type.Object({ documentType, prefix, padding, nextNumber, numberedWith: Type.Optional(numberedWith) })

export const SalesTaxRate = Type.Object({
  state: Type.String({ pattern: '^[A-Z]{2}$', examples: ['TX'], description: 'The code of a state (USPS).' }),
  rate: Type.Number({ minimum: 0, maximum: 100, examples: [8.25], description: 'Percent.' }),
  since: Type.String({ maxLength: 40, examples: ['2026-01-01'], description: 'The day from which the rate applies.' }),
})
export type SalesTaxRate = Static<typeof SalesTaxRate>

const chosen = {
  senderName: nullable(
    Type.String({ maxLength: 200, description: 'Whom mail comes from; the organization unless given.' }),
  ),
  defaultTaxRate: nullable(
    Type.Number({ minimum: 0, maximum: 100, description: 'Percent on new documents; that of the country if null.' }),
  ),
  requireApproval: Type.Boolean({
    description: 'Nobody approves an expense that they entered themselves; another MANAGER does.',
  }),
  expenseApprovalAbove: nullable(
    Type.Number({
      minimum: 0,
      description:
        'With requireApproval: only above this amount, in the currency of the organization. Null: for every expense.',
    }),
  ),
  logoFileId: nullable(Id),
  language: Type.Unsafe<Language>({ type: 'string', enum: languages, description: 'Of mail and documents.' }),
  lockedUntil: nullable(
    Type.String({
      maxLength: 40,
      examples: ['2026-01-31'],
      description:
        'The last day of the locked period: nothing dated on or before it is added, changed or voided. A MANAGER sets it or moves it forward, up to today; an OWNER moves it back or removes it.',
    }),
  ),
  digest: Type.Boolean({ description: 'Whether its notifications may be in the e-mail digests of its members.' }),
  clearOnIssue: Type.Boolean({
    description:
      'Whether documents that need an allocation number are submitted to the tax authority when they are issued.',
  }),
  automationRunsKeptDays: Type.Integer({
    minimum: 30,
    maximum: 3_650,
    description: 'How many days a run of an automation is kept after its end, with its steps and deliveries.',
  }),
  salesTaxRates: Type.Array(SalesTaxRate, {
    maxItems: 500,
    description:
      'The states in which the organization collects sales tax, with its rates (United States). The sales-tax report compares documents with them. All rows are replaced.',
  }),
}

export const Caps = Type.Object({ automationsMax: Count, scansPerMonth: Count, emailsPerHour: Count })

export const Settings = Type.Object({
  id: Type.String({ description: 'The organization.' }),
  ...chosen,
  numbering: Type.Array(Numbering, { maxItems: documentTypes.length }),
  plan: Text,
  caps: Caps,
  updatedAt: nullable(Instant),
})
export type Settings = Static<typeof Settings>

export const SettingsChanges = Type.Object({
  id: Id,
  ...optional({
    ...chosen,
    numbering: Type.Array(Type.Object({ documentType, ...optional({ prefix, padding, nextNumber, numberedWith }) }), {
      maxItems: documentTypes.length,
    }),
  }),
})
export type SettingsChanges = Static<typeof SettingsChanges>

/** The limits of each plan. */
export const capsOf = (_plan: string): Static<typeof Caps> => ({
  automationsMax: 5,
  scansPerMonth: 100,
  emailsPerHour: 100,
})

/** The settings of an organization that has never changed them. */
export const defaultSettings = {
  senderName: null, defaultTaxRate: null, requireApproval: false, expenseApprovalAboveMinor: null, logoFileId: null,
  digest: true, clearOnIssue: false, automationRunsKeptDays: runsKeptDays, salesTaxRates: [] as SalesTaxRate[], plan: 'FREE',
  lockedUntil: null, updatedAt: null,
} as const // biome-ignore format: a list of words
