import { groupedIban } from '../../../core/values/bank-identifiers.ts'
import { compact } from '../../../core/values/compact.ts'
import { daysBetween } from '../../../core/values/day.ts'
import { formatAmount, formatDay, formatNumber } from '../../../core/values/format.ts'
import { type Content, html, Markup } from '../../../core/values/html.ts'
import type { Language } from '../../../core/values/language.ts'
import { minorDigits } from '../../../core/values/money.ts'
import { englishOf } from '../../../countries/countries.ts'
import type { PublicView } from '../../../features/selling/documents/public-page/view.ts'
import { type Assets, page } from '../page.ts'
import { conversation } from './thread.ts'
import { type DocumentPageWords, documentPageWords } from './words.ts'

export type DocumentPage = {
  assets: Assets
  lang: Language
  /** The path of the page, with its token. */
  path: string
  view: PublicView
}

/** A document as its customer sees it: summary and amount, lines, how to pay, attachments and messages. */
export function documentPage(content: DocumentPage): string {
  const { assets, lang, path, view } = content
  const say = documentPageWords[lang]
  const { company, document } = view
  const title = `${view.called[lang]} ${document.invoiceNumber ?? ''}`
  const money = moneyIn(content)
  const main = money(view.open > 0 ? view.open : document.total)
  const body = html`
${heading({ lang, path, say, company: html`${company.hasLogo && html`<img class="logo" src="${path}/files/logo" alt="">`}<bdi>${company.name}</bdi>` })}
<main class="document" data-words="${JSON.stringify(scriptWords(say))}">
<article class="sheet">
<header class="summary">
<p class="states">${stateOf(view, say)}${document.inDispute && html`<span class="state wrong">${say.states.disputed}</span>`}</p>
<h1><span class="type">${view.called[lang]}</span> <bdi>${document.invoiceNumber}</bdi></h1>
<p class="sum ${sizeOfSum(main)}"><bdi>${main}</bdi>${view.open > 0 && view.open !== document.total && html` <span class="whole">${say.of(money(document.total))}</span>`}</p>
<p class="actions"><a class="button" href="${path}/pdf">${say.pdf}</a></p>
</header>
${facts(content, say)}
${lines(content, say)}
${sums(content, say)}
${document.notes && html`<section class="notes"><h2>${say.notes}</h2><p dir="auto">${document.notes}</p></section>`}
</article>
${payment(content, say)}
${files(content, say)}
${conversation({ lang, path, view, say })}
<p class="foot">${say.foot}</p>
</main>`
  const description = `${title}, ${company.name}`
  return page({ title: description, description, lang, assets, script: assets.document, kind: 'customer', body })
}

/** Amounts in the currency of the document, as the country of the company writes them. */
const moneyIn =
  ({ lang, view: { document, country } }: DocumentPage) =>
  (amount: number) =>
    formatAmount(lang, amount, document.currency, englishOf(country))

/** Amounts never wrap, so long ones get a smaller font. */
function sizeOfSum(text: string) {
  const { length } = text.replace(/[\u200e\u200f]/g, '') // direction marks take no space
  return length > 18 ? 'longer' : length > 13 ? 'long' : ''
}

/** The same page for every invalid link, so that it does not reveal which links were once valid (THR-26). */
export function missingPage({ assets, lang, path }: Pick<DocumentPage, 'assets' | 'lang' | 'path'>): string {
  const say = documentPageWords[lang]
  const body = html`
${heading({ lang, path, say, company: 'Kontor' })}
<main class="document" data-words="{}"><article class="sheet missing"><h1>${say.missingTitle}</h1><p>${say.missing}</p></article></main>`
  const title = say.missingTitle
  return page({ title, description: title, lang, assets, script: assets.document, kind: 'customer', body })
}

type Heading = { lang: Language; path: string; say: DocumentPageWords; company: Content }

function heading({ lang, path, say, company }: Heading): Markup {
  const other = lang === 'he' ? 'en' : 'he'
  return html`<header class="letterhead"><p class="company">${company}</p>
<a class="other" href="${path}?lang=${other}" lang="${other}" hreflang="${other}">${say.otherLanguage}</a></header>`
}

