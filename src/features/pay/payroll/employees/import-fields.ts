import type { Field } from '../../../../core/tables/field.ts'
import { factFields } from '../stored-facts.ts'

// The fields of an import of employees: those of the person, the bank account, and the facts that pay is computed from.

const languages = { en: ['english', 'אנגלית'], he: ['hebrew', 'עברית'], both: ['bilingual', 'דו לשוני'] }
const accountTypes = { CHECKING: ['current'], SAVINGS: ['saving'] }

const person: readonly Field[] = [
  { name: 'name', type: 'TEXT', maxLength: 1_000, required: true, headers: ['name', 'full name', 'employee', 'employee name', 'שם', 'שם מלא', 'שם עובד', 'שם העובד', 'עובד'] },
  { name: 'startDate', type: 'DAY', required: true, headers: ['start date', 'started', 'hire date', 'date of joining', 'joined', 'תאריך תחילת עבודה', 'תחילת עבודה', 'תחילת העסקה'] },
  { name: 'monthlyWage', type: 'DECIMAL', min: 0, max: 1e9, required: true, headers: ['monthly wage', 'wage', 'salary', 'monthly salary', 'basic salary', 'שכר', 'שכר חודשי', 'משכורת'] },
  { name: 'endDate', type: 'DAY', headers: ['end date', 'leaving date', 'last day', 'תאריך סיום עבודה', 'סיום עבודה', 'סיום העסקה'] },
  { name: 'employeeNumber', type: 'TEXT', maxLength: 200, headers: ['employee number', 'employee no', 'employee id', 'staff number', 'מספר עובד', 'מס עובד'] },
  { name: 'idNumber', type: 'TEXT', maxLength: 200, headers: ['id number', 'identity number', 'national id', 'nric', 'fin', 'nric/fin', 'ssn', 'social security number', 'תעודת זהות', 'ת.ז.', 'מספר זהות'] },
  { name: 'jobTitle', type: 'TEXT', maxLength: 200, headers: ['job title', 'title', 'position', 'designation', 'תפקיד'] },
  { name: 'email', type: 'EMAIL', headers: ['email', 'e-mail address', 'mail', 'email address', 'דוא"ל', 'דואל', 'אימייל', 'מייל'] },
  { name: 'phone', type: 'TEXT', maxLength: 200, headers: ['phone', 'phone number', 'telephone', 'mobile', 'טלפון', 'נייד', 'טלפון נייד'] },
  { name: 'address', type: 'TEXT', maxLength: 1_000, headers: ['address', 'home address', 'כתובת', 'כתובת מלאה'] },
  { name: 'notes', type: 'TEXT', headers: ['notes', 'note', 'comments', 'remarks', 'הערות', 'הערה'] },
  { name: 'payslipLanguage', type: 'CHOICE', choices: languages, headers: ['payslip language', 'language', 'שפת תלוש', 'שפה'] },
] // biome-ignore format: a field each

const bank: readonly Field[] = [
  { name: 'bankName', type: 'TEXT', maxLength: 200, headers: ['bank', 'bank name', 'בנק', 'שם בנק', 'שם הבנק'] },
  { name: 'bankCode', type: 'TEXT', maxLength: 200, headers: ['bank code', 'bank number', 'קוד בנק', 'מספר בנק'] },
  { name: 'branchCode', type: 'TEXT', maxLength: 200, headers: ['branch', 'branch code', 'bank branch', 'סניף', 'מספר סניף', 'קוד סניף'] },
  { name: 'accountNumber', type: 'TEXT', maxLength: 200, headers: ['account', 'account number', 'account no', 'bank account', 'חשבון', 'מספר חשבון', 'חשבון בנק'] },
  { name: 'accountName', type: 'TEXT', maxLength: 200, headers: ['account name', 'account holder', 'שם חשבון', 'בעל החשבון'] },
  { name: 'accountType', type: 'CHOICE', choices: accountTypes, headers: ['account type', 'סוג חשבון'] },
  { name: 'iban', type: 'TEXT', maxLength: 200, headers: ['iban'] },
  { name: 'swiftCode', type: 'TEXT', maxLength: 200, headers: ['swift', 'swift code', 'bic', 'swift/bic'] },
  { name: 'routingNumber', type: 'TEXT', maxLength: 200, headers: ['routing number', 'aba', 'aba number'] },
] // biome-ignore format: a field each

export const bankFields = bank.map(({ name }) => name)

type Schema = { type?: string; enum?: readonly string[]; minimum?: number; exclusiveMinimum?: number; maximum?: number }

/** A fact as a column: its header is its name in words, such as "birth date". */
function factField(name: string, schema: Schema): Field {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  const headers = [words]
  if (schema.enum) {
    const choices = Object.fromEntries(schema.enum.map((each) => [each, [each.toLowerCase().replaceAll('_', ' ')]]))
    return { name, type: 'CHOICE', headers, choices }
  }
  if (schema.type === 'boolean') return { name, type: 'YES_NO', headers }
  if (schema.type === 'string')
    return name === 'state' ? { name, type: 'TEXT', maxLength: 2, headers } : { name, type: 'DAY', headers }
  const { exclusiveMinimum, minimum = (exclusiveMinimum ?? 0) + 1e-6, maximum } = schema
  const limits = { min: minimum, ...(maximum !== undefined && { max: maximum }) }
  return { name, type: schema.type === 'integer' ? 'INTEGER' : 'DECIMAL', headers, ...limits }
}

const facts = Object.entries(factFields).map(([name, schema]) => factField(name, schema as Schema))

/** Of these facts the record has a number, which the reader gives as text. */
export const numericFields = new Set(
  [...person, ...facts].filter(({ type }) => type === 'DECIMAL' || type === 'INTEGER').map(({ name }) => name),
)

export const employeeFields: readonly Field[] = [...person, ...bank, ...facts]
