import '../../../test/own-world.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../core/values/id.ts'
import { type App, createApp } from '../../../program/app.ts'
import { emailOf, personWithPassword } from '../../../test/accounts.ts'
import { mailbox } from '../../../test/fakes/smtp.ts'
import { doJob } from '../../../test/job.ts'
import { testConfig, theApp, theDatabase } from '../../../test/world.ts'
import { makeLink } from './account-link.ts'
import { accountMail } from './account-mail.ts'

/** Sign-up in strict mode with a mail server, where nobody is told which addresses have an account. */

let strict: App
let inbox: Awaited<ReturnType<typeof mailbox>>
beforeAll(async () => {
  inbox = await mailbox()
  const mail = { SMTP_URL: `smtp://127.0.0.1:${inbox.port}?tls=off`, MAIL_FROM: 'books@kontor.example' }
  strict = await createApp({ ...testConfig(mail), mode: 'strict' }, theDatabase())
  await strict.server.ready()
})
afterAll(async () => {
  await strict.close()
  await inbox.close()
})

async function post(path: string, payload: object) {
  const { statusCode, headers, body } = await strict.server.inject({
    method: 'POST',
    url: `/api/auth/${path}`,
    payload,
  })
  return {
    status: statusCode,
    cookie: headers['set-cookie'],
    fields: Object.keys(headers).sort(),
    body: JSON.parse(body),
  }
}

const password = 'correct horse'
const newcomer = () => ({ name: 'Amy', email: `${newId()}@example.test`, password })
const signIn = (email: string, given = password) => post('sign-in', { email, password: given })

const rows = async (text: string, values: unknown[]) => (await theApp().system.raw.query(text, values)).rows

/** The subject of the letter that a sign-up caused, and the token in it. */
async function letterTo(email: string) {
  await doJob(accountMail, { about: 'SIGN_UP', email, language: 'en' })
  const [{ subject, template }] = await rows(
    'select subject, template from mail_deliveries where "to" = $1 order by created_at desc limit 1',
    [email],
  )
  return { subject, template }
}

/** A link of the letter, whose text is stored encrypted. */
async function linkOf(email: string) {
  const [{ id }] = await rows('select id from users where email = $1', [email])
  return theApp().system.use((db) => makeLink(db, { userId: id, purpose: 'VERIFY_EMAIL', email }))
}

