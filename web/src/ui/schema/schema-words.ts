import { bringFor, type Language, words } from '../../words.ts'
import { englishChoices, englishLabels } from './schema-en.ts'

let hebrew: typeof import('./schema-he.ts') | undefined
await bringFor('he', async () => {
  hebrew = await import('./schema-he.ts')
})

export const schemaWords = words(
  {
    optional: 'optional',
    more: (n: string) => `${n} more fields`,
    less: 'Fewer fields',
    add: 'Add',
    addTo: (list: string) => `Add to ${list.toLowerCase()}`,
    remove: (name: string) => `Remove ${name}`,
    clear: (name: string) => `Clear ${name}`,
    element: (name: string, n: number) => `${name} ${n}`,
    key: 'Name',
    value: 'Value',
    yes: 'Yes',
    no: 'No',
    none: '–',
    json: 'Text, or JSON for anything else.',
    missing: 'This is needed.',
    low: 'Low',
    open: 'Open',
    toExpense: 'Open the expense',
  },
  {
    optional: 'לא חובה',
    more: (n) => `${n} שדות נוספים`,
    less: 'פחות שדות',
    add: 'הוספה',
    addTo: (list) => `הוספה אל ${list}`,
    remove: (name) => `הסרת ${name}`,
    clear: (name) => `ניקוי ${name}`,
    element: (name, n) => `${name} ${n}`,
    key: 'שם',
    value: 'ערך',
    yes: 'כן',
    no: 'לא',
    none: '–',
    json: 'טקסט, או JSON לכל דבר אחר.',
    missing: 'שדה חובה.',
    low: 'מעט',
    open: 'פתיחה',
    toExpense: 'פתיחת ההוצאה',
  },
)

/** The name of a field as people say it: `bankAccountId` is “Bank account”. */
export function labelOf(lang: Language, name: string): string {
  const bare = name.replace(/(?<=.)Ids?$/, '')
  const known = lang === 'he' ? (hebrew?.hebrewLabels[name] ?? hebrew?.hebrewLabels[bare]) : englishLabels[name]
  return known ?? sentence(bare)
}

/** A value of a list of choices: `BANK_TRANSFER` is “Bank transfer”. */
export function choiceOf(lang: Language, value: string): string {
  const known = (lang === 'he' ? hebrew?.hebrewChoices : englishChoices)?.[value]
  if (known) return known
  return /^[A-Z][A-Z0-9_]{3,}$|^[A-Z]+_[A-Z0-9_]+$/.test(value) ? sentence(value.toLowerCase()) : value
}

function sentence(name: string): string {
  const spaced = name
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .trim()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}
