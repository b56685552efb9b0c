import { beforeAll, expect, test } from 'vitest'
import { person, theApp } from '../../../test/world.ts'

const get = (url: string, headers: Record<string, string> = {}) => theApp().server.inject({ url, headers })

let cookie: string
beforeAll(async () => {
  const { credentials } = await person()
  cookie = 'cookie' in credentials ? String(credentials.cookie) : ''
})

const pages = [
  '/sign-in',
  '/sign-up',
  '/reset',
  '/reset?token=x',
  '/verify-email?token=x',
  '/invitations/accept?token=x',
]

test.each(pages)(
  '%s is public and follows the content security policy: nothing inline, no other origins',
  async (path) => {
    const { statusCode, headers, body } = await get(path)
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(body).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?! src="\/assets\/)|javascript:/)
    for (const [, asset = ''] of body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)) {
      expect((await get(asset)).headers['cache-control']).toContain('immutable')
    }
  },
)

test.each(pages)('%s answers GET and HEAD only', async (path) => {
  const head = await theApp().server.inject({ method: 'HEAD', url: path })
  expect([head.statusCode, head.body]).toEqual([200, ''])
  expect((await theApp().server.inject({ method: 'POST', url: path, payload: {} })).statusCode).toBe(404)
})

test.each(['/reset', '/reset?token=x', '/verify-email?token=x', '/invitations/accept?token=x', '/account'])(
  '%s is not cached, since it may show personal data',
  async (path) => {
    const { statusCode, headers } = await get(path, { cookie })
    expect(statusCode).toBe(200)
    expect([headers['cache-control'], headers['referrer-policy']]).toEqual(['no-store', 'no-referrer'])
  },
)

test('a token in the URL does not appear in the page', async () => {
  for (const path of ['/reset', '/verify-email', '/invitations/accept']) {
    const { statusCode, body } = await get(`${path}?token=canary`)
    expect(statusCode).toBe(200)
    expect(body).not.toContain('canary')
  }
})

test('/sign-in is answered 304 if it did not change', async () => {
  const { headers } = await get('/sign-in')
  expect((await get('/sign-in', { 'if-none-match': String(headers.etag) })).statusCode).toBe(304)
})

test.each([
  ['/account', '/sign-in?next=%2Faccount'],
  ['/account?lang=he', '/sign-in?next=%2Faccount%3Flang%3Dhe&lang=he'],
])('without a valid session %s redirects to the sign-in page', async (path, to) => {
  expect((await get(path, { cookie })).statusCode).toBe(200)
  for (const stale of ['', 'sid=nobody']) {
    const { statusCode, headers } = await get(path, { cookie: stale })
    expect([statusCode, headers.location, headers['cache-control']]).toEqual([302, to, 'no-store'])
  }
})

test.each([
  ['/sign-in?next=/docs', '/docs'],
  ['/sign-in?next=https://evil.test', '/app'],
  ['/sign-in?next=//evil.test', '/app'],
  ['/sign-in?next=/%5Cevil.test', '/app'],
  ['/sign-in?next=/%09/evil.test', '/app'],
  ['/sign-in?next=/a&next=//evil.test', '/app'],
  ['/sign-up?next=//evil.test', '/app'],
  ['/sign-up', '/app'],
])('WEB-7: %s leads to %s', async (path, next) => {
  const { body } = await get(path)
  expect([...body.matchAll(/data-next="([^"]*)"/g)].map(([, to]) => to)).toEqual(expect.arrayContaining([next]))
  expect(body).not.toContain('evil')
})

test.each([
  ['/sign-in', 'he-IL', 'he'],
  ['/sign-in?lang=he', 'en', 'he'],
  ['/reset?lang=en', 'he', 'en'],
])('%s with Accept-Language %s is in %s', async (path, accepted, language) => {
  const { headers, body } = await get(path, { 'accept-language': accepted })
  expect([headers['content-language'], headers.vary]).toEqual([language, 'accept-language, accept-encoding'])
  expect(body).toContain(`<html lang="${language}" dir="${language === 'he' ? 'rtl' : 'ltr'}">`)
})

test('the account page lists connected apps if the server has that operation', async () => {
  const listed = theApp().server.hasRoute({ method: 'GET', url: '/api/users/me/connected-apps' })
  expect((await get('/account', { cookie })).body.includes('data-list="apps"')).toBe(listed)
})
