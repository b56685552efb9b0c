import '../../src/test/own-world.ts'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hasBrowser, type Visitor, withBrowser } from '../../src/test/browser.ts'
import { member } from '../../src/test/world.ts'
import { compare, isSame } from './compare-pictures.ts'
import { goldenCompany, goldenNow } from './golden-company.ts'
import { openKit } from './kit-page.ts'
import { type Look, visit } from './visit.ts'

// Compares screens with reviewed pictures. `npm run goldens` takes the pictures again: look at every one that changed.

const folder = new URL('./goldens/', import.meta.url)
const actual = new URL('../../.cache/goldens/', import.meta.url)
const renew = process.env.KONTOR_GOLDENS === '1'

const desk = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }
const looks = {
  en: { lang: 'en', theme: 'light', ...desk },
  'en-dark': { lang: 'en', theme: 'dark', ...desk },
  he: { lang: 'he', theme: 'light', ...desk },
  'he-dark': { lang: 'he', theme: 'dark', ...desk },
  'en-phone': { lang: 'en', theme: 'light', ...phone },
  'he-phone': { lang: 'he', theme: 'light', ...phone },
} as const satisfies Record<string, Look>
type LookName = keyof typeof looks

type Company = Awaited<ReturnType<typeof goldenCompany>>
type Picture = {
  name: string
  path: (company: Company) => string
  /** What is there when everything has arrived. */
  shows: string
  act?: (page: Page) => Promise<void>
}

const screens: Record<LookName, readonly Picture[]> = {
  en: [
    { name: 'dashboard', path: () => '', shows: 'Hotel Carmel View' },
    { name: 'documents', path: () => '/documents', shows: 'Hotel Carmel View' },
    {
      name: 'editor',
      path: ({ draftId }) => `/documents/${draftId}/edit`,
      shows: 'As the customer gets it',
      act: pageOfDraft,
    },
    { name: 'customer', path: ({ customerId }) => `/customers/${customerId}`, shows: 'accounts1@customer.test' },
    { name: 'reports', path: () => '/reports', shows: 'Profit and loss' },
    { name: 'tax-authority', path: () => '/settings/tax-authority', shows: 'Enter the credentials' },
  ],
  'en-dark': [
    { name: 'payments', path: () => '/payments', shows: 'Hotel Carmel View' },
    { name: 'palette', path: () => '/items', shows: 'GRD-20', act: openPalette },
    { name: 'items', path: () => '/items', shows: 'GRD-20' },
    { name: 'settings', path: () => '/settings', shows: 'Company, partnership or identity number' },
  ],
  he: [
    { name: 'document', path: ({ openId }) => `/documents?open=${openId}`, shows: 'Consulting, hour' },
    { name: 'record-payment', path: () => '/payments/new', shows: 'רישום תשלום' },
    { name: 'profit-and-loss', path: () => '/reports/profit-and-loss', shows: 'רווח' },
    { name: 'statutory-file', path: () => '/reports/files/il-pcn874', shows: 'מה יש בקובץ' },
    { name: 'orders', path: () => '/orders', shows: 'קיבוץ עין השופט' },
    { name: 'new-expense', path: () => '/expenses', shows: 'חשמל הצפון', act: press('c') },
  ],
  'he-dark': [
    { name: 'dashboard', path: () => '', shows: 'Hotel Carmel View' },
    { name: 'customers', path: () => '/customers', shows: 'Hotel Carmel View' },
    { name: 'automation', path: ({ automationId }) => `/automations/${automationId}`, shows: 'Thanks for a payment' },
    { name: 'expenses', path: () => '/expenses', shows: 'חשמל הצפון', act: openFirst },
  ],
  'en-phone': [
    { name: 'dashboard', path: () => '', shows: 'Hotel Carmel View' },
    { name: 'automations', path: () => '/automations', shows: 'Thanks for a payment' },
    { name: 'welcome', path: () => '/welcome', shows: 'Your organization' },
  ],
  'he-phone': [
    { name: 'documents', path: () => '/documents', shows: 'Hotel Carmel View' },
    { name: 'expenses', path: () => '/expenses', shows: 'חשמל הצפון' },
    { name: 'balance-sheet', path: () => '/reports/balance-sheet', shows: 'נכסים' },
  ],
}

describe.skipIf(!hasBrowser)('pictures of the web app', () => {
  withBrowser()
  let company: Company
  beforeAll(async () => {
    if (!hasBrowser) return
    mkdirSync(folder, { recursive: true })
    mkdirSync(actual, { recursive: true })
    vi.useFakeTimers({ toFake: ['Date'], now: goldenNow }) // the days of the server; its timers go on
    company = await goldenCompany()
  })
  afterAll(() => void vi.useRealTimers())

  test.each(['controls', 'lists', 'forms'] as const)('the %s of the kit look as reviewed', async (part) => {
    const name = ({ controls: 'he-dark', lists: 'en', forms: 'he' } as const)[part]
    const seen = await openKit(part, looks[name])
    await seen.page.locator('h1').waitFor()
    await expectGolden(seen, `kit-${part}-${name}`)
  })

  test('the lists of the kit look as reviewed on a phone', async () => {
    const seen = await openKit('lists', looks['he-phone'])
    await seen.page.locator('h1').waitFor()
    await expectGolden(seen, 'kit-lists-he-phone')
  })

  test.each(Object.keys(looks) as LookName[])('the screens look as reviewed: %s', async (look) => {
    const someone = await member('OWNER', { of: company.amy }) // the language belongs to the person
    const seen = await visit(someone, '/o/$org/reports', looks[look], goldenNow)
    const changed: string[] = []
    for (const picture of screens[look]) {
      await open(seen.page, picture, company)
      const wrong = await differenceTo(seen, `${picture.name}-${look}`)
      if (wrong) changed.push(wrong)
    }
    expect(changed).toEqual([])
    await seen.leave()
  })
})

