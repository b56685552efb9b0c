import type { Then } from '../understood.ts'
import { dayOf, emailOf, type Input, type Intent, type Missing, missing, organization } from './intent.ts'
import type { Said } from './said.ts'

const roles: readonly (readonly [RegExp, string])[] = [
  [/\bowner\b|בעלים/i, 'OWNER'], [/\b(manager|admin|administrator)\b|מנהל/i, 'MANAGER'], [/\b(contributor|editor|bookkeeper)\b|עורך|עורכת|תורם|מנהלת חשבונות|מנהל חשבונות/i, 'CONTRIBUTOR'],
  [/\b(viewer|accountant|read[- ]only)\b|צופה|צפייה|רואה חשבון|רואת חשבון|רו"ח|רו״ח/i, 'VIEWER'], [/\bemployee\b|עובד/i, 'EMPLOYEE'],
] // biome-ignore format: a table

const roleOf = ({ text }: Said): string | undefined => roles.find(([words]) => words.test(text))?.[1]

function changeRole(said: Said): Input | Missing {
  const member = memberOf(said)
  const role = roleOf(said)
  if (member === undefined) return missing('member')
  return role === undefined ? missing('role') : { id: organization, userId: member, role }
}

const memberOf = (said: Said) => {
  const [email] = said.slots.emails
  if (email) return { $named: 'member', words: emailOf(said) ?? email.text }
  const member = said.target('member')
  return typeof member === 'object' ? { ...member, words: member.words.replace(fromCompany, '').trim() } : member
}

/** "Remove Dana from the company". */
const isFromCompany = (said: Said): boolean => fromCompany.test(said.text) && said.target('member') !== undefined

const fromCompany = /\bfrom (the |our )?(company|team|organi[sz]ation|business|books)\b|מה(חברה|צוות|ארגון|עסק|מערכת)/i

const endsAccess = /\b(access|permissions?)\b|הרשא|גישה/i

const removeMember = (said: Said): Input | Missing => {
  const member = memberOf(said)
  return member === undefined ? missing('member') : { id: organization, userId: member }
}

/** What happened to which kind of record: "who deleted the invoice" is invoices_delete. */
function audited(said: Said): Input {
  const { has } = said
  const things: [boolean, string, string, string][] = [
    [has('expense'), 'expenses_delete_delete', 'expenses_create', 'expenses_update_patch_2'],
    [has('customer'), 'customers_delete', 'customers_create', 'customers_update_patch'],
    [has('supplier'), 'suppliers_delete', 'suppliers_create', 'suppliers_update_patch'],
    [has('automation'), 'automations_delete', 'automations_create', 'automations_update'],
    [has('settings', 'vat', 'tax', 'lock'), '', '', 'settings_update'],
    [has('role'), '', '', 'users_member_update'],
    [has('item'), 'logistics_items_delete', 'logistics_items_create', 'logistics_items_update_patch'],
    [has('order'), 'orders_delete', 'orders_create', 'orders_update_patch'],
    [
      has('invoice', 'document', 'receipt', 'request', 'draftState'),
      'invoices_delete',
      'invoices_create',
      'invoices_update',
    ],
  ]
  const [, deleted, created, changed] = things.find(([isMeant]) => isMeant) ?? []
  if (/approve|אישר/i.test(said.text)) return has('expense') ? { operation: 'expenses_status', ...expenseOf(said) } : {}
  const operation = has('deleted') ? deleted : has('created') ? created : has('changed') ? changed : undefined
  return { ...(operation && { operation }), ...changedBy(said) }
}

/** "The expense from Staples": what happened to that one. */
function expenseOf(said: Said): Input {
  const vendor = said.name('supplier')
  return vendor === undefined ? {} : { objectId: { $named: 'expense', words: vendor } }
}

const did = `(?:change|changed|edit|delete|update|touch|do|create|add|modify)`

/** "What did Tom change", מה שינה תומר: what this person did. */
function changedBy({ text }: Said): Input {
  const name =
    new RegExp(String.raw`\bwhat (?:did|has) (?<name>\p{L}+(?: \p{Lu}\p{L}+)?) ${did}`, 'iu').exec(text)?.groups
      ?.name ??
    /\b(?:changes|changed|edits|done|deleted) (?:made )?by (?<name>\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?)/u.exec(text)?.groups
      ?.name ??
    /מה (?:שינה|שינתה|עדכן|עדכנה|מחק|מחקה|ערך|ערכה) (?<name>[א-ת]{2,})/u.exec(text)?.groups?.name
  return name === undefined || /^(we|i|you|they|he|she|it|anyone|someone)$/i.test(name)
    ? {}
    : { userId: { $named: 'member', words: name } }
}

/** Whether the sentence asks what a person changed. */
const asksOfPerson = (said: Said): boolean => 'userId' in changedBy(said)

function settings(said: Said): Input | Missing {
  const [percent] = said.slots.rates.percents
  if (percent && said.has('vat', 'tax')) return { id: organization, defaultTaxRate: percent.value }
  const language = /\b(hebrew)\b|לעברית|עברית/i.test(said.text)
    ? 'he'
    : /\benglish\b|אנגלית/i.test(said.text)
      ? 'en'
      : undefined
  return language ? { id: organization, language } : missing('value')
}

/** "What is our VAT rate", מה אחוז המע"מ אצלנו. */
const isRate = ({ text, slots, has }: Said): boolean =>
  has('vat', 'tax') && slots.periods.length === 0 && /\b(rate|percentage|percent)\b|אחוז|שיעור/i.test(text)

const lock = (said: Said): Input => ({ id: organization, lockedUntil: said.period?.to ?? dayOf(said) })

/** "Our phone number", הכתובת של העסק. */
const isOwn = ({ text }: Said): boolean =>
  /\b(our|my|company|business|organi[sz]ation)('s)?\b.{0,20}\b(phone|telephone|address|e-?mail|name|tax number|registration number)\b|(טלפון|כתובת|מייל|דוא"ל|שם).{0,12}(שלנו|שלי|העסק|החברה|הארגון)/i.test(
    text,
  )

function changedOrganization(said: Said): Input | Missing {
  const { slots, text } = said
  const [phone] = slots.phones
  const [email] = slots.emails
  if (phone) return { id: organization, phone: phone.text }
  if (email) return { id: organization, email: emailOf(said) ?? email.text }
  const to = /\bto:?\s+(.{2,200})$|\sל-?\s?([^\s].{2,200})$|:\s*(.{2,200})$/iu.exec(ownEnd(text))
  const value = (to?.[1] ?? to?.[2] ?? to?.[3])?.trim().replace(/^["'“״]|["'”״]$/g, '')
  if (value === undefined) return missing('value')
  if (/address|כתובת/i.test(text)) return { id: organization, address: value }
  return /\bname\b|שם/i.test(text) ? { id: organization, name: value } : missing('value')
}

/** What stands behind "our address" and the like, so that "to" before it is no part of the value. */
const ownEnd = (text: string): string =>
  / .*?(?:phone|address|e-?mail|name|העסק|החברה|הארגון|שלנו|שלי)(?: number)?(?=\s)(.*)$/iu.exec(` ${text}`)?.[1] ?? text

/** "What happened in my inbox yesterday": the runs of that time. */
const ranThen = ({ period }: Said): Then => ({
  ...(period?.from && { from: period.from }),
  ...(period?.to && { to: period.to }),
})

const ofOrganization = { id: organization }

// biome-ignore format: a table
export const companyIntents: Intent[] = [
  { name: 'audit', tool: 'organizations_audit', words: ['audit +changed +who +last', 'history organization', 'who deleted|changed|created +@sales +customer +supplier +expense +item +order +automation +settings +role +draftState +payment +draft +delete +change +approved +vat +tax +exchangeRate +lock +bank +find', 'changed which +settings +@sales +customer +expense +who', 'changed when|last +settings +@sales +customer +expense', 'change when|last +settings +last', 'who approved +expense +@sales', 'who approve +expense +supplier', 'who approved expense +supplier'],
    if: ({ text, has }) => has('audit') || (has('history') && has('organization')) || /\bwho\b|\bwhen\b|\blast change|מתי|\bwhat (was|has been) (changed|done)|\bwhat('s| has)? changed|what did|^מי|מי |מה (השתנה|שונה|שינו)/i.test(text), bonus: () => 1, input: audited },
  { name: 'audit', tool: 'organizations_audit', words: ['+changed +change +deleted +delete +created +create +howMuch +which +who +settings +last +list'], if: (said) => asksOfPerson(said) && said.has('changed', 'change', 'deleted', 'delete', 'created', 'create'), bonus: () => 4, input: changedBy },
  { name: 'members', tool: 'users_members', words: ['member +who +role +find +howMany -create -invite -delete -change', 'who member'], input: ofOrganization, isWhole: true },
  { name: 'invitations', tool: 'users_invitations', words: ['invitation +pending +member +open', 'pending invite|invitation'], input: ofOrganization, isWhole: true },
  { name: 'remove-member', tool: 'users_member_delete', words: ['delete member +role', 'delete +member +organization'], input: removeMember, isWhole: true, if: (said) => said.has('member') || said.slots.emails.length > 0 || isFromCompany(said) },
  { name: 'remove-member', tool: 'users_member_delete', words: ['delete|cancel|void|disable role|member +role +member'], input: removeMember, isWhole: true, bonus: () => 1, if: (said) => !said.isAsking && endsAccess.test(said.text) },
  { name: 'change-role', tool: 'users_member_update', words: ['change role|member +role +employee', 'create role +member', 'change +role +member', 'export|delete role +member'], input: changeRole, isWhole: true, if: (said) => roleOf(said) !== undefined && (said.has('role', 'member') || /\b(make|promote|demote)\b|תהפוך|תעשה|הפוך/i.test(said.text)) },
  { name: 'change-role', tool: 'users_member_update', words: ['convert +role +member +employee', 'generate +role +member', 'revenue +member +role'], input: changeRole, isWhole: true, bonus: () => 1, if: (said) => roleOf(said) !== undefined && said.slots.amounts.length === 0 && /\b(make)\b|תהפוך|תעשה|הפוך/i.test(said.text) && !said.isAsking },
  { name: 'change-role', tool: 'users_member_update', words: ['role +member +list'], input: changeRole, isWhole: true, bonus: () => 2, if: (said) => !said.isAsking && roleOf(said) !== undefined && said.slots.emails.length > 0 && /\b(give|grant)\b|(^|\s)(תן|תני|תנו|לתת)\s/i.test(said.text) },
  { name: 'settings', tool: 'settings_get', words: ['settings +vat +tax +exchangeRate +organization +list +payment +invoice -change', 'lock +settings +when', 'vat|tax which settings', 'vat|tax +which +exchangeRate +howMuch'], bonus: (said) => (isRate(said) || said.has('settings') ? 1.5 : 0), input: ofOrganization, isWhole: true, if: (said) => (!said.has('lockBooks') || said.has('lock')) && !said.has('changed') && (said.has('settings', 'lock') || isRate(said)) },
  { name: 'change-settings', tool: 'settings_update', words: ['change settings +vat +tax +exchangeRate', 'change vat|tax +settings +exchangeRate', 'change +settings'], input: settings, isWhole: true, if: (said) => said.has('settings') || said.slots.rates.percents.length > 0 || /language|שפה/i.test(said.text) },
  { name: 'lock-books', tool: 'settings_update', words: ['lockBooks +lock +account +journal +close', 'lock change|close'], input: lock, isWhole: true, bonus: () => 1, if: ({ period, isAsking }) => period !== undefined && !isAsking },
  { name: 'change-organization', tool: 'organizations_update', words: ['change find|send|organization +organization +find +send +fromMail +settings -customer -supplier -employee -item -@sales'], if: (said) => !said.isAsking && isOwn(said), bonus: () => 2, input: changedOrganization, isWhole: true },
  { name: 'organization', tool: 'organizations_get', words: ['organization +find -history'], input: ofOrganization, isWhole: true },
  { name: 'tax-authority', tool: 'integrations_tax_authority', words: ['taxAuthority connect|active|inactive|failed|settings|link +connect +vat +organization', 'taxAuthority which|list|find', 'taxAuthority'], input: ofOrganization, isWhole: true,
    if: ({ has }) => !has('submit', 'send', 'statutory') },
  { name: 'mailboxes', tool: 'integrations_email_settings', words: ['mailbox +connect +active +failed +find +who -scan -test -mailRun', 'mailbox connect'], if: ({ has }) => !has('connect') || has('list', 'which', 'active', 'all'), isWhole: true },
  { name: 'mailbox-runs', tool: 'integrations_fetch_logs', words: ['mailRun +mailbox +last +failed +when +run +why', 'mailbox run|history|failed|scanned|scan +when +last +why +scan +run +mailRun', 'when mailbox +scan +scanned +last', 'receipt|expense mailbox|fromMail failed', 'mailbox revenue|payment|record|receivedState|receive|list +expense +receipt +invoice +create +last +which +howMany'], bonus: () => 0.5, isWhole: true,
    if: ({ has, isAsking, period }) => has('scan') ? isAsking || has('last', 'when', 'failed', 'list') : has('mailRun', 'run', 'history', 'failed', 'scanned', 'when') || (isAsking && (period !== undefined || has('revenue', 'record', 'receive'))), result: ranThen },
  { name: 'test-mailbox', tool: 'integrations_email_settings_test', words: ['test mailbox +connect +mailRun'], isWhole: true, input: (said) => ({ id: said.target('connection') ?? { $named: 'connection', words: '' } }) },
  { name: 'imports', tool: 'organizations_imports', words: ['import +last +customer +supplier +item +employee +find -create'], isWhole: true },
]