describe('in strict mode with a mail server', () => {
  test('THR-09: sign-up answers the same whether the address has an account or not, also when it is repeated', async () => {
    const amy = await personWithPassword()
    const taken = { ...newcomer(), email: await emailOf(amy) }
    const free = newcomer()
    const answers = [await post('sign-up', free), await post('sign-up', taken), await post('sign-up', free)]
    for (const answer of answers)
      expect(answer).toEqual({ status: 201, cookie: undefined, fields: answers[0]?.fields, body: { mailed: true } })
    // Nor does an attempt to sign in with the password of that sign-up tell.
    const unknown = await signIn(`${newId()}@example.test`)
    for (const { email } of [free, taken]) {
      const { body, ...tried } = await signIn(email, `${password} of a stranger`)
      expect(tried).toMatchObject({ status: 401, cookie: undefined })
      expect(body.error).toMatchObject({ ...unknown.body.error, requestId: expect.any(String) })
    }
    expect(await signIn(free.email)).toMatchObject({
      status: 401,
      body: { error: { details: [{ code: 'WRONG_CREDENTIALS' }] } },
    })
    expect(await signIn(taken.email)).toMatchObject({ status: 200 }) // its own password is unchanged
  })

  test('THR-09: the letter alone says whether there is an account', async () => {
    const taken = await emailOf(await personWithPassword())
    const { email } = newcomer()
    for (const address of [email, taken]) await post('sign-up', { name: 'Amy', email: address, password })
    expect(await letterTo(email)).toEqual({ subject: 'Confirm your e-mail address', template: 'verify-email' })
    expect(await letterTo(taken)).toEqual({ subject: 'You have an account already', template: 'account-exists' })
  })

  test('the link and the password together open the account, and nothing is ended', async () => {
    const { email, ...who } = newcomer()
    await post('sign-up', { ...who, email })
    const token = await linkOf(email)
    const wrong = await post('email/confirm', { token, password: 'of somebody else' })
    expect(wrong).toMatchObject({ status: 403, body: { error: { details: [{ code: 'WRONG_PASSWORD' }] } } })
    expect(await post('email/confirm', { token, password })).toMatchObject({
      status: 200,
      body: { email, ended: { everything: false } },
    })
    expect(await signIn(email)).toMatchObject({ status: 200, body: { user: { name: 'Amy', emailVerified: true } } })
    expect(await post('email/confirm', { token, password })).toMatchObject({ status: 400 })
  })

  test('the link alone ends the password, which somebody else may have chosen', async () => {
    const { email, ...who } = newcomer()
    await post('sign-up', { ...who, email })
    const confirmed = await post('email/confirm', { token: await linkOf(email) })
    expect(confirmed).toMatchObject({ status: 200, body: { ended: { everything: true, password: true } } })
    expect(await signIn(email)).toMatchObject({ status: 401 })
  })

  test('of several sign-ups with an address the last one counts, until it is confirmed', async () => {
    const first = newcomer()
    await post('sign-up', first)
    await post('sign-up', { ...first, email: first.email.toUpperCase(), name: 'Bob', password: 'another horse' })
    const token = await linkOf(first.email)
    expect(await post('email/confirm', { token, password })).toMatchObject({ status: 403 })
    expect(await post('email/confirm', { token, password: 'another horse' })).toMatchObject({ status: 200 })
    await post('sign-up', first)
    expect(await signIn(first.email, 'another horse')).toMatchObject({ status: 200, body: { user: { name: 'Bob' } } })
  })

  test('the database refuses a session of an account that is not confirmed', async () => {
    const { email, ...who } = newcomer()
    await post('sign-up', { ...who, email })
    const session = `insert into sessions (id, user_id, secret_hash, ends_at)
      select gen_random_uuid(), id, decode(repeat('00', 32), 'hex'), now() + interval '1 day' from users where email = $1`
    await expect(rows(session, [email])).rejects.toThrow('The address of this account is not confirmed yet.')
  })

  test('an address that somebody signed up with and never confirmed is free for the person who proves it', async () => {
    const { email, ...who } = newcomer()
    await post('sign-up', { ...who, email })
    const amy = await personWithPassword()
    const token = await theApp().system.use((db) =>
      makeLink(db, { userId: amy.userId, purpose: 'CHANGE_EMAIL', email }),
    )
    const headers = amy.credentials as Record<string, string>
    const request = { method: 'POST' as const, url: '/api/auth/email/confirm', payload: { token }, headers }
    expect((await strict.server.inject(request)).statusCode).toBe(200)
    expect(await rows('select id from users where email = $1', [email])).toEqual([{ id: amy.userId }])
  })

  test('letters to an address that others sign up with are limited', async () => {
    const limited = await createApp(
      {
        ...testConfig({
          SMTP_URL: `smtp://127.0.0.1:${inbox.port}?tls=off`,
          MAIL_FROM: 'a@b.example',
          RATE_LIMIT_SCALE: '1',
        }),
        mode: 'strict',
      },
      theDatabase(),
    )
    try {
      const body = newcomer()
      const tried: number[] = []
      for (let n = 0; n < 25; n++) {
        const request = { method: 'POST' as const, url: '/api/auth/sign-up', payload: body }
        tried.push((await limited.server.inject(request)).statusCode)
      }
      expect([tried[0], tried.at(-1)]).toEqual([201, 429])
    } finally {
      await limited.close()
    }
  })

  test('the pages lead to the letter', async () => {
    const page = async (url: string) => (await strict.server.inject({ url })).body
    expect(await page('/sign-up?lang=en')).toContain('An e-mail to this address is on its way.')
    expect(await page('/?lang=en')).not.toContain('action="/api/auth/sign-up"')
    expect(await page('/?lang=en')).toContain('href="/sign-up?lang=en"')
    expect(await page('/verify-email?lang=en')).toMatch(/name="password" type="password"/)
  })
})

test('in strict mode without a mail server sign-up signs in, because nobody would get the letter', async () => {
  const without = await createApp({ ...testConfig(), mode: 'strict' }, theDatabase())
  try {
    const answer = await without.server.inject({ method: 'POST', url: '/api/auth/sign-up', payload: newcomer() })
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({ user: { name: 'Amy' } })
  } finally {
    await without.close()
  }
})