const scriptWords = ({ problems, failed, tooMany, wrong, copied }: DocumentPageWords) => ({
  problems, failed, tooMany, wrong, copied,
}) // biome-ignore format: a list of words

/** The state of the document as a coloured label. */
function stateOf(
  { document, open, invoiced, paymentVoided, today }: PublicView,
  { states }: DocumentPageWords,
): Markup {
  const state = (kind: string, words: string) => html`<span class="state ${kind}">${words}</span>`
  if (document.cancelledAt) return state('wrong', states.cancelled)
  if (paymentVoided) return state('wrong', states.paymentVoided)
  if (document.documentType === 'CREDIT_MEMO') return state('good', states.credit)
  if (invoiced) return state('good', states.invoiced)
  if (document.documentType === 'RECEIPT' && document.status !== 'PAID') return state('calm', states.unpaidReceipt)
  if (document.status !== 'PAID' && open === 0 && document.creditedAmount > 0) return state('good', states.credited)
  if (document.status === 'PAID' || open === 0) return state('good', states.paid)
  if (!document.dueDate) return state('calm', states.open)
  const days = daysBetween(today, document.dueDate)
  if (days === 0) return state('soon', states.today)
  if (days === 1) return state('soon', states.tomorrow)
  if (days > 0) return state(days <= 7 ? 'soon' : 'calm', states.inDays(days))
  return state('wrong', days === -1 ? states.yesterday : states.overdue(-days))
}

