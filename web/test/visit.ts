import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { barriers, theSite, type Visitor, visitor } from '../../src/test/browser.ts'
import type { Someone } from '../../src/test/world.ts'

export type Look = { lang?: 'en' | 'he'; theme?: 'light' | 'dark'; width?: number; height?: number }

/** Opens the web app as a person with a session, at a moment if one is given. `$org` in the path stands for their organization. */
export async function visit(someone: Someone, path: string, look: Look = {}, now?: Date): Promise<Visitor> {
  const { lang = 'en', theme = 'light', width = 1360, height = 900 } = look
  const phone = width < 500
  const opened = await visitor({
    viewport: { width, height },
    colorScheme: theme,
    locale: lang === 'he' ? 'he-IL' : 'en-GB',
    hasTouch: phone,
    isMobile: phone,
  })
  const cookie = (someone.credentials as { cookie: string }).cookie
  const [name = '', value = ''] = cookie.split('=')
  await opened.context.addCookies([{ name, value, url: theSite().url }])
  await someone.call('preferences_update', { language: lang })
  await opened.context.addInitScript(`localStorage.setItem('lang', '${lang}')`)
  if (now) await opened.context.addInitScript(alwaysNow(now))
  await opened.page.goto(path.replace('$org', someone.organizationId ?? ''))
  return opened
}

/** Days and moments of the page are of one moment; its timers go on. */
export const alwaysNow = (now: Date) => `{
  const now = ${now.getTime()}
  const Real = Date
  globalThis.Date = class extends Real {
    constructor(...given) {
      super(...(given.length > 0 ? given : [now]))
    }
    static now() {
      return now
    }
  }
}`

/** Fails if the page has shown an error, has a serious barrier, or can be scrolled sideways. */
export async function expectSound({ page, trouble }: Visitor): Promise<void> {
  expect(trouble).toEqual([])
  expect(await barriers(page)).toEqual([])
  expect(await sideways(page)).toBe(0)
}

/** How many pixels of the page are beyond its edge. */
export const sideways = (page: Page) =>
  page.evaluate('Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)')
