import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { barriers } from '../../src/test/barriers.ts'
import { hasBrowser, type Visitor, withBrowser } from '../../src/test/browser.ts'
import { inProof, proves } from '../../src/test/prove.ts'
import { sell } from '../../src/test/sales-documents.ts'
import { member, type Someone } from '../../src/test/world.ts'
import { arrived, type Look, sideways, visit } from './visit.ts'

/** Every screen that can be opened without knowing an id. `list` has rows that j and Enter go through. */
const routes = [
  '/welcome',
  '/o/$org',
  ...['documents', 'documents/new', 'customers', 'customers/new', 'payments', 'automations'],
  ...['orders', 'items', 'stock', 'stock-movements', 'expenses', 'suppliers', 'supplier-payments', 'categories'],
  ...['mailboxes', 'mail-runs', 'payroll', 'employees', 'pay-payments', 'my-payslips', 'my-claims'],
  ...['journal-entries', 'accounts', 'mail', 'bank-accounts', 'imports'],
  ...['reports', 'reports/profit-and-loss', 'settings', 'settings/team', 'settings/keys', 'settings/apps'],
  ...['reports/files/il-pcn874', 'reports/files/il-uniform-file', 'settings/webhooks', 'settings/audit'],
  'settings/tax-authority',
].map((path) => (path.startsWith('/') ? path : `/o/$org/${path}`))

/** Opposite looks beside each other: together they show both languages, both themes and both widths. */
const pairs: readonly (readonly [Required<Look>, Required<Look>])[] = [
  [look('en', 'light', 1360), look('he', 'dark', 390)],
  [look('he', 'light', 1360), look('en', 'dark', 390)],
  [look('en', 'dark', 1360), look('he', 'light', 390)],
  [look('he', 'dark', 1360), look('en', 'light', 390)],
]
function look(lang: 'en' | 'he', theme: 'light' | 'dark', width: number): Required<Look> {
  return { lang, theme, width, height: 900 }
}

describe.skipIf(!hasBrowser)('every screen of the web app', () => {
  withBrowser()
  let amy: Someone
  beforeAll(async () => {
    if (hasBrowser) amy = await company()
  })

  test.each(pairs.map((pair, at) => ({ pair, at })))('is sound in both looks of pair $at', async ({ pair, at }) => {
    const here = routes.filter((_, index) => proves || index % pairs.length === at)
    // The language belongs to the person, so each look has an owner of its own.
    const owners = await Promise.all(pair.map(() => member('OWNER', { of: amy })))
    const found = await Promise.all(
      pair.map((each, index) => sweep(owners[index] ?? amy, each, here, openers[index % openers.length])),
    )
    expect(found.flat()).toEqual([])
  })
})

/** A company with a little of everything, in Israel, where Hebrew names and reports are. */
async function company(): Promise<Someone> {
  const amy = await member('OWNER', { country: 'IL' })
  await sell(amy)
  await amy.call('expenses_create', { amount: 118, currency: 'ILS', date: '2026-01-31', vendor: 'Paper Ltd.' })
  await amy.call('logistics_items_create', { name: 'Lamp', salePrice: 25, purchasePrice: 10 })
  await amy.call('suppliers_create', { name: 'Paper Ltd.', country: 'IL' })
  return amy
}

type Open = (page: Page, path: string) => Promise<unknown>
const byAddress: Open = (page, path) => page.goto(path)
/** As a link does, without loading the app again. */
const withinTheApp: Open = (page, path) => page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
/** Of the two looks of a pair the first opens each screen by its address, the second goes there within the app. */
const openers: readonly Open[] = [byAddress, inProof(withinTheApp, byAddress)]

/** Opens each screen in one look, and answers what is wrong with them: `he dark 390 /o/$org/items: …`. */
async function sweep(amy: Someone, how: Required<Look>, paths: readonly string[], open = byAddress): Promise<string[]> {
  const found: string[] = []
  const seen = await visit(amy, paths[0] ?? '', how)
  for (const path of paths) {
    const address = path.replace('$org', amy.organizationId ?? '')
    if (path !== paths[0]) await open(seen.page, address)
    const wrong = await wrongWith(seen, address, how).catch((error: Error) => [`cannot be looked at: ${error.message}`])
    found.push(...wrong.map((each) => `${how.lang} ${how.theme} ${how.width} ${path}: ${each}`))
    seen.trouble.length = 0
  }
  await seen.leave()
  return found
}

async function wrongWith({ page, trouble }: Visitor, path: string, { lang }: Required<Look>): Promise<string[]> {
  await arrived(page, path)
  await page.keyboard.press('Escape') // the editor opens its list of customers by itself
  await expect.poll(() => page.getByRole('listbox').count()).toBe(0)
  const titles = await page.locator('h1').count()
  const wrong = [
    ...(titles === 1 ? [] : [`${titles} titles`]),
    ...(/Kontor$/.test(await page.title()) ? [] : [`the tab is called ${await page.title()}`]),
    ...(await foreignWords(page, lang)).map((word) => `says ${word}`),
    ...(await barriers(page)),
    ...((await sideways(page)) === 0 ? [] : ['can be scrolled sideways']),
  ]
  // In a field they would be text, and a form with text in it asks before it is left.
  const isTyping = await page.evaluate('document.activeElement.matches("input, textarea")')
  for (const key of isTyping ? [] : ['j', 'Enter', 'Escape']) await page.keyboard.press(key)
  await page.locator('h1').first().waitFor()
  return [...wrong, ...trouble]
}

/** Names that are the same in every language, and that of the person who looks. */
const names =
  /\b(Kontor|API|PDF|CSV|XLSX|XLS|IBAN|SWIFT|JSON|URL|MCP|[Ww]ebhooks?|Standard|Alt|Founder|OWNER|[A-Z][a-z]+\/[A-Z]\w+(?: [A-Z]\w+)?|HTTPS?|IMAP|POP3|Gmail|Outlook|PNG|JPEG|GIF|WebP|English|[A-Z]{3})\b/g

/** Words of the other language among those that the app itself says. What people wrote is in a `bdi`. */
async function foreignWords(page: Page, lang: 'en' | 'he'): Promise<string[]> {
  const said = (await page.evaluate(ownWords)) as string[]
  const foreign = lang === 'en' ? /[\u0590-\u05ff]{2,}/ : /[A-Za-z]{3,}/
  return said.filter((text) => foreign.test(text.replace(names, '')))
}

const ownWords = `(() => {
  const written = 'bdi, code, pre, kbd, textarea, [dir="ltr"], .react-flow, option, [role="option"]'
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts = []
  while (walk.nextNode()) {
    const { parentElement, textContent } = walk.currentNode
    if (parentElement.checkVisibility() && !parentElement.closest(written)) texts.push(textContent.trim())
  }
  for (const each of document.querySelectorAll('[aria-label], [placeholder], [title]'))
    for (const name of ['aria-label', 'placeholder', 'title'])
      if (each.checkVisibility() && !each.closest(written)) texts.push(each.getAttribute(name) ?? '')
  return [...new Set(texts)].filter(Boolean)
})()`