function facts({ lang, view }: DocumentPage, say: DocumentPageWords): Markup {
  const { document, company, customerName } = view
  const day = (value: string | null) =>
    value && html`<span class="day">${formatDay(lang, value, englishOf(view.country))}</span>`
  const contact = [company.address, company.email, company.phone].filter(Boolean)
  const numbers = company.numbers.map(({ label, value }) => `${label[lang]} ${value}`)
  const rows: [string, Content][] = [
    [say.from, html`<bdi>${company.name}</bdi>${[...contact, ...numbers].map((fact) => html`<br><span class="soft"><bdi>${fact}</bdi></span>`)}`],
    [say.to, customerName && html`<bdi>${customerName}</bdi>`],
    [say.issued, day(document.issueDate)],
    [say.due, view.open > 0 && day(document.dueDate)],
    [say.paidOn, document.status === 'PAID' && day(document.paymentDate)],
    [say.allocation, document.vatAllocationNumber && html`<bdi>${document.vatAllocationNumber}</bdi>`],
  ] // biome-ignore format: a table
  return html`<dl class="facts">${rows.map(([label, value]) => value && html`<div${label === say.from || label === say.to ? html` class="party"` : ''}><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`
}

function lines(content: DocumentPage, say: DocumentPageWords): Content {
  const { lang } = content
  const { document, taxes } = content.view
  const addUp = taxes !== null || document.taxAmount === 0 // without the tax, the lines would not add up to the total
  if (document.items.length === 0 || !addUp) return ''
  const money = moneyIn(content)
  const discount = ({ discountPercent, discountAmount }: (typeof document.items)[number]) => {
    if (discountPercent) return ` − ${formatNumber(lang, discountPercent)}%`
    return discountAmount ? ` − ${money(discountAmount)}` : ''
  }
  return html`<table class="lines"><thead><tr><th scope="col">${say.description}</th><th scope="col" class="number">${say.amount}</th></tr></thead>
<tbody>${document.items.map(
    (item) =>
      html`<tr><th scope="row"><span dir="auto" class="what">${item.description}</span><span class="soft"><bdi>${formatNumber(lang, item.quantity)} × ${money(item.unitPrice)}${discount(item)}</bdi></span></th><td class="number"><bdi>${money(item.amount)}</bdi></td></tr>`,
  )}</tbody></table>`
}

/** A label, its amount, whether it is shown, and a class. */
type SumRow = [string, number, boolean, string]

function sums(content: DocumentPage, say: DocumentPageWords): Markup {
  const { lang, view } = content
  const { document, taxes } = view
  const money = moneyIn(content)
  const rows: SumRow[] = [
    [say.subtotal, document.subtotal, taxes !== null, ''],
    ...(taxes ?? []).map(({ label, amount }): SumRow => [label[lang], amount, true, '']),
    [say.total, document.total, true, 'strong'],
    ...(document.documentType === 'CREDIT_MEMO' ? creditRows(view, say) : paidRows(view, say)),
  ]
  return html`<dl class="sums">${rows.map(
    ([label, amount, isShown, kind]) =>
      isShown && html`<div class="${kind}"><dt>${label}</dt><dd><bdi>${money(amount)}</bdi></dd></div>`,
  )}</dl>`
}

/** What was used of a credit memo, for invoices or as a refund, and what is left. */
const creditRows = ({ document: { paidAmount, openBalance } }: PublicView, say: DocumentPageWords): SumRow[] => [
  [say.creditUsed, paidAmount, paidAmount > 0, ''],
  [say.creditLeft, openBalance, openBalance > 0, 'strong'],
]

function paidRows({ document: { paidAmount, creditedAmount }, open }: PublicView, say: DocumentPageWords): SumRow[] {
  const [paid, credited] = [paidAmount > 0, creditedAmount > 0]
  return [
    [say.paidSoFar, paidAmount, paid, ''],
    [say.credited, creditedAmount, credited, ''],
    [say.open, open, open > 0 ? paid || credited : credited, 'strong'],
  ]
}

/** How to pay: bank details with copy buttons, and the payment code. */
function payment(content: DocumentPage, say: DocumentPageWords): Content {
  const { document, open, bankCode, payNotes, code } = content.view
  const account = document.bankAccount
  if (open === 0 || !(account || code)) return ''
  const bank = Object.entries(say.bank) as [keyof DocumentPageWords['bank'], string][]
  const inAccount = (fact: (typeof bank)[number][0]) =>
    fact === 'localBankCode' ? bankCode : (account?.[fact] ?? null)
  const rows: [string, string | null, string?][] = [
    ...bank.map(([fact, label]): [string, string | null, string?] => {
      const value = inAccount(fact)
      return fact === 'iban' && value ? [label, groupedIban(value), compact(value)] : [label, value]
    }),
    [say.reference, document.invoiceNumber],
    [say.open, moneyIn(content)(open), open.toFixed(minorDigits(document.currency))],
  ]
  return html`<section class="sheet pay"><h2>${say.pay}</h2><p class="soft">${account && say.payLead}</p>
${code && html`<figure class="scan">${new Markup(code.svg)}<figcaption>${say.scan(code.name)}</figcaption></figure>`}
${payNotes && html`<p class="pay-notes" dir="auto">${payNotes}</p>`}
<dl class="facts">${rows.map(
    ([label, value, typed = value]) =>
      value &&
      html`<div><dt>${label}</dt><dd><bdi>${value}</bdi><button type="button" class="copy" data-copy="${typed}" aria-label="${say.copy}: ${label}" hidden>${say.copy}</button></dd></div>`,
  )}</dl></section>`
}

function files({ lang, path, view: { attachments } }: DocumentPage, say: DocumentPageWords): Content {
  if (attachments.length === 0) return ''
  return html`<section class="sheet"><h2>${say.files}</h2><ul class="files">${attachments.map(
    ({ id, fileName, fileSize }) =>
      html`<li><a href="${path}/files/${id}" download><bdi>${fileName}</bdi></a> <span class="soft">${sizeOf(lang, fileSize)}</span></li>`,
  )}</ul></section>`
}

const sizeOf = (lang: Language, bytes: number) =>
  bytes < 1024 * 1024
    ? `${formatNumber(lang, Math.max(1, Math.round(bytes / 1024)))} KB`
    : `${formatNumber(lang, Math.round((bytes / 1024 / 1024) * 10) / 10)} MB`