async function open(page: Page, { path, shows, act }: Picture, company: Company) {
  const at = path(company)
  await page.goto(at === '/welcome' ? at : `/o/${company.amy.organizationId}${at}`)
  await page.getByText(shows).first().waitFor()
  await act?.(page)
}

async function expectGolden(seen: Visitor, name: string) {
  expect(await differenceTo(seen, name)).toBe('')
  await seen.leave()
}

/** Why a page does not look like its golden picture, or nothing. What was seen is kept beside the tests' cache. */
async function differenceTo({ page }: Visitor, name: string): Promise<string> {
  const file = new URL(`${name}.png`, folder)
  if (renew) {
    writeFileSync(file, await asKept(await pictureOf(page)))
    writeFileSync(browserFile, `${JSON.stringify(browserOf(page), null, 1).replace(/\n */g, ' ')}\n`)
  }
  if (!existsSync(file)) return `${name}: there is no picture of it; npm run goldens takes one`
  const wrong = await differenceIn(page, file, name)
  if (!wrong || isSameBrowser(page)) return wrong
  process.stderr.write(`${wrong} (the pictures were taken with another browser)\n`)
  return ''
}

/** A part that is loaded late may still be missing in the first picture. Of another browser one picture is enough to tell. */
async function differenceIn(page: Page, file: URL, name: string): Promise<string> {
  const golden = readFileSync(file)
  for (let attempt = 1; ; attempt += 1) {
    const shot = await pictureOf(page)
    if (isSame(await compare(golden, shot))) return ''
    const now = await asKept(shot) // with as few colours as the golden picture has
    const found = await compare(golden, now)
    if (isSame(found)) return ''
    const places = found.at.slice(0, 5).map(({ left, top }) => `${left},${top}`)
    writeFileSync(new URL(`${name}.png`, actual), now)
    if (attempt === 3 || !isSameBrowser(page))
      return `${name}: ${found.changed} of ${found.tiles} tiles differ, at ${places.join(' ')}; see .cache/goldens/${name}.png`
    await page.waitForTimeout(500)
  }
}

/** Another version or processor draws letters and lines a little differently; there differences are told and do not fail. */
const browserFile = new URL('./goldens/browser.json', import.meta.url)
const browserOf = (page: Page) => ({
  chromium: page.context().browser()?.version().split('.')[0],
  on: `${process.platform} ${process.arch}`,
})
const isSameBrowser = (page: Page) =>
  JSON.stringify(JSON.parse(readFileSync(browserFile, 'utf8'))) === JSON.stringify(browserOf(page))

/** The window when everything has arrived, without what differs from run to run. */
async function pictureOf(page: Page): Promise<Buffer> {
  await expect.poll(() => page.locator('.animate-none:not([data-kit] *)').count(), { timeout: 20_000 }).toBe(0)
  await page.evaluate('document.fonts.ready')
  await expect.poll(() => page.evaluate(`[...document.images].every((each) => each.complete)`)).toBe(true)
  await page.mouse.move(0, 0)
  await page.evaluate(settle)
  return page.screenshot({ animations: 'disabled', caret: 'hide', scale: 'css' })
}

/** As a golden picture is kept: with 256 colours, as small as can be. */
const asKept = (shot: Buffer): Promise<Buffer> =>
  sharp(shot).removeAlpha().png({ compressionLevel: 9, effort: 10, palette: true, colours: 256, dither: 0 }).toBuffer()

/** Moments are those of the database's clock; focus differs with how quickly the page was there. */
const settle = `(() => {
  for (const each of document.querySelectorAll('time[datetime*="T"]')) each.textContent = '18/05 09:00'
  if (!document.querySelector('[role=dialog]')) document.activeElement?.blur()
})()`

function press(key: string) {
  return async (page: Page) => {
    await page.keyboard.press(key)
    await page.getByRole('dialog').waitFor()
    await page.getByRole('dialog').getByRole('textbox').first().waitFor()
  }
}

async function openPalette(page: Page) {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('option').first().waitFor()
}

async function openFirst(page: Page) {
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('complementary').getByRole('definition').first().waitFor()
}

/** The printed page beside the editor. */
async function pageOfDraft(page: Page) {
  await page.keyboard.press('Escape')
  await page.locator('main img').first().waitFor({ timeout: 60_000 }) // the first document of a thread compiles Typst
}
