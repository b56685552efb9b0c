import { existsSync, readFileSync } from 'node:fs'
import { theSite, type Visitor, visitor } from '../../src/test/browser.ts'
import { builtKit } from '../../src/test/web-app.ts'
import { alwaysNow, type Look } from './visit.ts'

/** Pages of the kit are built for tests only: the server does not have them, so they are put in its place. */
export async function openKit(part: 'controls' | 'lists' | 'forms', look: Look = {}): Promise<Visitor> {
  const { lang = 'en', theme = 'light', width = 1360, height = 900 } = look
  const phone = width < 500
  const folder = await builtKit()
  const policy = (await fetch(`${theSite().url}/app`)).headers.get('content-security-policy') ?? ''
  const opened = await visitor({
    viewport: { width, height },
    colorScheme: theme,
    locale: lang === 'he' ? 'he-IL' : 'en-GB',
    hasTouch: phone,
    isMobile: phone,
  })
  await opened.context.route(/\/(o\/kit|assets)\//, async (route) => {
    const { pathname } = new URL(route.request().url())
    const file = `${folder}${pathname.startsWith('/assets/') ? pathname : '/index.html'}`
    if (!existsSync(file)) return route.continue()
    const type = types[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
    const headers = { 'content-type': type, ...(type === types.html && { 'content-security-policy': policy }) }
    return route.fulfill({ body: readFileSync(file), headers })
  })
  await opened.page.addInitScript(alwaysNow(new Date('2026-03-16T09:00:00+08:00')))
  await opened.page.goto(`/o/kit/${part}?lang=${lang}`)
  return opened
}

const types: Record<string, string> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
}
