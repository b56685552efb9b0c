import { isCountry, toCountryCode } from '../../../../../core/values/country-names.ts'
import type { Then } from '../understood.ts'
import { emailOf, type Input, type Intent, type Missing, missing, onRecord } from './intent.ts'
import type { Said } from './said.ts'

const search =
  (kind: 'customer' | 'supplier' | 'item' | 'employee') =>
  (said: Said): Input | Missing => {
    const words = said.slots.emails[0]?.text ?? said.name(kind)
    return words === undefined ? {} : { search: words }
  }

/** "New customers this year" are those of a time, and no name is asked for. */
const isNew = ({ has, period }: Said): boolean =>
  period?.from !== undefined && has('create', 'created', 'last', 'first', 'howMany')

const newcomers = (said: Said): Input | Missing => (isNew(said) ? {} : search('customer')(said))

/** The newest so many, where no time is said. */
const newest = ({ slots: { order, counts } }: Said): Then =>
  order === 'newest' || order === 'oldest' ? { order, ...(counts.first !== undefined && { first: counts.first }) } : {}

const joined = (said: Said): Then =>
  isNew(said)
    ? { ...(said.period?.from && { from: said.period.from }), ...(said.period?.to && { to: said.period.to }) }
    : newest(said)

/** E-mail, phone and number of a company, as the sentence says them. */
function details(said: Said): Input {
  const { slots } = said
  const [email] = slots.emails
  const [phone] = slots.phones
  return { ...(email && { email: emailOf(said) }), ...(phone && { phone: phone.text }) }
}

/** The name that is no country: ספק חדש טאן לוגיסטיקה, מלזיה. */
function nameBesideCountry(said: Said, kind: 'customer' | 'supplier'): string | undefined {
  const name = said.name(kind)
  if (name === undefined || !isPlace(name)) return name
  return said.slots.names(kind).find((other) => !isPlace(other)) ?? name
}

/** A country, also without its first letter, which looks like "from" in מלזיה. */
const isPlace = (name: string): boolean => isCountry(toCountryCode(name)) || isCountry(toCountryCode(`מ${name}`))

/** "New customer Blue Ocean, Singapore": a country that is named beside the name, or that of the organization. */
function countryOf({ text, around }: Said, name: string): string {
  const parts = text.replace(name, ',').split(/[,;()]|\s(?:from|in|based in|country:?)\s|\s(?:מדינה:?|מדינת)\s/iu)
  return parts.map((part) => toCountryCode(part.trim())).find((code) => isCountry(code)) ?? around.country
}

function newCustomer(said: Said): Input | Missing {
  const name = wholeName(said, nameBesideCountry(said, 'customer'))
  return name === undefined ? missing('name') : { name, country: countryOf(said, name), ...details(said) }
}

/** After a colon, a comma or "named" a name has no letter before it: לקוח: מאפיית השקד. */
function wholeName({ text }: Said, name: string | undefined): string | undefined {
  const at = name === undefined ? -1 : text.indexOf(name)
  const isCut = at > 0 && /([:,]|בשם|שנקרא|שנקראת|לקוח|ספק|לקוחה|חדש|חדשה)\s+[מלב]$/.test(text.slice(0, at))
  return isCut ? text.slice(at - 1, at) + name : name
}

function newSupplier(said: Said): Input | Missing {
  const name = wholeName(said, nameBesideCountry(said, 'supplier'))
  if (name === undefined) return missing('name')
  return {
    name: name.replace(termsWords, '').trim() || name,
    country: countryOf(said, name),
    ...details(said),
    ...terms(said),
  }
}

/** Net 45, 30 days, שוטף 60: within how many days their invoices are paid. */
function terms({ text, slots: { durations } }: Said): Input {
  const told = durations.find(({ isTerms }) => isTerms) ?? (/\bterms?\b|תנאי/i.test(text) ? durations[0] : undefined)
  return told === undefined ? {} : { paymentTermsDays: told.days }
}

const termsWords = /\s*\b(payment )?terms?\b.*$|\s*\bnet$|\s*שוטף.*$|\s*תנאי.*$/iu

/** What is to be changed of a customer or supplier: only what the sentence gives. */
const changes =
  (kind: 'customer' | 'supplier') =>
  (said: Said): Input | Missing => {
    const record = said.target(kind)
    const changed = { ...details(said), ...(kind === 'supplier' && terms(said)) }
    if (record === undefined) return missing(kind)
    return Object.keys(changed).length === 0 ? missing('value') : { id: record, ...changed }
  }

