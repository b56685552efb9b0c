import { words } from '../words.ts'

type Names = { registration: string; tax: string; taxHint: string }

/** What the two numbers of an organization are called where it is registered. */
const byCountry = words(
  {
    IL: {
      registration: 'Company, partnership or identity number',
      tax: 'VAT dealer number',
      taxHint:
        'Needed only if it differs from the number above, or for an authorised dealer. An exempt dealer has none.',
    },
    SG: {
      registration: 'UEN',
      tax: 'GST registration number',
      taxHint: 'Leave it empty if the organization is not registered for GST.',
    },
    US: {
      registration: 'State registration number',
      tax: 'EIN',
      taxHint: 'Printed on documents. Never a social security number.',
    },
  } as Record<string, Names>,
  {
    IL: {
      registration: 'ח.פ., מספר שותפות או ת.ז.',
      tax: 'מספר עוסק מורשה',
      taxHint: 'רק אם הוא שונה מהמספר שלמעלה, או לעוסק מורשה. לעוסק פטור אין.',
    },
    SG: { registration: 'UEN', tax: 'מספר רישום GST', taxHint: 'השאירו ריק אם הארגון אינו רשום ל־GST.' },
    US: { registration: 'מספר רישום במדינה', tax: 'EIN', taxHint: 'מודפס על מסמכים. לא מספר ביטוח לאומי.' },
  },
)
const elsewhere = words({ registration: 'Registration number', tax: 'Tax number', taxHint: '' } as Names, {
  registration: 'מספר רישום',
  tax: 'מספר לצורכי מס',
  taxHint: '',
})
/** What the one number of a customer is called in their country. */
const ofCustomers = words(
  { IL: 'Company or identity number', SG: 'UEN', US: 'EIN or registration number' } as Record<string, string>,
  { IL: 'ח.פ., ע.מ. או ת.ז.', SG: 'UEN', US: 'EIN או מספר רישום' },
)

/** Doubts about numbers, by the code of the server's warning. */
const doubts: Record<string, string> = {
  REGISTRATION_NUMBER: 'מספר הרישום אינו נראה תקין. השוו אותו לתעודה.',
  TAX_NUMBER: 'מספר העוסק אינו נראה תקין. השוו אותו לתעודה.',
}
export const numberDoubt = (lang: 'en' | 'he', { code, message }: { code: string; message: string }): string =>
  (lang === 'he' && doubts[code]) || message

export const numberNames = (lang: 'en' | 'he', country: string): Names => byCountry[lang][country] ?? elsewhere[lang]
export const customerNumberName = (lang: 'en' | 'he', country: string): string =>
  ofCustomers[lang][country] ?? elsewhere[lang].registration