const namesOne = (kind: 'customer' | 'supplier') => (said: Said) =>
  said.name(kind) !== undefined || said.slots.emails.length > 0
const isNamed = (said: Said) => said.target('customer') !== undefined

// biome-ignore format: a table
export const peopleIntents: Intent[] = [
  { name: 'customers', tool: 'customers_list', words: ['customer +last +created +active +howMany +find -supplier -create -top -owed -unpaid', 'customer create +last +created'],
    if: (said) => said.has('list', 'howMany', 'last', 'which', 'who', 'all', 'find') || said.tokens.length < 4, input: newcomers, isWhole: true, result: joined },
  { name: 'find-customer', tool: 'customers_list', words: ['find customer +fromMail +account', 'find +customer +send -@sales -expense -item -employee -supplier -stock -member -mailbox -payslip -order -bank -automation -settings -organization'],
    if: namesOne('customer'), bonus: () => 0.6, input: search('customer'), isWhole: true },
  { name: 'find-customer', tool: 'customers_list', words: ['fromMail|send +which +customer +find -@sales -expense -item -employee -supplier -statement -payslip -order -automation -receipt'], if: (said) => said.isAsking && said.name('customer') !== undefined && /\b(e-?mail|mail)( address)?\b.*\b(for|of)\b|'s e-?mail/i.test(said.text), bonus: () => 1, input: search('customer'), isWhole: true },
  { name: 'customer-recipients', tool: 'customers_recipients', words: ['recipient +customer +@sales +who +send +sentState -create -delete', 'recipient @sales +customer +fromMail +send'], input: onRecord('customer'), isWhole: true },
  { name: 'add-recipient', tool: 'customers_recipients_post', words: ['create recipient +customer +send'], isWhole: true, bonus: () => 1,
    input: (said) => {
      const customer = said.target('customer')
      const [email] = said.slots.emails
      if (!email) return missing('email')
      return customer === undefined ? missing('customer') : { id: customer, email: emailOf(said) }
    } },
  { name: 'create-customer', tool: 'customers_create', words: ['create customer +find +send -@sales -supplier -order'], input: newCustomer, isWhole: true },
  { name: 'change-customer', tool: 'customers_update_patch', words: ['change customer +find +send +fromMail +create', 'change find|send|fromMail +customer +fromMail -@sales -supplier -item -employee -role -member -expense -stock'], if: isNamed, input: changes('customer'), isWhole: true },
  { name: 'delete-customer', tool: 'customers_delete', words: ['delete customer -recipient -@sales -order'], input: onRecord('customer'), isWhole: true },
  { name: 'suppliers', tool: 'suppliers_list', words: ['supplier +last +created +active +howMany +find -customer -create -top -owed -expense'], input: search('supplier'), isWhole: true },
  { name: 'find-supplier', tool: 'suppliers_list', words: ['find supplier +fromMail +send'], bonus: () => 0.6, if: namesOne('supplier'), input: search('supplier'), isWhole: true },
  { name: 'create-supplier', tool: 'suppliers_create', words: ['create supplier +find +send -expense -order -purchaseOrder'], input: newSupplier, isWhole: true },
  { name: 'change-supplier', tool: 'suppliers_update_patch', words: ['change supplier +find +send +fromMail'], bonus: () => 1, input: changes('supplier'), isWhole: true },
  { name: 'change-supplier', tool: 'suppliers_update_patch', words: ['change settings|dueSoon|payment +supplier +payment'], if: (said) => !said.isAsking && said.name('supplier') !== undefined && /\bterms?\b|\bnet\b|תנאי|שוטף/i.test(said.text), bonus: () => 2, input: changes('supplier'), isWhole: true },
  { name: 'change-supplier', tool: 'suppliers_update_patch', words: ['change +supplier +payment +settings +dueSoon'], if: (said) => !said.isAsking && said.name('supplier') !== undefined && 'paymentTermsDays' in terms(said) && /\bnet \d|שוטף/i.test(said.text), bonus: () => 2, input: changes('supplier'), isWhole: true },
  { name: 'delete-supplier', tool: 'suppliers_delete', words: ['delete supplier -expense -order'], input: onRecord('supplier'), isWhole: true },
]
